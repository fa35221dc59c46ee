-- How many rows there are and what they come to, by day (UTC), kind and status: totals and figures are read from here, so that they cost the same
-- however many rows there are. A tally changes in the transaction that changes the rows, so whoever reads it in one statement reads what is true.

CREATE TABLE tallies (
  noun     text NOT NULL,
  -- '-infinity' holds all days together.
  day      date NOT NULL,
  kind     text NOT NULL,
  status   text NOT NULL,
  -- Transactions that write at the same moment write to different slots, so that none waits for another: a tally is the sum of its slots.
  slot     smallint NOT NULL,
  rows     bigint NOT NULL,
  cents    bigint NOT NULL,
  interest bigint NOT NULL,
  PRIMARY KEY (noun, day, kind, status, slot)
) WITH (fillfactor = 50);

CREATE TYPE tally_change AS (noun text, day date, kind text, status text, rows bigint, cents bigint, interest bigint);

CREATE FUNCTION utc_day(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (moment AT TIME ZONE 'UTC')::date
$$;

-- Takes the first slot that no other transaction is writing to: there are as many as there are writers at once.
CREATE FUNCTION tally(changes tally_change[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free integer := 0;
BEGIN
  IF cardinality(changes) = 0 THEN RETURN; END IF;
  WHILE NOT pg_try_advisory_xact_lock(7031989, free) LOOP free := free + 1; END LOOP;
  INSERT INTO tallies AS t (noun, day, kind, status, slot, rows, cents, interest)
  SELECT c.noun, d.day, c.kind, c.status, free, sum(c.rows), sum(c.cents), sum(c.interest)
  FROM unnest(changes) AS c CROSS JOIN LATERAL (SELECT c.day UNION SELECT '-infinity') AS d (day)
  GROUP BY c.noun, d.day, c.kind, c.status
  HAVING sum(c.rows) <> 0 OR sum(c.cents) <> 0 OR sum(c.interest) <> 0
  ON CONFLICT (noun, day, kind, status, slot)
  DO UPDATE SET rows = t.rows + excluded.rows, cents = t.cents + excluded.cents, interest = t.interest + excluded.interest;
END $$;

-- Rows that came and rows that went; an UPDATE does both.
CREATE FUNCTION tally_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] :=
    ARRAY(SELECT ('transactions', utc_day(created_at), type, status, count(*), sum(amount), 0)::tally_change
      FROM come GROUP BY utc_day(created_at), type, status)
    || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, count(*), sum(amount), 0)::tally_change
      FROM come WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('transactions', utc_day(created_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone GROUP BY utc_day(created_at), type, status)
      || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

CREATE FUNCTION tally_investments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] :=
    ARRAY(SELECT ('investments', utc_day(created_at), '', status, count(*), sum(principal), sum(interest))::tally_change
      FROM come GROUP BY utc_day(created_at), status)
    || ARRAY(SELECT ('maturities', utc_day(updated_at), '', status, count(*), sum(principal), sum(interest))::tally_change
      FROM come WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('investments', utc_day(created_at), '', status, -count(*), -sum(principal), -sum(interest))::tally_change
        FROM gone GROUP BY utc_day(created_at), status)
      || ARRAY(SELECT ('maturities', utc_day(updated_at), '', status, -count(*), -sum(principal), -sum(interest))::tally_change
        FROM gone WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

CREATE FUNCTION tally_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('users', utc_day(created_at), '', '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at));
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(SELECT ('users', utc_day(created_at), '', '', -count(*), 0, 0)::tally_change FROM gone GROUP BY utc_day(created_at));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

CREATE FUNCTION wallet_status(owner_id uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN owner_id IS NULL THEN 'available' ELSE 'assigned' END
$$;

CREATE FUNCTION tally_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := '{}';
BEGIN
  IF TG_OP <> 'DELETE' THEN
    changes := ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id), count(*), 0, 0)::tally_change
      FROM come GROUP BY utc_day(created_at), network_name, wallet_status(owner_id));
  END IF;
  IF TG_OP <> 'INSERT' THEN
    changes := changes || ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id), -count(*), 0, 0)::tally_change
      FROM gone GROUP BY utc_day(created_at), network_name, wallet_status(owner_id));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $$;

CREATE FUNCTION tally_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tally(ARRAY(SELECT ('audit', utc_day(created_at), action, '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at), action));
  RETURN NULL;
END $$;

-- As in migration 0005, and what all investors together can spend with it.
CREATE OR REPLACE FUNCTION apply_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  spendable bigint;
BEGIN
  WITH moved AS (
    UPDATE accounts SET balance = balance + change.amount
    FROM (
      SELECT account_id, sum(amount)::bigint AS amount
      FROM (SELECT to_account_id, amount FROM posted UNION ALL SELECT from_account_id, -amount FROM posted) AS side (account_id, amount)
      GROUP BY account_id
    ) AS change
    WHERE accounts.id = change.account_id AND accounts.balance IS NOT NULL
    RETURNING accounts.kind, change.amount
  )
  SELECT sum(amount) INTO spendable FROM moved WHERE kind = 'available';
  IF spendable <> 0 THEN PERFORM tally(ARRAY[('balances', '-infinity', 'available', '', 0, spendable, 0)::tally_change]); END IF;
  RETURN NULL;
END $$;

-- What the tallies must be, day by day, counted from the rows.
CREATE VIEW recounted AS
  SELECT 'transactions' AS noun, utc_day(created_at) AS day, type AS kind, status, count(*) AS rows, sum(amount) AS cents, 0::numeric AS interest
  FROM transactions GROUP BY utc_day(created_at), type, status
  UNION ALL
  SELECT 'decisions', utc_day(updated_at), type, status, count(*), sum(amount), 0
  FROM transactions WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status
  UNION ALL
  SELECT 'investments', utc_day(created_at), '', status, count(*), sum(principal), sum(interest) FROM investments GROUP BY utc_day(created_at), status
  UNION ALL
  SELECT 'maturities', utc_day(updated_at), '', status, count(*), sum(principal), sum(interest)
  FROM investments WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status
  UNION ALL
  SELECT 'users', utc_day(created_at), '', '', count(*), 0, 0 FROM users GROUP BY utc_day(created_at)
  UNION ALL
  SELECT 'wallets', utc_day(created_at), network_name, wallet_status(owner_id), count(*), 0, 0
  FROM wallets GROUP BY utc_day(created_at), network_name, wallet_status(owner_id)
  UNION ALL
  SELECT 'audit', utc_day(created_at), action, '', count(*), 0, 0 FROM audit_entries GROUP BY utc_day(created_at), action
  UNION ALL
  SELECT 'balances', '-infinity', kind, '', 0, sum(balance), 0 FROM accounts WHERE kind = 'available' GROUP BY kind;

-- Makes the tallies anew. Nothing is written meanwhile.
CREATE FUNCTION recount_tallies() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE transactions, investments, users, wallets, audit_entries, accounts, tallies IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM tallies;
  PERFORM tally(ARRAY(SELECT (noun, day, kind, status, rows, cents, interest)::tally_change FROM recounted));
END $$;
SELECT recount_tallies();

CREATE TRIGGER transactions_tally_new AFTER INSERT ON transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();
CREATE TRIGGER transactions_tally_decided AFTER UPDATE ON transactions REFERENCING NEW TABLE AS come OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();
CREATE TRIGGER investments_tally_new AFTER INSERT ON investments REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_investments();
CREATE TRIGGER investments_tally_completed AFTER UPDATE ON investments REFERENCING NEW TABLE AS come OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_investments();
CREATE TRIGGER users_tally_new AFTER INSERT ON users REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE TRIGGER users_tally_changed AFTER UPDATE ON users REFERENCING NEW TABLE AS come OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE TRIGGER wallets_tally_new AFTER INSERT ON wallets REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();
CREATE TRIGGER wallets_tally_changed AFTER UPDATE ON wallets REFERENCING NEW TABLE AS come OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();
CREATE TRIGGER wallets_tally_deleted AFTER DELETE ON wallets REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();
CREATE TRIGGER audit_entries_tally_new AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();
