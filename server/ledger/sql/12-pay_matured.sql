-- Pays what is due, oldest first, one payout for each id given: investment_matured of movements.ts.
-- Passes over rows that another node pays; locks accounts last, so that requests wait least.
CREATE OR REPLACE FUNCTION pay_matured(payouts uuid[],
  OUT matured integer, OUT paid bigint)
  LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  ids        uuid[];
  owners     uuid[];
  principals bigint[];
  interests  bigint[];
  legs       integer;
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
    SELECT DISTINCT owner_id, kind FROM unnest(owners) AS owner_id, unnest(ARRAY['invested', 'available']) AS kind
    UNION ALL SELECT '00000000-0000-0000-0000-000000000000', 'committed'
  ) AS named JOIN accounts AS a USING (owner_id, kind) ORDER BY a.id FOR NO KEY UPDATE OF a;

  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT 'investment_matured', due.id, leg.from_id, available.id, leg.amount
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at)
  JOIN accounts AS available ON available.owner_id = due.owner AND available.kind = 'available'
  JOIN accounts AS invested ON invested.owner_id = due.owner AND invested.kind = 'invested'
  CROSS JOIN (SELECT id FROM accounts WHERE owner_id = '00000000-0000-0000-0000-000000000000' AND kind = 'committed') AS committed
  CROSS JOIN LATERAL (VALUES (1, invested.id, due.principal), (2, committed.id, due.interest)) AS leg (number, from_id, amount)
  WHERE leg.amount > 0
  ORDER BY due.at, leg.number;
  GET DIAGNOSTICS legs = ROW_COUNT;
  IF legs <> matured + (SELECT count(*) FROM unnest(interests) AS interest WHERE interest > 0) THEN
    RAISE EXCEPTION 'an investment has an owner without accounts' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payouts_have_accounts';
  END IF;
END $$;
