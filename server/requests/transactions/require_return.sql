-- Refuses to any writer to give a withdrawal back without a proposal of two people, of whom neither
-- is its owner.
CREATE OR REPLACE FUNCTION require_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals WHERE id = NEW.return_id AND kind = 'RETURN_WITHDRAWAL' AND subject = NEW.id::text
      AND status = 'DONE' AND NOT alone AND NEW.user_id NOT IN (asked_by, decided_by)) THEN
    RAISE EXCEPTION 'withdrawal % is given back by two people', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
