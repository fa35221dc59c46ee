-- Tells whose sessions have ended: what is open in their name is looked at again.
CREATE OR REPLACE FUNCTION tell_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT DISTINCT format('["%s","session"]', user_id) FROM changed));
  RETURN NULL;
END $$;
