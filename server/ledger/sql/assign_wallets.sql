-- By position of a deposit request: its investor's wallet, or the refusal. It is their wallet of
-- the wanted network, else the one used last. A new one is the oldest free, at the allowed pace.
CREATE OR REPLACE FUNCTION assign_wallets(owners uuid[], wanted text[], sources bytea[], per_ip integer[], per_hour integer[])
  RETURNS jsonb[] LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  needy   bigint[]; -- the first requests for a new wallet, by investor and network
  held    jsonb := '{}';
  this    record;
  answers jsonb[];
  changed uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(7031992, number)
  FROM (SELECT DISTINCT hashtext(owner::text) AS number FROM unnest(owners) AS owner ORDER BY 1) AS asking;
  -- A request for a network without free wallets does not count against the pace.
  needy := ARRAY(
    SELECT at FROM (
      SELECT min(at) AS at, network, count(network) OVER (PARTITION BY owner) AS named
      FROM numbered_requests(owners, wanted)
      WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = owner AND archived_at IS NULL AND (network IS NULL OR network_name = network))
        AND (network IS NULL OR EXISTS (SELECT FROM wallets WHERE owner_id IS NULL AND network_name = network))
        AND number <= 20
      GROUP BY owner, network
    ) AS asking
    -- A request for any network takes what the investor's other requests get.
    WHERE network IS NOT NULL OR named = 0 ORDER BY at);
  IF cardinality(needy) > 0 THEN
    PERFORM pg_advisory_xact_lock(7031990);
    held := hold_newcomers(owners, wanted, sources, per_ip, per_hour, needy);
    FOR this IN
      SELECT owners[at] AS investor, wanted[at] AS network FROM unnest(needy) AS at
      WHERE NOT held ? concat_ws(' ', owners[at], wanted[at]) ORDER BY wanted[at] IS NULL, at
    LOOP
      PERFORM take_wallet(this.investor, this.network);
    END LOOP;
  END IF;

  answers := ARRAY(
    SELECT CASE
      WHEN w.id IS NULL AND held ? concat_ws(' ', owner, network) THEN held -> concat_ws(' ', owner, network)
      WHEN number > 20 THEN '{"refused": "tooManyOpenDeposits"}'
      WHEN w.id IS NULL AND network IS NULL THEN '{"refused": "noWalletAvailable"}'
      WHEN w.id IS NULL THEN jsonb_build_object('refused', 'noWalletOnNetwork', 'network', network)
      ELSE jsonb_build_object('walletId', w.id, 'address', w.address, 'networkName', w.network_name)
    END
    FROM numbered_requests(owners, wanted)
    LEFT JOIN LATERAL (
      SELECT id, address, network_name FROM wallets WHERE owner_id = owner AND archived_at IS NULL AND (network IS NULL OR network_name = network)
      ORDER BY used_at DESC NULLS LAST, created_at, id LIMIT 1
    ) AS w ON true
    ORDER BY at);

  -- The wallet of the last request becomes the default. Most investors use the same one again.
  changed := ARRAY(
    SELECT used FROM (
      SELECT DISTINCT ON (owner) owner, (answer ->> 'walletId')::uuid AS used
      FROM unnest(owners, answers) WITH ORDINALITY AS a (owner, answer, at) WHERE answer ? 'walletId' ORDER BY owner, at DESC
    ) AS last
    WHERE used <> (SELECT id FROM wallets WHERE owner_id = owner AND archived_at IS NULL ORDER BY used_at DESC NULLS LAST, created_at, id LIMIT 1));
  IF cardinality(changed) > 0 THEN UPDATE wallets SET used_at = clock_timestamp() WHERE id = ANY (changed); END IF;
  RETURN answers;
END $$;

-- Numbers the deposit requests of each investor, after those that wait. At most 20 may wait.
CREATE OR REPLACE FUNCTION numbered_requests(owners uuid[], wanted text[])
  RETURNS TABLE (at bigint, owner uuid, network text, number bigint) LANGUAGE sql STABLE AS $$
  SELECT o.at, o.owner, o.network, open.deposits + row_number() OVER (PARTITION BY o.owner ORDER BY o.at)
  FROM unnest(owners, wanted) WITH ORDINALITY AS o (owner, network, at)
  CROSS JOIN LATERAL (
    SELECT count(*) AS deposits FROM transactions WHERE user_id = o.owner AND type = 'deposit' AND status = 'PENDING'
  ) AS open
$$;

-- Refuses investors who must wait for a wallet, by user id and network, and counts the others. Runs
-- in one process at a time, so that no request slips past the limits.
CREATE OR REPLACE FUNCTION hold_newcomers(owners uuid[], wanted text[], sources bytea[], per_ip integer[], per_hour integer[], needy bigint[])
  RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  few      CONSTANT integer := 3; -- per hour, always allowed
  held     jsonb := '{}';
  refused  jsonb;
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
    SELECT o.* FROM unnest(owners, wanted, sources, per_ip, per_hour) WITH ORDINALITY AS o (asker, network, source, per_ip, per_hour, at)
    WHERE o.at = ANY (needy) AND o.source IS NOT NULL ORDER BY o.at
  LOOP
    IF moment IS NULL THEN
      moment := clock_timestamp();
      recent := ARRAY(
        SELECT assigned_at FROM wallet_assignments
        WHERE assigned_at > moment - interval '1 hour' AND assigned_at <= moment ORDER BY assigned_at);
      -- More than the limit of an hour need not be counted. An address has at most three wallets.
      SELECT count(DISTINCT lower(address)) INTO free
      FROM (SELECT address FROM wallets WHERE owner_id IS NULL LIMIT 3 * this.per_hour) AS available;
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
    refused := CASE WHEN cardinality(own) >= this.per_ip
      THEN jsonb_build_object('refused', 'tooManyNewWallets', 'hours', ceil(seconds / 3600))
      ELSE jsonb_build_object('refused', 'walletsInDemand', 'minutes', ceil(seconds / 60)) END;
    -- The investor's requests for any network wait, too.
    held := held || jsonb_build_object(concat_ws(' ', this.asker, this.network), refused, this.asker, refused);
  END LOOP;
  RETURN held;
END $$;
