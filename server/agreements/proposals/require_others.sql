-- Refuses to any writer that an account of the investor asks for, or approves, what is done with
-- their money. The argument names the column of who acts.
CREATE OR REPLACE FUNCTION require_others() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_same_person(NEW.user_id, (to_jsonb(NEW) ->> TG_ARGV[0])::uuid) THEN
    RAISE EXCEPTION 'proposal % takes another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
