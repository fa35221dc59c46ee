-- Pays due investments, oldest first, one per given payout id, by the legs of investment_matured.
-- Skips rows that another node pays. Locks accounts last, so that requests wait least.
CREATE OR REPLACE FUNCTION pay_matured(payouts uuid[], legs json,
  OUT matured integer, OUT paid bigint)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  pool       CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  pools      CONSTANT text[] := ARRAY(SELECT kind FROM accounts WHERE owner_id = pool);
  ids        uuid[];
  owners     uuid[];
  principals bigint[];
  interests  bigint[];
  posted     integer;
BEGIN
  SELECT array_agg(id), array_agg(user_id), array_agg(amount - borne), array_agg(interest), count(*), coalesce(sum(amount - borne + interest), 0)
  INTO ids, owners, principals, interests, matured, paid FROM (
    SELECT id, user_id, amount, borne, interest FROM transactions WHERE investment_status = 'ACTIVE' AND matures_at <= now()
    ORDER BY matures_at, id LIMIT cardinality(payouts) FOR NO KEY UPDATE SKIP LOCKED
  ) AS due;
  IF matured = 0 THEN RETURN; END IF;

  UPDATE transactions SET investment_status = 'COMPLETED', updated_at = now() WHERE id = ANY (ids);

  INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
  SELECT payouts[at], owner, 'payout', principal + interest, 'COMPLETED', id, now(), now()
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at)
  WHERE principal + interest > 0;

  PERFORM FROM (
    SELECT DISTINCT CASE WHEN kind = ANY (pools) THEN pool ELSE owner END AS owner_id, kind
    FROM unnest(owners) AS owner CROSS JOIN (
      SELECT "from" FROM json_to_recordset(legs) AS leg ("from" text) UNION SELECT "to" FROM json_to_recordset(legs) AS leg ("to" text)
    ) AS side (kind)
  ) AS named JOIN accounts AS a USING (owner_id, kind) ORDER BY a.id FOR NO KEY UPDATE OF a;

  INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest)
  SELECT due.id, 'investment_matured', CASE WHEN principal > 0 THEN source.id ELSE interest_source.id END,
    CASE WHEN principal > 0 THEN target.id ELSE interest_target.id END, CASE WHEN principal > 0 THEN principal ELSE interest END,
    CASE WHEN least(principal, interest) > 0 THEN interest_source.id END, CASE WHEN least(principal, interest) > 0 THEN interest_target.id END,
    CASE WHEN least(principal, interest) > 0 THEN interest END
  FROM unnest(ids, owners, principals, interests) AS due (id, owner, principal, interest)
  CROSS JOIN (SELECT legs -> 0 ->> 'from', legs -> 0 ->> 'to', legs -> 1 ->> 'from', legs -> 1 ->> 'to') AS leg (from_kind, to_kind, interest_from_kind, interest_to_kind)
  JOIN accounts AS source ON source.kind = from_kind AND source.owner_id = CASE WHEN from_kind = ANY (pools) THEN pool ELSE owner END
  JOIN accounts AS target ON target.kind = to_kind AND target.owner_id = CASE WHEN to_kind = ANY (pools) THEN pool ELSE owner END
  JOIN accounts AS interest_source ON interest_source.kind = interest_from_kind AND interest_source.owner_id = CASE WHEN interest_from_kind = ANY (pools) THEN pool ELSE owner END
  JOIN accounts AS interest_target ON interest_target.kind = interest_to_kind AND interest_target.owner_id = CASE WHEN interest_to_kind = ANY (pools) THEN pool ELSE owner END
  WHERE principal + interest > 0;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted <> (SELECT count(*) FROM unnest(principals, interests) AS due (principal, interest) WHERE principal + interest > 0) THEN
    RAISE EXCEPTION 'an investment has an owner without accounts' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payouts_have_accounts';
  END IF;
END $$;
