-- Decisions, their approvals and their entries in the audit trail. An accepted decision whose
-- status is PENDING is an approval that waits for another one.
CREATE OR REPLACE FUNCTION write_decisions(operations operation[], accepted boolean[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO approvals (transaction_id, approved_by, payee_address)
  SELECT t.id, (o.decision).decided_by, (o.decision).payee_address
  FROM unnest(operations) WITH ORDINALITY AS o JOIN transactions AS t ON t.id = (o.decision).transaction_id
  WHERE accepted[o.ordinality] AND (o.decision).needed > 1;

  -- One group can hold both approvals of a transaction: what the last one says stands.
  UPDATE transactions SET status = last.status, decided_by = CASE WHEN last.status <> 'PENDING' THEN last.decided_by END, reason = last.reason,
    evidence_network = coalesce(last.evidence_network, transactions.evidence_network), evidence = coalesce(last.evidence, transactions.evidence),
    approvals_needed = greatest(last.needed, approvals_needed),
    payee_address = CASE WHEN last.status = 'APPROVED' THEN nullif(last.payee_address, '') END, updated_at = now()
  FROM (
    SELECT DISTINCT ON ((decision).transaction_id) (decision).*
    FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (decision).transaction_id IS NOT NULL
    ORDER BY (decision).transaction_id, ordinality DESC
  ) AS last
  WHERE transactions.id = last.transaction_id;

  INSERT INTO audit_entries (actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason)
  SELECT u.id, u.username, CASE
      WHEN d.status = 'REJECTED' THEN 'withdrawal.rejected'
      WHEN d.status = 'PENDING' THEN t.type || '.firstApproval'
      ELSE t.type || CASE t.type WHEN 'deposit' THEN '.confirmed' ELSE '.approved' END
    END, 'transaction', t.id::text, t.user_id, d.source, '{"status": "PENDING"}', jsonb_strip_nulls(jsonb_build_object(
      'status', d.status, 'amount', round(t.amount / 100.0, 2), 'evidence', d.evidence, 'destinationAddress', nullif(t.destination_address, ''), 'payeeAddress', t.payee_address
    )), nullif(d.reason, '')
  FROM (
    SELECT (decision).*, ordinality FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (decision).transaction_id IS NOT NULL
  ) AS d JOIN transactions AS t ON t.id = d.transaction_id JOIN users AS u ON u.id = d.decided_by
  ORDER BY d.ordinality;
END $$;
