-- By position of a deposit request: its investor's wallet, or the refusal. Gives the oldest free
-- wallet to an investor without one, at the allowed pace. Their available accounts are locked.
CREATE OR REPLACE FUNCTION assign_wallets(owners uuid[], sources bytea[], per_ip integer[], per_hour integer[])
  RETURNS jsonb[] LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  needy uuid[] := ARRAY(
    SELECT owner FROM unnest(owners) WITH ORDINALITY AS o (owner, at)
    WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = owner)
    GROUP BY owner ORDER BY min(at));
  held  jsonb := '{}';
BEGIN
  IF cardinality(needy) > 0 THEN
    held := hold_newcomers(owners, sources, per_ip, per_hour, needy);
    needy := ARRAY(SELECT asker FROM unnest(needy) WITH ORDINALITY AS n (asker, at) WHERE NOT held ? asker::text ORDER BY at);
    WITH free AS (
      SELECT id FROM wallets WHERE owner_id IS NULL ORDER BY created_at, id LIMIT cardinality(needy) FOR UPDATE SKIP LOCKED
    ), matched AS (
      SELECT id, needy[row_number() OVER ()] AS user_id FROM free
    )
    UPDATE wallets SET owner_id = matched.user_id, updated_at = now() FROM matched WHERE wallets.id = matched.id;
  END IF;

  RETURN ARRAY(
    SELECT CASE
      WHEN w.id IS NULL THEN coalesce(held -> owner::text, '{"refused": "noWalletAvailable"}')
      -- At most 20 deposits of an account wait, this group's included.
      WHEN open.deposits + row_number() OVER (PARTITION BY owner ORDER BY at) > 20 THEN '{"refused": "tooManyOpenDeposits"}'
      ELSE jsonb_build_object('walletId', w.id, 'address', w.address, 'networkName', w.network_name)
    END
    FROM unnest(owners) WITH ORDINALITY AS o (owner, at)
    LEFT JOIN wallets AS w ON w.owner_id = owner
    CROSS JOIN LATERAL (
      SELECT count(*) AS deposits FROM transactions WHERE user_id = owner AND type = 'deposit' AND status = 'PENDING'
    ) AS open
    ORDER BY at);
END $$;

-- Refuses investors who must wait for a wallet, by user id, and counts the others. Runs in one
-- process at a time, so that no request slips past the limits.
CREATE OR REPLACE FUNCTION hold_newcomers(owners uuid[], sources bytea[], per_ip integer[], per_hour integer[], needy uuid[])
  RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  few      CONSTANT integer := 3; -- per hour, always allowed
  held     jsonb := '{}';
  moment   timestamptz;
  recent   timestamptz[]; -- assignments of the last hour
  own      timestamptz[]; -- assignments of the last day over one connection
  free     integer;
  most     integer;
  again_at timestamptz;
  seconds  numeric;
  this     record;
BEGIN
  FOR this IN
    SELECT n.asker, o.source, o.per_ip, o.per_hour
    FROM unnest(needy) WITH ORDINALITY AS n (asker, at)
    CROSS JOIN LATERAL (
      SELECT * FROM unnest(owners, sources, per_ip, per_hour) WITH ORDINALITY AS o (owner, source, per_ip, per_hour, at)
      WHERE o.owner = n.asker ORDER BY o.at LIMIT 1
    ) AS o
    WHERE o.source IS NOT NULL ORDER BY n.at
  LOOP
    IF moment IS NULL THEN
      PERFORM pg_advisory_xact_lock(7031990);
      moment := clock_timestamp();
      recent := ARRAY(
        SELECT assigned_at FROM wallet_assignments
        WHERE assigned_at > moment - interval '1 hour' AND assigned_at <= moment ORDER BY assigned_at);
      -- More than the limit of an hour need not be counted.
      SELECT count(*) INTO free FROM (SELECT FROM wallets WHERE owner_id IS NULL LIMIT this.per_hour) AS available;
    END IF;
    EXIT WHEN free = 0;

    own := ARRAY(
      SELECT assigned_at FROM wallet_assignments
      WHERE source = this.source AND assigned_at > moment - interval '1 day' AND assigned_at <= moment ORDER BY assigned_at);
    -- An hour takes at most 3/4 of the stock. After half of it, a connection that got one today
    -- gets no more.
    most := least(this.per_hour, greatest(few, 3 * free));
    IF cardinality(own) > 0 THEN most := least(most, greatest(few, least(this.per_hour / 2, free))); END IF;

    IF cardinality(own) >= this.per_ip THEN
      again_at := own[cardinality(own) - this.per_ip + 1] + interval '1 day';
    ELSIF cardinality(recent) >= most THEN
      again_at := recent[cardinality(recent) - most + 1] + interval '1 hour';
    ELSE
      INSERT INTO wallet_assignments (source, assigned_at) VALUES (this.source, moment);
      recent := recent || moment;
      free := free - 1;
      CONTINUE;
    END IF;
    seconds := ceil(extract(epoch FROM again_at - moment));
    held := held || jsonb_build_object(this.asker, CASE WHEN cardinality(own) >= this.per_ip
      THEN jsonb_build_object('refused', 'tooManyNewWallets', 'hours', ceil(seconds / 3600))
      ELSE jsonb_build_object('refused', 'walletsInDemand', 'minutes', ceil(seconds / 60)) END);
  END LOOP;
  RETURN held;
END $$;
