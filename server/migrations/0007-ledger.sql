CREATE TABLE accounts (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id uuid NOT NULL,
  kind     text NOT NULL CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed')),
  balance  bigint CONSTRAINT accounts_balance_not_negative CHECK (balance >= 0),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind),
  CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed'))),
  CONSTRAINT accounts_guarded CHECK ((balance IS NULL) = (kind IN ('custody', 'operator')))
) WITH (fillfactor = 70);
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, four of the pool.';
COMMENT ON COLUMN accounts.owner_id IS 'An investor, or the nil UUID for the pool.';
COMMENT ON COLUMN accounts.balance IS
  'Cents, written only by the trigger transfers_change_balances. NULL if it may go below zero. '
  'Such a balance is read from the transfers, so no posting locks the row.';

INSERT INTO accounts (owner_id, kind, balance)
SELECT '00000000-0000-0000-0000-000000000000', kind, balance
FROM (VALUES ('custody', NULL), ('operator', NULL), ('reserve', 0), ('committed', 0))
  AS pool (kind, balance);

CREATE TABLE transfers (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  movement        text NOT NULL,
  reference_id    uuid NOT NULL,
  from_account_id bigint NOT NULL,
  to_account_id   bigint NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT transfers_between_two_accounts CHECK (from_account_id <> to_account_id)
);
COMMENT ON TABLE transfers IS
  'Money moved from one account to another, so the ledger sums to zero. Rows never change.';
COMMENT ON COLUMN transfers.movement IS 'The movement that it belongs to (ledger/movements.ts).';
COMMENT ON COLUMN transfers.reference_id IS
  'The transaction, investment or contribution that caused it.';
COMMENT ON COLUMN transfers.from_account_id IS
  'Has no foreign key, nor has to_account_id. Their checks would take a third of a posting. '
  'Accounts are never deleted, and the ledger check finds transfers of others.';
COMMENT ON COLUMN transfers.amount IS 'Cents.';

CREATE INDEX transfers_by_reference ON transfers (reference_id);

CREATE TABLE contributions (
  id             uuid PRIMARY KEY,
  amount         bigint NOT NULL CHECK (amount > 0),
  note           text NOT NULL CHECK (note <> ''),
  contributed_by text NOT NULL CHECK (contributed_by <> ''),
  created_at     timestamptz NOT NULL
);
COMMENT ON TABLE contributions IS 'Capital that the operator put into the reserve.';
COMMENT ON COLUMN contributions.amount IS 'Cents.';
COMMENT ON COLUMN contributions.contributed_by IS 'The operator''s name for themselves.';

CREATE TABLE ledger_checks (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  checked_at timestamptz NOT NULL DEFAULT now(),
  accounts   integer NOT NULL,
  transfers  bigint NOT NULL,
  finding    text
);
COMMENT ON TABLE ledger_checks IS 'Hourly recomputations of the ledger, from all nodes.';
COMMENT ON COLUMN ledger_checks.accounts IS 'Number of recomputed accounts.';
COMMENT ON COLUMN ledger_checks.transfers IS 'Number of transfers read.';
COMMENT ON COLUMN ledger_checks.finding IS 'The first fault. NULL when there is none.';
