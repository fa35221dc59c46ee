-- An opened or completed investment is told as both.
CREATE OR REPLACE FUNCTION tell_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(
    SELECT format('["%s","transaction","%s","%s","%s",%s]', user_id, id, type, status, amount) FROM changed
    UNION ALL
    SELECT format('["%s","investment","%s","investment","%s",%s]', user_id, id, investment_status, amount) FROM changed WHERE type = 'investment'));
  RETURN NULL;
END $$;
