-- A new block adds a confirmation to every payment that waits for some.
CREATE OR REPLACE FUNCTION tell_new_block() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_payments(ARRAY(
    SELECT DISTINCT address FROM payments
    WHERE network_name = NEW.network_name AND state = 'SEEN' AND height IS NOT NULL));
  RETURN NULL;
END $$;
