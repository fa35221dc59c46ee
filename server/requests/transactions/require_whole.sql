-- Rows have the columns of their type and status, and new ones an owner (decision 8).
-- Looks owners up one by one, since a join planned on empty tables reads all rows.
CREATE OR REPLACE FUNCTION require_whole()
  RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  fault text := (
    SELECT CASE
      WHEN type IN ('investment', 'payout', 'reversal', 'loss', 'recovery') AND status <> 'COMPLETED' THEN 'needs nobody''s decision'
      WHEN num_nonnulls(rate_basis_points, interest, duration_days, matures_at, investment_status)
        <> CASE type WHEN 'investment' THEN 5 ELSE 0 END THEN 'is an investment in part'
      WHEN num_nonnulls(sent_by, sent_basis) > 1 OR num_nonnulls(sent_at, coalesce(sent_by::text, sent_basis), sent_network, sent_evidence)
        <> CASE WHEN type = 'withdrawal' AND (status IN ('PROCESSING', 'COMPLETED') OR status = 'RETURNED' AND sent_at IS NOT NULL) THEN 4 ELSE 0 END THEN 'is sent in part'
      WHEN num_nonnulls(completed_by, completed_basis) > 1 OR num_nonnulls(completed_at, coalesce(completed_by::text, completed_basis))
        <> CASE WHEN type = 'withdrawal' AND status = 'COMPLETED' THEN 2 ELSE 0 END THEN 'is completed in part'
      WHEN num_nonnulls(returned_at, return_id) <> CASE WHEN status = 'RETURNED' THEN 2 ELSE 0 END THEN 'is given back in part'
      WHEN status = 'RETURNED' AND type <> 'withdrawal' THEN 'is given back and no withdrawal'
      WHEN evidence_output = -1 OR sent_output = -1 OR evidence_output IS NOT NULL AND evidence IS NULL OR sent_output IS NOT NULL AND sent_evidence IS NULL
        THEN 'has an output of no transaction'
      WHEN unannounced AND (type <> 'deposit' OR evidence IS NULL) THEN 'is unannounced without its payment'
      WHEN requested_amount <= 0 OR requested_amount = amount OR requested_amount IS NOT NULL AND (type, status) NOT IN (('deposit', 'APPROVED'), ('deposit', 'REVERSED'))
        THEN 'has a requested amount that is not another'
      WHEN status = 'REVERSED' AND type <> 'deposit' THEN 'is taken back and no deposit'
      WHEN (type = 'reversal') <> (claim_id IS NOT NULL) THEN 'is a reversal in part'
      WHEN (type IN ('loss', 'recovery')) <> (sharing_id IS NOT NULL) OR (type = 'recovery') <> (repayment_id IS NOT NULL) THEN 'is of a loss in part'
      WHEN fee < 0 OR fee <> 0 AND type <> 'withdrawal' THEN 'bears a fee of no withdrawal'
      WHEN borne <> 0 AND (type <> 'investment' OR borne < 0 OR borne > amount) THEN 'bears what it does not have'
      WHEN (ending = 'automatic') IS DISTINCT FROM (basis IS NOT NULL) AND num_nonnulls(ending, basis) > 0 OR ending = 'automatic' AND type <> 'deposit'
        THEN 'is decided by the product without a basis'
      WHEN TG_OP = 'INSERT' AND (SELECT id FROM users WHERE id = user_id AND closed_at IS NULL) IS NULL
        THEN 'names a user that does not exist or closed the account'
      WHEN TG_OP = 'INSERT' AND investment_id IS NOT NULL
        AND (SELECT user_id FROM investments WHERE id = come.investment_id) IS DISTINCT FROM user_id
        THEN 'names an investment that its owner does not have'
      WHEN TG_OP = 'INSERT' AND claim_id IS NOT NULL
        AND (SELECT user_id FROM claims WHERE deposit_id = claim_id) IS DISTINCT FROM come.user_id
        THEN 'names a claim that its owner does not have'
      END AS fault
    FROM come ORDER BY fault LIMIT 1);
BEGIN
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION '% row %', TG_TABLE_NAME, fault
      USING ERRCODE = CASE WHEN fault LIKE 'names %' THEN 'foreign_key_violation' ELSE 'check_violation' END;
  END IF;
  RETURN NULL;
END $$;
