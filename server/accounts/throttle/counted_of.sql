-- The keys that count an attempt: a pair of IP and user that signed in within 90 days, or all.
CREATE OR REPLACE FUNCTION counted_of(pair bytea, username bytea, ip bytea, wider bytea)
  RETURNS bytea[] LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days')
    THEN ARRAY[pair] ELSE array_remove(ARRAY[pair, username, ip, wider], NULL) END
$$;
-- One lock order prevents deadlocks.
CREATE OR REPLACE FUNCTION lock_sign_in(keys bytea[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(:lock(signIns), n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(keys) AS k WHERE k IS NOT NULL ORDER BY n) AS numbers;
END $$;
