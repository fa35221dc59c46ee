-- Refuses to any writer a decision or a mark by another account of the owner. A CHECK refuses the
-- owner's own. The product's marks name no person, so a role given meanwhile holds back no books.
CREATE OR REPLACE FUNCTION require_another() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  others uuid[] := array_remove(accounts_of(NEW.user_id), NEW.user_id);
BEGIN
  IF NEW.decided_by IS DISTINCT FROM OLD.decided_by AND NEW.decided_by = ANY (others)
    OR NEW.sent_by IS DISTINCT FROM OLD.sent_by AND NEW.sent_by = ANY (others)
    OR NEW.completed_by IS DISTINCT FROM OLD.completed_by AND NEW.completed_by = ANY (others) THEN
    RAISE EXCEPTION 'transaction % is decided about by another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
