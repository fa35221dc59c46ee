-- Notifies of ended sessions, so that their open streams are checked.
CREATE OR REPLACE FUNCTION tell_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT DISTINCT format('["%s","session"]', user_id) FROM changed));
  RETURN NULL;
END $$;
