-- Makes partitions of movements up to three months ahead, and returns their number. Waits at most a
-- second for readers, since postings queue behind it. The owner's rights, as roles may not create.
CREATE OR REPLACE FUNCTION make_months() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  wanted CONSTANT date := date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months';
  month  date := month_of((SELECT begins FROM movement_months WHERE ends IS NULL));
  name   text;
  made   integer := 0;
BEGIN
  IF month > wanted OR NOT pg_try_advisory_xact_lock(:lock(months)) THEN RETURN 0; END IF;
  -- Another node may have made them since.
  month := month_of((SELECT begins FROM movement_months WHERE ends IS NULL));
  IF month > wanted THEN RETURN 0; END IF;
  -- A detached table has no triggers, so its rows can be moved.
  ALTER TABLE movements DETACH PARTITION movements_later;
  -- At most two years at once, for the case of a clock that jumped.
  WHILE month <= wanted AND made < 24 LOOP
    name := 'movements_' || to_char(month, 'YYYY_MM');
    EXECUTE format('CREATE TABLE %I PARTITION OF movements FOR VALUES FROM (%L) TO (%L)',
      name, first_id(month), first_id((month + interval '1 month')::date));
    month := month + interval '1 month';
    EXECUTE format('WITH moved AS (DELETE FROM movements_later WHERE reference_id < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      first_id(month), name);
    made := made + 1;
  END LOOP;
  EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_later FOR VALUES FROM (%L) TO (MAXVALUE)', first_id(month));
  RETURN made;
END $$;

-- The least id of a month. An id begins with its milliseconds since 1970 (db/ids.ts).
CREATE OR REPLACE FUNCTION first_id(month date)
  RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

CREATE OR REPLACE FUNCTION month_of(id uuid)
  RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_trunc('month', timestamp 'epoch' + ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint * interval '1 millisecond')::date
$$;
