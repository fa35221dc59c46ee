-- What post_operations asks about decisions before it takes them.

-- Those of these people who are staff and not suspended. Locked, so that taking a role away is not answered before what was decided under it is committed.
CREATE FUNCTION staff_among(people uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT id FROM (
    SELECT u.id FROM users AS u JOIN user_roles AS r ON r.user_id = u.id
    WHERE u.id = ANY (people) AND u.suspended_at IS NULL AND r.role IN ('ADMIN', 'SUPER_ADMIN')
    ORDER BY u.id, r.role FOR SHARE
  ) AS locked);
END $$;

-- By position: why a decision is refused whatever the operations before it do; NULL where nothing speaks against it.
CREATE FUNCTION refuse_decisions(operations operation[], fresh boolean[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  staff uuid[] := staff_among(ARRAY(SELECT DISTINCT (decision).decided_by FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality]));
BEGIN
  RETURN ARRAY(
    SELECT CASE
      WHEN t.id IS NULL THEN NULL
      WHEN t.user_id = (o.decision).decided_by THEN 'ownTransaction'
      WHEN NOT (o.decision).decided_by = ANY (staff) THEN 'forbidden'
      WHEN t.user_id IS DISTINCT FROM o.owner_id THEN 'ownerMismatch'
      WHEN EXISTS (SELECT FROM transactions AS e WHERE e.evidence_network = (o.decision).evidence_network AND e.evidence = (o.decision).evidence)
        THEN 'evidenceUsed'
    END
    FROM unnest(operations) WITH ORDINALITY AS o LEFT JOIN transactions AS t ON t.id = (o.decision).transaction_id
    ORDER BY o.ordinality);
END $$;

-- By transaction id, of those that need more than one approval: how many they need, and who has approved and may still do so.
-- Their rows are locked already, so no approval can be added meanwhile.
CREATE FUNCTION approvals_so_far(operations operation[], fresh boolean[]) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  large uuid[] := ARRAY(
    SELECT id FROM transactions WHERE approvals_needed > 1 AND id = ANY (ARRAY(
      SELECT (decision).transaction_id FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality] AND (decision).status = 'APPROVED')));
  staff uuid[];
BEGIN
  IF cardinality(large) = 0 THEN RETURN '{}'; END IF;
  staff := staff_among(ARRAY(SELECT approved_by FROM approvals WHERE transaction_id = ANY (large)));
  RETURN (
    SELECT jsonb_object_agg(t.id, jsonb_build_object('needed', t.approvals_needed, 'by', to_jsonb(ARRAY(
      SELECT approved_by FROM approvals WHERE transaction_id = t.id AND approved_by = ANY (staff)))))
    FROM transactions AS t WHERE t.id = ANY (large));
END $$;
