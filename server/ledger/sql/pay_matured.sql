-- Pays due investments, oldest first, one per given payout id, by the legs of investment_matured.
-- Skips rows that another node pays. Locks accounts last, so that requests wait least.
CREATE OR REPLACE FUNCTION pay_matured(payouts uuid[], legs json,
  OUT matured integer, OUT paid bigint)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids        uuid[];
  owners     uuid[];
  principals bigint[];
  interests  bigint[];
  posted     integer;
BEGIN
  SELECT array_agg(id), array_agg(user_id), array_agg(principal), array_agg(interest), count(*), coalesce(sum(principal + interest), 0)
  INTO ids, owners, principals, interests, matured, paid FROM (
    SELECT id, user_id, principal, interest FROM investments WHERE status = 'ACTIVE' AND matures_at <= now()
    ORDER BY matures_at, id LIMIT cardinality(payouts) FOR NO KEY UPDATE SKIP LOCKED
  ) AS due;
  IF matured = 0 THEN RETURN; END IF;

  UPDATE investments SET status = 'COMPLETED', updated_at = now() WHERE id = ANY (ids);

  INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
  SELECT payouts[at], owner, 'payout', principal + interest, 'COMPLETED', id, now(), now()
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at);

  PERFORM FROM (
    SELECT DISTINCT account_owner(owner, kind) AS owner_id, kind
    FROM unnest(owners) AS owner CROSS JOIN (
      SELECT "from" FROM json_to_recordset(legs) AS leg ("from" text) UNION SELECT "to" FROM json_to_recordset(legs) AS leg ("to" text)
    ) AS side (kind)
  ) AS named JOIN accounts AS a USING (owner_id, kind) ORDER BY a.id FOR NO KEY UPDATE OF a;

  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT 'investment_matured', due.id, source.id, target.id, amount
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at)
  CROSS JOIN ROWS FROM (json_to_recordset(legs) AS ("from" text, "to" text, moves text)) WITH ORDINALITY AS leg (from_kind, to_kind, moves, number)
  CROSS JOIN LATERAL (SELECT CASE moves WHEN 'principal' THEN principal WHEN 'interest' THEN interest END) AS moved (amount)
  JOIN accounts AS source ON source.kind = from_kind AND source.owner_id = account_owner(due.owner, from_kind)
  JOIN accounts AS target ON target.kind = to_kind AND target.owner_id = account_owner(due.owner, to_kind)
  WHERE amount IS DISTINCT FROM 0
  ORDER BY due.at, leg.number;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted <> (
    SELECT count(*) FROM unnest(principals, interests) AS due (principal, interest), json_to_recordset(legs) AS leg (moves text)
    WHERE CASE moves WHEN 'principal' THEN principal WHEN 'interest' THEN interest END IS DISTINCT FROM 0
  ) THEN
    RAISE EXCEPTION 'an investment has an owner without accounts' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payouts_have_accounts';
  END IF;
END $$;

-- The owner of an account of this kind: the user, or the pool.
CREATE OR REPLACE FUNCTION account_owner(owner_id uuid, kind text)
  RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN kind IN ('available', 'held', 'invested') THEN owner_id ELSE '00000000-0000-0000-0000-000000000000' END
$$;
