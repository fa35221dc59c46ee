-- A deposit rests on an output: one transaction may pay several investors.
ALTER TABLE transactions
  ADD COLUMN evidence_output integer,
  ADD COLUMN sent_output     integer;
COMMENT ON COLUMN transactions.evidence_output IS
  'The number of the output that paid the deposit, where staff named it. NULL is what the wallet was '
  'paid.';
COMMENT ON COLUMN transactions.sent_evidence IS
  'The transaction on the chain that paid it. One such transaction may pay several addresses.';
COMMENT ON COLUMN transactions.sent_output IS
  'The number of the output that paid the withdrawal, where staff named it.';

-- A rejected or expired deposit leaves its evidence to the one that takes its place.
DROP INDEX transactions_evidence_once;
CREATE UNIQUE INDEX transactions_evidence_once
  ON transactions (evidence_network, evidence, coalesce(evidence_output::text, wallet_id::text))
  WHERE evidence IS NOT NULL AND status IN ('PENDING', 'APPROVED');
-- Withdrawals that one transaction paid are looked up at each mark.
CREATE INDEX transactions_by_payment ON transactions (sent_network, sent_evidence)
  WHERE sent_evidence IS NOT NULL;
