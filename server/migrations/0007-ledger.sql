-- The double-entry ledger. A transfer takes a positive amount from one account to another, so the
-- ledger sums to zero by construction. A balance changes only because a transfer was inserted.

CREATE TABLE accounts (
  id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A user, or the nil UUID for the pool itself.
  owner_id uuid NOT NULL,
  kind     text NOT NULL CHECK
    (kind IN ('available', 'held', 'invested', 'custody', 'operator', 'reserve', 'committed')),
  -- Cents. NULL where an account may go below zero: such a balance is read from the transfers, and
  -- no posting locks its row.
  balance  bigint CONSTRAINT accounts_balance_not_negative CHECK (balance >= 0),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind),
  CONSTRAINT accounts_of_the_pool CHECK ((owner_id = '00000000-0000-0000-0000-000000000000')
    = (kind IN ('custody', 'operator', 'reserve', 'committed'))),
  CONSTRAINT accounts_guarded CHECK ((balance IS NULL) = (kind IN ('custody', 'operator')))
) WITH (fillfactor = 70);

INSERT INTO accounts (owner_id, kind, balance)
SELECT '00000000-0000-0000-0000-000000000000', kind, balance
FROM (VALUES ('custody', NULL), ('operator', NULL), ('reserve', 0), ('committed', 0))
  AS pool (kind, balance);

CREATE TABLE transfers (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The movement that this is a part of, and the transaction, investment or contribution behind it.
  movement        text NOT NULL,
  reference_id    uuid NOT NULL,
  -- No foreign keys: the accounts were just found, they are never deleted, and the check per row
  -- would cost a third of a posting's time. The ledger check looks for accounts that do not exist.
  from_account_id bigint NOT NULL,
  to_account_id   bigint NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT transfers_between_two_accounts CHECK (from_account_id <> to_account_id)
);
CREATE INDEX transfers_by_reference ON transfers (reference_id);

-- Capital that the operator put into the reserve, and who says so. Amounts in cents.
CREATE TABLE contributions (
  id             uuid PRIMARY KEY,
  amount         bigint NOT NULL CHECK (amount > 0),
  note           text NOT NULL CHECK (note <> ''),
  contributed_by text NOT NULL CHECK (contributed_by <> ''),
  created_at     timestamptz NOT NULL
);

-- What the hourly recomputation of the ledger found, on whichever node it ran. NULL as the finding:
-- it was whole.
CREATE TABLE ledger_checks (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  checked_at timestamptz NOT NULL DEFAULT now(),
  accounts   integer NOT NULL,
  transfers  bigint NOT NULL,
  finding    text
);
