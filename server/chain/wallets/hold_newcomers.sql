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
      FROM (SELECT address FROM wallets WHERE owner_id IS NULL AND proposal_id IS NULL LIMIT 3 * this.per_hour) AS available;
    END IF;
    EXIT WHEN free = 0;

    own := ARRAY(
      SELECT assigned_at FROM wallet_assignments
      WHERE source = this.source AND assigned_at > moment - interval '1 day' AND assigned_at <= moment ORDER BY assigned_at);
    -- An hour takes at most 3/4 of the stock. After half of it, a connection that got one today
    -- gets no more.
    most := least(this.per_hour, greatest(few, 3 * free));
    -- A key gives any number of addresses.
    IF EXISTS (SELECT FROM address_keys WHERE ended_at IS NULL AND (this.network IS NULL OR network_name = this.network)) THEN most := this.per_hour;
    ELSIF cardinality(own) > 0 THEN most := least(most, greatest(few, least(this.per_hour / 2, free))); END IF;

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
