-- Notes transactions of which a payment or a spending has changed. A spending that waits makes its
-- confirmed payments wait, so each state counts. A session plans it once, by the few rows of its
-- first call. As nested loops that plan takes the square of ten thousand payments.
CREATE OR REPLACE FUNCTION note_changed_facts() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT DISTINCT c.network_name, c.transaction_id FROM changed AS c JOIN before AS b USING (id)
  WHERE to_jsonb(c) - '{changed_at,confirmed_at,deposit_id,settled_as}'::text[]
      IS DISTINCT FROM to_jsonb(b) - '{changed_at,confirmed_at,deposit_id,settled_as}'::text[];
  RETURN NULL;
END $$;
