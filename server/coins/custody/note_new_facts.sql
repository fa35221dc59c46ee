-- Notes transactions of new payments and spendings.
CREATE OR REPLACE FUNCTION note_new_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT DISTINCT network_name, transaction_id FROM changed;
  RETURN NULL;
END $$;
