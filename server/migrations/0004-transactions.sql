-- What a user asked for or received. Amounts in cents. PENDING, then one final status; what was asked never changes.

CREATE TABLE transactions (
  id                  uuid PRIMARY KEY,
  user_id             uuid NOT NULL REFERENCES users,
  type                text NOT NULL CHECK (type IN ('deposit', 'withdrawal', 'investment', 'payout')),
  amount              bigint NOT NULL CHECK (amount > 0),
  status              text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'COMPLETED', 'PROCESSING', 'EXPIRED')),
  description         text NOT NULL DEFAULT '',
  wallet_id           uuid REFERENCES wallets,
  destination_address text NOT NULL DEFAULT '',
  investment_id       uuid REFERENCES investments,
  reason              text NOT NULL DEFAULT '',
  decided_by          uuid REFERENCES users,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  CONSTRAINT transactions_deposit_has_wallet CHECK ((type = 'deposit') = (wallet_id IS NOT NULL)),
  CONSTRAINT transactions_of_an_investment CHECK ((type IN ('investment', 'payout')) = (investment_id IS NOT NULL))
);
CREATE INDEX transactions_by_user ON transactions (user_id, created_at DESC, id DESC);
CREATE INDEX transactions_by_age ON transactions (created_at DESC, id DESC);
CREATE INDEX transactions_pending ON transactions (created_at, id) WHERE status = 'PENDING';
-- An investment is opened once and pays once (threat 15).
CREATE UNIQUE INDEX transactions_once_per_investment ON transactions (investment_id, type) WHERE investment_id IS NOT NULL;

CREATE TRIGGER transactions_are_decided_once BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.status <> 'PENDING' OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id OR NEW.type <> OLD.type OR NEW.amount <> OLD.amount)
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_are_kept BEFORE DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_are_not_truncated BEFORE TRUNCATE ON transactions EXECUTE FUNCTION refuse_change();
