-- Notes changed payments and spendings in each state, as a spending that waits holds its payments.
-- A session plans it by few rows: nested loops would then take the square of ten thousand.
CREATE OR REPLACE FUNCTION note_changed_facts() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT DISTINCT c.network_name, c.transaction_id FROM changed AS c JOIN before AS b USING (id)
  WHERE to_jsonb(c) - '{changed_at,confirmed_at,deposit_id,settled_as}'::text[]
      IS DISTINCT FROM to_jsonb(b) - '{changed_at,confirmed_at,deposit_id,settled_as}'::text[];
  RETURN NULL;
END $$;
