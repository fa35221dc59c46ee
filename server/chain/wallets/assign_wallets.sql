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
  PERFORM pg_advisory_xact_lock(:lock(deposits), number)
  FROM (SELECT DISTINCT hashtext(owner::text) AS number FROM unnest(owners) AS owner ORDER BY 1) AS asking;
  -- A request for a network without free wallets does not count against the pace.
  needy := ARRAY(
    SELECT at FROM (
      SELECT min(at) AS at, network, count(network) OVER (PARTITION BY owner) AS named
      FROM numbered_requests(owners, wanted)
      WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = owner AND archived_at IS NULL AND (network IS NULL OR network_name = network))
        AND (network IS NULL OR EXISTS (SELECT FROM wallets WHERE owner_id IS NULL AND proposal_id IS NULL AND network_name = network))
        AND number <= 20
      GROUP BY owner, network
    ) AS asking
    -- A request for any network takes what the investor's other requests get.
    WHERE network IS NOT NULL OR named = 0 ORDER BY at);
  IF cardinality(needy) > 0 THEN
    PERFORM pg_advisory_xact_lock(:lock(owners));
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
    SELECT count(*) AS deposits FROM transactions WHERE user_id = o.owner AND type = 'deposit' AND status = 'PENDING' AND NOT unannounced
  ) AS open
$$;
