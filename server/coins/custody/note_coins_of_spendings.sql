-- Notes confirmed spendings whose coins were written or deleted.
CREATE OR REPLACE FUNCTION note_coins_of_spendings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT network_name, transaction_id FROM spendings
  WHERE id IN (SELECT spending_id FROM changed) AND state = 'CONFIRMED';
  RETURN NULL;
END $$;
