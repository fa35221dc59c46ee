-- By transaction id, of those that need several approvals: how many, and who of the staff gave one.
-- Their rows are locked already, so no approval can be added meanwhile.
CREATE OR REPLACE FUNCTION approvals_so_far(operations operation[], fresh boolean[])
  RETURNS jsonb LANGUAGE plpgsql AS $$
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
