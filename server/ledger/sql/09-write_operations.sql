-- Writes the accepted operations, table by table. Completes investments by id, so that no plan
-- reads them all.
CREATE OR REPLACE FUNCTION write_operations(operations operation[], accepted boolean[])
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  decides boolean := EXISTS (SELECT FROM unnest(operations) WHERE (decision).transaction_id IS NOT NULL);
  completed uuid[] := ARRAY(SELECT completes FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND completes IS NOT NULL);
  contributes boolean := EXISTS (SELECT FROM unnest(operations) WHERE (contribution).id IS NOT NULL);
  invests boolean := EXISTS (SELECT FROM unnest(operations) WHERE (investment).id IS NOT NULL);
BEGIN
  IF contributes THEN PERFORM write_contributions(operations, accepted); END IF;

  IF invests THEN
    INSERT INTO investments (id, user_id, principal, rate_basis_points, interest, duration_days, status, matures_at, created_at, updated_at)
    SELECT (investment).id, owner_id, (investment).principal, (investment).rate_basis_points, (investment).interest,
      (investment).duration_days, 'ACTIVE', now() + make_interval(secs => (investment).duration_seconds), now(), now()
    FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (investment).id IS NOT NULL;
  END IF;

  IF completed <> '{}' THEN UPDATE investments SET status = 'COMPLETED', updated_at = now() WHERE id = ANY (completed); END IF;

  INSERT INTO transactions (id, user_id, type, amount, status, description, destination_address, destination_network, investment_id, wallet_id,
    created_at, updated_at)
  SELECT (transaction).id, o.owner_id, (transaction).type, (transaction).amount, (transaction).status, (transaction).description,
    (transaction).destination_address, coalesce((transaction).destination_network, ''), (transaction).investment_id,
    CASE WHEN (transaction).takes_wallet THEN (SELECT id FROM wallets WHERE wallets.owner_id = o.owner_id) END,
    now(), now()
  FROM unnest(operations) WITH ORDINALITY AS o
  WHERE accepted[o.ordinality] AND (transaction).id IS NOT NULL;

  IF decides THEN PERFORM write_decisions(operations, accepted); END IF;
  IF decides OR contributes THEN PERFORM record_operations(operations, accepted); END IF;
END $$;

-- Writes capital that the operator put in.
CREATE OR REPLACE FUNCTION write_contributions(operations operation[], accepted boolean[])
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contributions (id, amount, note, contributed_by, created_at)
  SELECT (contribution).id, (contribution).amount, (contribution).note, (contribution).contributed_by, now()
  FROM unnest(operations) WITH ORDINALITY WHERE accepted[ordinality] AND (contribution).id IS NOT NULL;
END $$;
