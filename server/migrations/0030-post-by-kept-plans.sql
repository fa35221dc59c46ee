-- For an operation alone, PostgreSQL finds each time anew that a plan made for just this call would be a little cheaper than the one it keeps, and spends
-- more on making it than on the work. With every table read by its indexes there is nothing to choose.
ALTER FUNCTION post_operations(json) SET plan_cache_mode TO force_generic_plan;

-- As before, but investments are completed by their ids, which no plan can turn into reading them all, and what only some groups do is left to those.
CREATE FUNCTION write_contributions(operations operation[], accepted boolean[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contributions (id, amount, note, contributed_by, created_at)
  SELECT (contribution).id, (contribution).amount, (contribution).note, (contribution).contributed_by, now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (contribution).id IS NOT NULL;

  INSERT INTO audit_entries (actor, action, subject_type, subject_id, source, after, reason)
  SELECT contributed_by, 'capital.contributed', 'contribution', id::text, 'operator', jsonb_build_object('amount', round(amount / 100.0, 2)), note
  FROM (SELECT (contribution).* FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (contribution).id IS NOT NULL) AS made;
END $$;

CREATE OR REPLACE FUNCTION write_operations(operations operation[], accepted boolean[])
 RETURNS void
 LANGUAGE plpgsql
AS $$
DECLARE
  decides boolean := EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL);
  completed uuid[] := ARRAY(SELECT completes FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND completes IS NOT NULL);
  contributes boolean := EXISTS (SELECT FROM unnest(operations) WHERE (contribution).id IS NOT NULL);
BEGIN
  IF contributes THEN PERFORM write_contributions(operations, accepted); END IF;

  INSERT INTO investments (id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at)
  SELECT (investment).id, owner_id, (investment).principal, (investment).rate_basis_points, (investment).interest,
    (investment).duration_days, 'ACTIVE', now() + make_interval(secs => (investment).duration_seconds), now(), now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (investment).id IS NOT NULL;

  IF completed <> '{}' THEN UPDATE investments SET status = 'COMPLETED', updated_at = now() WHERE id = ANY (completed); END IF;

  INSERT INTO transactions (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id,
    approvals_needed, created_at, updated_at)
  SELECT (transaction).id, o.owner_id, (transaction).type, (transaction).amount, (transaction).status, (transaction).description,
    (transaction).destination_address, coalesce((transaction).destination_network, ''), (transaction).investment_id, wallets.id, coalesce((transaction).approvals_needed, 1), now(), now()
  FROM unnest(operations) WITH ORDINALITY AS o LEFT JOIN wallets ON (transaction).takes_wallet AND wallets.owner_id = o.owner_id
  WHERE accepted[o.ordinality] AND (transaction).id IS NOT NULL;

  IF decides THEN PERFORM write_decisions(operations, accepted); END IF;

  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT o.movement, o.reference_id, source.id, target.id, leg.amount
  FROM unnest(operations) WITH ORDINALITY AS o
  CROSS JOIN LATERAL unnest(o.legs) WITH ORDINALITY AS leg
  JOIN accounts AS source ON source.owner_id = account_owner(o.owner_id, leg.from_kind) AND source.kind = leg.from_kind
  JOIN accounts AS target ON target.owner_id = account_owner(o.owner_id, leg.to_kind) AND target.kind = leg.to_kind
  WHERE accepted[o.ordinality]
  ORDER BY o.ordinality, leg.ordinality;
END $$;
