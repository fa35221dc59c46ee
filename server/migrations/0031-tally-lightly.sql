-- As in migration 0027, for as little as it can be had: an operation that is posted alone pays for all of it.

CREATE OR REPLACE FUNCTION tally(changes tally_change[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  free   integer := 0;
  change tally_change;
  known  integer;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock(7031989, free) LOOP free := free + 1; END LOOP;
  FOREACH change IN ARRAY changes LOOP
    CONTINUE WHEN change.rows = 0 AND change.cents = 0 AND change.interest = 0;
    UPDATE tallies AS t SET rows = t.rows + change.rows, cents = t.cents + change.cents, interest = t.interest + change.interest
    WHERE t.noun = change.noun AND t.day = ANY (ARRAY[change.day, '-infinity']) AND t.kind = change.kind AND t.status = change.status AND t.slot = free;
    GET DIAGNOSTICS known = ROW_COUNT;
    -- The first of its kind today, or ever; nobody else writes to this slot.
    IF known < 1 + (change.day <> '-infinity')::integer THEN
      INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
      SELECT change.noun, d.day, change.kind, change.status, free, change.rows, change.cents, change.interest
      FROM (SELECT change.day UNION SELECT '-infinity') AS d (day)
      ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
END $$;

-- Nothing is written that has been decided already; only a change can decide.
CREATE OR REPLACE FUNCTION tally_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('transactions', utc_day(created_at), type, status, count(*), sum(amount), 0)::tally_change
    FROM come GROUP BY utc_day(created_at), type, status);
BEGIN
  IF EXISTS (SELECT FROM come WHERE status = 'APPROVED') THEN
    changes := changes || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, count(*), sum(amount), 0)::tally_change
      FROM come WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
  END IF;
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

-- What all investors together can spend follows from what each kind of transaction did to their balances, so it needs no tally of its own: as in
-- migration 0005 again.
CREATE OR REPLACE FUNCTION apply_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE VIEW recounted AS
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
  SELECT 'audit', utc_day(created_at), action, '', count(*), 0, 0 FROM audit_entries GROUP BY utc_day(created_at), action;
DELETE FROM tallies WHERE noun = 'balances';
