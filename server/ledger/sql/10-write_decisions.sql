-- Writes decisions and approvals. An accepted decision with the status PENDING is an approval that
-- waits for another.
CREATE OR REPLACE FUNCTION write_decisions(operations operation[], accepted boolean[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO approvals (transaction_id, approved_by, payee_address)
  SELECT t.id, (o.decision).decided_by, (o.decision).payee_address
  FROM unnest(operations) WITH ORDINALITY AS o JOIN transactions AS t ON t.id = (o.decision).transaction_id
  WHERE accepted[o.ordinality] AND (o.decision).needed > 1;

  -- A group can hold both approvals of a transaction: the last one counts.
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
END $$;

-- Records the accepted operations. Entries are signed as last approvals; this function knows which
-- were first ones.
CREATE OR REPLACE FUNCTION record_operations(operations operation[], accepted boolean[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_entries(jsonb_agg(CASE
      WHEN (o.decision).status = 'PENDING' THEN jsonb_set(o.entry, '{after,status}', '"PENDING"')
        || jsonb_build_object('action', t.type || '.firstApproval')
      ELSE o.entry
    END ORDER BY o.ordinality))
  FROM unnest(operations) WITH ORDINALITY AS o LEFT JOIN transactions AS t ON t.id = (o.decision).transaction_id
  WHERE accepted[o.ordinality] AND o.entry IS NOT NULL;
END $$;
