-- Tables of this district (server/ledger/README.md).

CREATE TABLE accounts (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id  uuid NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('available', 'held', 'invested', 'custody', 'reserve', 'committed',
            'claims', 'outgoing', 'loans', 'deployed', 'loss', 'sending')),
  balance   bigint,
  closed_at timestamptz,
  CONSTRAINT accounts_balance_not_negative CHECK (CASE kind WHEN 'custody' THEN balance <= 0 ELSE balance >= 0 END),
  CONSTRAINT accounts_closed_are_empty CHECK ((closed_at IS NULL) OR balance = 0),
  CONSTRAINT accounts_guarded CHECK ((balance IS NULL) = (kind IN ('claims', 'loans', 'loss'))),
  CONSTRAINT accounts_of_the_pool
    CHECK ((owner_id = '00000000-0000-0000-0000-000000000000'::uuid) = (kind IN ('custody', 'reserve',
    'committed', 'claims', 'outgoing', 'loans', 'deployed', 'loss', 'sending'))),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind)
) WITH (fillfactor=70);
COMMENT ON TABLE accounts IS
  'The accounts of the double-entry ledger: three of each investor, nine of the pool.';
COMMENT ON COLUMN accounts.owner_id IS 'An investor, or the nil UUID for the pool.';
COMMENT ON COLUMN accounts.balance IS
  'Cents, written only by the trigger movements_change_balances. Coins in custody are below zero, and '
  'never fewer than none. NULL where it is the sum of its transfers, so that no posting locks the row.';
COMMENT ON COLUMN accounts.closed_at IS
  'The moment when its owner closed the account (trigger users_close_accounts). NULL before.';
INSERT INTO accounts (owner_id, kind, balance)
SELECT '00000000-0000-0000-0000-000000000000', kind, balance
FROM (VALUES ('custody', 0), ('reserve', 0), ('committed', 0), ('claims', NULL), ('outgoing', 0), ('loans', NULL),
  ('deployed', 0), ('loss', NULL), ('sending', 0)) AS pool (kind, balance);

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
  CONSTRAINT movements_between_two_accounts CHECK (from_account_id <> to_account_id
    AND interest_from_account_id <> interest_to_account_id),
  CONSTRAINT movements_interest_is_whole CHECK (num_nulls(interest_from_account_id, interest_to_account_id,
    interest) IN (0, 3)),
  PRIMARY KEY (reference_id, name)
) PARTITION BY RANGE (reference_id);
COMMENT ON TABLE movements IS
  'Money moved between accounts, in one transfer or two. A transfer takes from one account what it '
  'gives to another, so the ledger sums to zero. Rows never change. Read them as transfers.';
COMMENT ON COLUMN movements.reference_id IS 'The transaction, investment or contribution that caused it.';
COMMENT ON COLUMN movements.name IS 'One of ledger/movements.ts.';
COMMENT ON COLUMN movements.from_account_id IS
  'No account has a foreign key (docs/decisions/023). Accounts are never deleted, and the ledger check '
  'finds transfers of others.';
COMMENT ON COLUMN movements.amount IS 'Cents.';
COMMENT ON COLUMN movements.interest IS 'Cents of the second transfer, if there is one.';
-- Divided by the month of their reference, an id that begins with its moment (docs/decisions/037).
-- The first month ends with this one, at the first id of the next month as first_id() returns it.
DO $$
DECLARE
  bound CONSTANT text := lpad(to_hex((extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') * 1000)::bigint), 12, '0') || repeat('0', 20);
BEGIN
  EXECUTE format('CREATE TABLE movements_begin PARTITION OF movements FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  EXECUTE format('CREATE TABLE movements_later PARTITION OF movements FOR VALUES FROM (%L) TO (MAXVALUE)', bound);
END $$;

CREATE TABLE archived_months (
  month       text PRIMARY KEY CHECK (month ~ '^\d{4}-\d\d$'),
  from_id     uuid UNIQUE NULLS NOT DISTINCT,
  until_id    uuid NOT NULL UNIQUE,
  movements   bigint NOT NULL CHECK (movements >= 0),
  sha256      text NOT NULL,
  balances    text NOT NULL,
  mac         text NOT NULL,
  archived_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE archived_months IS
  'Months whose movements were written to a file and dropped, oldest first and without a gap.';
COMMENT ON COLUMN archived_months.from_id IS 'The first id of the month. NULL is the beginning.';
COMMENT ON COLUMN archived_months.until_id IS 'The first id after the month.';
COMMENT ON COLUMN archived_months.movements IS 'Number of movements in the file.';
COMMENT ON COLUMN archived_months.sha256 IS 'Digest of the file.';
COMMENT ON COLUMN archived_months.balances IS
  'Digest of closing_balances after this month. Only that of the newest month is of today''s rows.';
COMMENT ON COLUMN archived_months.mac IS 'MAC of the row, by a key that the database never holds.';

CREATE TABLE closing_balances (
  account_id bigint PRIMARY KEY,
  amount     bigint NOT NULL
);
COMMENT ON TABLE closing_balances IS
  'The sum of all archived transfers by account, in cents. The newest archived month signs it.';

CREATE TABLE contributions (
  id             uuid PRIMARY KEY,
  amount         bigint NOT NULL CHECK (amount > 0),
  note           text NOT NULL CHECK (note <> ''),
  contributed_by text NOT NULL CHECK (contributed_by <> ''),
  created_at     timestamptz NOT NULL,
  source         text NOT NULL CHECK (source IN ('SEEN', 'TYPED', 'PLAY')),
  network_name   text,
  asset          text,
  units          numeric(78,0) CHECK (units > 0),
  decimals       integer,
  evidence       text CHECK (evidence <> ''),
  payment_id     uuid UNIQUE,
  CONSTRAINT contributions_are_coins
    CHECK (num_nonnulls(network_name, asset, units, decimals, evidence) = CASE source WHEN 'PLAY' THEN 0 ELSE 5 END),
  CONSTRAINT contributions_seen_have_a_payment CHECK ((payment_id IS NOT NULL) = (source = 'SEEN'))
);
CREATE UNIQUE INDEX contributions_typed_once ON contributions (network_name, lower(evidence)) WHERE source = 'TYPED';
COMMENT ON TABLE contributions IS
  'Capital of the operator that came into the reserve, each by a proposal of two super admins.';
COMMENT ON COLUMN contributions.amount IS 'Cents.';
COMMENT ON COLUMN contributions.source IS
  'SEEN by a node, TYPED by two people on a network that no node follows, or PLAY coins of a sandbox.';
COMMENT ON COLUMN contributions.units IS 'Coins in the smallest part of the asset.';
COMMENT ON COLUMN contributions.evidence IS 'The transaction that brought the coins.';
COMMENT ON COLUMN contributions.payment_id IS 'The payment to an own address, as a node showed it.';

CREATE TABLE idempotency_keys (
  actor_id     uuid NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  outcome      jsonb NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor_id, key)
) WITH (fillfactor=90);
COMMENT ON TABLE idempotency_keys IS
  'Outcomes of money calls, so that a repeat with the same key gets the same response.';
COMMENT ON COLUMN idempotency_keys.request_hash IS
  'Digest of the request. The same key with another request is refused.';
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at);

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

CREATE TABLE network_fees (
  id          uuid PRIMARY KEY,
  movement_id uuid NOT NULL UNIQUE,
  amount      bigint NOT NULL,
  status      text NOT NULL DEFAULT 'PAID' CHECK (status IN ('PAID', 'RETURNED')),
  created_at  timestamptz NOT NULL DEFAULT now(),
  returned_at timestamptz,
  CONSTRAINT network_fees_are_positive CHECK (amount > 0),
  CONSTRAINT network_fees_return_whole CHECK ((status = 'RETURNED') = (returned_at IS NOT NULL))
);
COMMENT ON TABLE network_fees IS 'Fees and gas in dollars, as the ledger counts them.';
COMMENT ON COLUMN network_fees.movement_id IS 'The coins that the network took.';
COMMENT ON COLUMN network_fees.amount IS 'Cents, rounded up.';
COMMENT ON COLUMN network_fees.status IS 'RETURNED once the chain took the spending back.';

CREATE TABLE claims (
  deposit_id uuid PRIMARY KEY,
  user_id    uuid NOT NULL,
  amount     bigint NOT NULL CHECK (amount > 0),
  open       bigint NOT NULL,
  payment_id uuid NOT NULL,
  basis      text NOT NULL CHECK (basis <> ''),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT claims_open_within CHECK (open >= 0 AND open <= amount)
);
COMMENT ON TABLE claims IS 'Debts of investors for credited deposits whose coins the chain took back.';
COMMENT ON COLUMN claims.amount IS 'Cents that the deposit had credited.';
COMMENT ON COLUMN claims.open IS 'Cents that are neither collected nor written off.';
COMMENT ON COLUMN claims.payment_id IS 'The payment that is gone.';
COMMENT ON COLUMN claims.basis IS 'In words, what the product saw.';
CREATE INDEX claims_open ON claims (user_id) WHERE open > 0;

CREATE TABLE write_offs (
  id         uuid PRIMARY KEY,
  claim_id   uuid NOT NULL REFERENCES claims(deposit_id),
  amount     bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE write_offs IS 'Claims that the reserve paid, each by a proposal of two people.';
COMMENT ON COLUMN write_offs.amount IS 'Cents.';
CREATE INDEX write_offs_by_claim ON write_offs (claim_id);
