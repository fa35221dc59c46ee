CREATE OR REPLACE FUNCTION tell_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT format('["%s","transaction","%s","%s","%s",%s]', user_id, id, type, status, amount) FROM changed));
  RETURN NULL;
END $$;
