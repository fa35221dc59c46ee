-- By transaction: approvals needed, evidence, payout address now, and the staff who approved it for
-- that address. The rows are locked, so no approval can be added meanwhile.
CREATE OR REPLACE FUNCTION approvals_so_far(operations operation[], fresh boolean[])
  RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  approved uuid[] := ARRAY(
    SELECT (decision).transaction_id FROM unnest(operations) WITH ORDINALITY WHERE fresh[ordinality] AND (decision).status = 'APPROVED');
  staff    uuid[] := staff_among(ARRAY(SELECT approved_by FROM approvals WHERE transaction_id = ANY (approved)));
BEGIN
  RETURN coalesce((
    SELECT jsonb_object_agg(t.id, jsonb_build_object('needed', t.approvals_needed, 'evidence', t.evidence, 'payee', payee, 'by', to_jsonb(ARRAY(
      SELECT approved_by FROM approvals WHERE transaction_id = t.id AND approved_by = ANY (staff) AND payee_address = payee))))
    FROM transactions AS t CROSS JOIN LATERAL (SELECT payee_of(t) AS payee OFFSET 0) AS paid WHERE t.id = ANY (approved)), '{}');
END $$;
