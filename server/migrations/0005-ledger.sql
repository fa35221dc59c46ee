-- The double-entry ledger. A transfer takes a positive amount from one account to another, so the ledger sums to zero by
-- construction. A balance changes only because a transfer was inserted: the trigger below is the one hand that writes it.

CREATE TABLE accounts (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A user, or the nil UUID for the pool itself.
  owner_id uuid NOT NULL,
  kind     text NOT NULL CHECK (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed')),
  -- Cents. NULL where an account may go below zero: such a balance is read from the transfers, and no posting locks its row.
  balance  bigint CONSTRAINT accounts_balance_not_negative CHECK (balance >= 0),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind),
  CONSTRAINT accounts_of_the_pool
    CHECK ((owner_id = '00000000-0000-0000-0000-000000000000') = (kind IN ('custody', 'operator', 'reserve', 'committed'))),
  CONSTRAINT accounts_guarded CHECK ((balance IS NULL) = (kind IN ('custody', 'operator')))
) WITH (fillfactor = 70);

CREATE TABLE transfers (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Which movement of money this is a part of, and the transaction, investment or contribution that caused it.
  movement        text NOT NULL,
  reference_id    uuid NOT NULL,
  -- No foreign keys: write_operations finds the accounts by joining them, they are never deleted, and the check per row would
  -- cost a third of a posting's time. The ledger check looks for transfers between accounts that do not exist.
  from_account_id bigint NOT NULL,
  to_account_id   bigint NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT transfers_between_two_accounts CHECK (from_account_id <> to_account_id)
);
CREATE INDEX transfers_by_reference ON transfers (reference_id);

CREATE FUNCTION apply_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET balance = balance + change.amount
  FROM (
    SELECT account_id, sum(amount)::bigint AS amount
    FROM (SELECT to_account_id, amount FROM posted UNION ALL SELECT from_account_id, -amount FROM posted) AS side (account_id, amount)
    GROUP BY account_id
  ) AS change
  WHERE accounts.id = change.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER transfers_change_balances AFTER INSERT ON transfers REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION apply_transfers();
CREATE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE ON transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transfers_are_not_truncated BEFORE TRUNCATE ON transfers EXECUTE FUNCTION refuse_change();

-- Depth 0 is a statement from outside; apply_transfers runs at depth 1.
CREATE TRIGGER accounts_change_by_transfer BEFORE UPDATE ON accounts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 OR NEW.id <> OLD.id OR NEW.owner_id <> OLD.owner_id OR NEW.kind <> OLD.kind)
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_open_empty BEFORE INSERT ON accounts FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_are_kept BEFORE DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER accounts_are_not_truncated BEFORE TRUNCATE ON accounts EXECUTE FUNCTION refuse_change();

INSERT INTO accounts (owner_id, kind, balance)
SELECT '00000000-0000-0000-0000-000000000000', kind, balance
FROM (VALUES ('custody', NULL), ('operator', NULL), ('reserve', 0), ('committed', 0)) AS pool (kind, balance);
