-- Movements are divided by month of their reference, an id that begins with its moment
-- (docs/decisions/037). The table as it stands becomes the first partition, and is not rewritten.
ALTER TABLE movements RENAME TO movements_begin;
ALTER INDEX movements_pkey RENAME TO movements_begin_pkey;
DROP TRIGGER IF EXISTS movements_change_balances ON movements_begin;
DROP TRIGGER IF EXISTS movements_are_final ON movements_begin;
DROP TRIGGER IF EXISTS movements_are_not_truncated ON movements_begin;

CREATE TABLE movements (LIKE movements_begin INCLUDING ALL) PARTITION BY RANGE (reference_id);
COMMENT ON TABLE movements IS
  'Money moved between accounts, in one transfer or two. A transfer takes from one account what '
  'it gives to another, so the ledger sums to zero. Rows never change. Read them as transfers.';

DO $$
DECLARE
  -- The first id of the next month, as first_id() returns it.
  bound CONSTANT text := lpad(to_hex((extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') * 1000)::bigint), 12, '0') || repeat('0', 20);
BEGIN
  EXECUTE format('CREATE TABLE movements_later PARTITION OF movements FOR VALUES FROM (%L) TO (MAXVALUE)', bound);
  -- Ids of another kind than the product's, if there are any.
  EXECUTE format('WITH moved AS (DELETE FROM movements_begin WHERE reference_id >= %L RETURNING *) INSERT INTO movements_later SELECT * FROM moved', bound);
  EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_begin FOR VALUES FROM (MINVALUE) TO (%L)', bound);
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
COMMENT ON COLUMN archived_months.mac IS
  'MAC of the row, by a key that the database never holds.';

CREATE TABLE closing_balances (
  account_id bigint PRIMARY KEY,
  amount     bigint NOT NULL
);
COMMENT ON TABLE closing_balances IS
  'The sum of all archived transfers by account, in cents. The newest archived month signs it.';
