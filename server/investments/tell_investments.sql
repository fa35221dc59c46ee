CREATE OR REPLACE FUNCTION tell_investments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT format('["%s","investment","%s","investment","%s",%s]', user_id, id, status, principal) FROM changed));
  RETURN NULL;
END $$;
