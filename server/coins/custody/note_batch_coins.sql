-- Notes the spendings of a batch, each of which explains its coins beside the others, and those
-- that paid the payout before or after.
CREATE OR REPLACE FUNCTION note_batch_coins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT network_name, transaction_id FROM spendings
  WHERE state = 'CONFIRMED' AND (batch_id IN (NEW.batch_id, OLD.batch_id)
    OR transaction_id IN (to_jsonb(NEW) ->> 'transaction_id', to_jsonb(OLD) ->> 'transaction_id'));
  RETURN NULL;
END $$;
