-- Notifies that rows of this noun changed, without naming them.
CREATE OR REPLACE FUNCTION tell_noun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN PERFORM tell_changes(ARRAY[format('[null,"%s"]', TG_ARGV[0])]); END IF;
  RETURN NULL;
END $$;
