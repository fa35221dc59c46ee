-- By position: the code that refuses a decision in any order of the group, or NULL.
CREATE OR REPLACE FUNCTION refuse_decisions(operations operation[], fresh boolean[])
  RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  staff uuid[] := staff_among(ARRAY(SELECT DISTINCT (decision).decided_by FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality]));
BEGIN
  RETURN ARRAY(
    SELECT CASE
      WHEN t.id IS NULL THEN NULL
      WHEN t.user_id = (o.decision).decided_by THEN 'ownTransaction'
      WHEN NOT (o.decision).decided_by = ANY (staff) THEN 'forbidden'
      WHEN t.user_id IS DISTINCT FROM o.owner_id THEN 'ownerMismatch'
      WHEN EXISTS (SELECT FROM transactions AS e
          WHERE e.evidence_network = (o.decision).evidence_network AND e.evidence = (o.decision).evidence AND e.id <> t.id) THEN 'evidenceUsed'
    END
    FROM unnest(operations) WITH ORDINALITY AS o LEFT JOIN transactions AS t ON t.id = (o.decision).transaction_id
    ORDER BY o.ordinality);
END $$;

-- The people of these who are staff and not suspended. Changes of roles and suspensions wait for
-- running groups, so this holds until the commit.
CREATE OR REPLACE FUNCTION staff_among(people uuid[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT DISTINCT u.id FROM users AS u JOIN user_roles AS r ON r.user_id = u.id
    WHERE u.id = ANY (people) AND u.suspended_at IS NULL AND r.role IN ('ADMIN', 'SUPER_ADMIN'));
END $$;
