-- Who may decide: two different people about large withdrawals, nobody about their own money, nobody who is suspended. And what a deposit's
-- confirmation rests on: a transaction on its network's chain, which can be the evidence of one deposit only.

ALTER TABLE users ADD COLUMN suspended_at timestamptz;

ALTER TABLE transactions
  -- How many different people must approve it: fixed when it is asked for, by the limit of that moment.
  ADD COLUMN approvals_needed smallint NOT NULL DEFAULT 1 CHECK (approvals_needed > 0),
  ADD COLUMN evidence_network text,
  ADD COLUMN evidence text,
  ADD CONSTRAINT transactions_evidence_on_a_network CHECK ((evidence IS NULL) = (evidence_network IS NULL)),
  ADD CONSTRAINT transactions_decided_by_another CHECK (decided_by <> user_id);
CREATE UNIQUE INDEX transactions_evidence_once ON transactions (evidence_network, evidence) WHERE evidence IS NOT NULL;

DROP TRIGGER transactions_are_decided_once ON transactions;
CREATE TRIGGER transactions_are_decided_once BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.status <> 'PENDING' OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id OR NEW.type <> OLD.type OR NEW.amount <> OLD.amount
    OR NEW.approvals_needed <> OLD.approvals_needed)
  EXECUTE FUNCTION refuse_change();

-- Who has approved a withdrawal that needs more than one approval.
CREATE TABLE approvals (
  transaction_id uuid NOT NULL REFERENCES transactions,
  approved_by    uuid NOT NULL REFERENCES users,
  created_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (transaction_id, approved_by)
);
CREATE TRIGGER approvals_are_final BEFORE UPDATE OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approvals_are_not_truncated BEFORE TRUNCATE ON approvals EXECUTE FUNCTION refuse_change();

-- Whoever writes to the database: no large withdrawal is approved without enough approvals of others than its owner.
CREATE FUNCTION require_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM approvals WHERE transaction_id = NEW.id AND approved_by <> NEW.user_id) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'transaction % needs % approvals', NEW.id, NEW.approvals_needed USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transactions_approved_by_enough BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.status IN ('APPROVED', 'PROCESSING', 'COMPLETED') AND NEW.approvals_needed > 1) EXECUTE FUNCTION require_approvals();

ALTER TYPE operation_transaction ADD ATTRIBUTE approvals_needed smallint;
ALTER TYPE operation_decision ADD ATTRIBUTE source text, ADD ATTRIBUTE evidence_network text, ADD ATTRIBUTE evidence text;
