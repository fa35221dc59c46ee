-- A new block adds a confirmation to every payout that waits for some.
CREATE OR REPLACE FUNCTION tell_spendings_deeper() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_spendings(ARRAY(
    SELECT transaction_id FROM spendings
    WHERE network_name = NEW.network_name AND state = 'SEEN' AND height IS NOT NULL));
  RETURN NULL;
END $$;
