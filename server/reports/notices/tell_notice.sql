-- Notifies an owner that their notices changed. The argument is the column that names the owner.
CREATE OR REPLACE FUNCTION tell_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY[format('["%s","notice"]', to_jsonb(NEW) ->> TG_ARGV[0])]);
  RETURN NULL;
END $$;
