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
  'Cents, written only by the trigger movements_change_balances. NULL if it may go below zero. '
  'Such a balance is the sum of its transfers, so no posting locks the row.';

INSERT INTO accounts (owner_id, kind, balance)
SELECT '00000000-0000-0000-0000-000000000000', kind, balance
FROM (VALUES ('custody', NULL), ('operator', NULL), ('reserve', 0), ('committed', 0))
  AS pool (kind, balance);

CREATE TABLE movements (
  reference_id             uuid NOT NULL,
  name                     text NOT NULL,
  from_account_id          bigint NOT NULL,
  to_account_id            bigint NOT NULL,
  amount                   bigint NOT NULL CHECK (amount > 0),
  interest_from_account_id bigint,
  interest_to_account_id   bigint,
  interest                 bigint CHECK (interest > 0),
  created_at               timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (reference_id, name),
  CONSTRAINT movements_between_two_accounts
    CHECK (from_account_id <> to_account_id AND interest_from_account_id <> interest_to_account_id),
  CONSTRAINT movements_interest_is_whole CHECK
    (num_nulls(interest_from_account_id, interest_to_account_id, interest) IN (0, 3))
);
COMMENT ON TABLE movements IS
  'Money moved between accounts, in one transfer or two. A transfer takes from one account what '
  'it gives to another, so the ledger sums to zero. Rows never change. Read them as transfers.';
COMMENT ON COLUMN movements.reference_id IS
  'The transaction, investment or contribution that caused it.';
COMMENT ON COLUMN movements.name IS 'One of ledger/movements.ts.';
COMMENT ON COLUMN movements.from_account_id IS
  'No account has a foreign key (docs/decisions/023). Accounts are never deleted, and the ledger '
  'check finds transfers of others.';
COMMENT ON COLUMN movements.amount IS 'Cents.';
COMMENT ON COLUMN movements.interest IS 'Cents of the second transfer, if there is one.';

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
