-- Notifies of started and ended sessions. Open streams of the user are checked, and lists follow.
CREATE OR REPLACE FUNCTION tell_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT DISTINCT format('["%s","session"]', user_id) FROM changed));
  RETURN NULL;
END $$;
