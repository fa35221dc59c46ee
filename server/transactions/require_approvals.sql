-- Holds whoever writes to the database: no large withdrawal is approved without enough approvals of
-- others than its owner.
CREATE OR REPLACE FUNCTION require_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM approvals WHERE transaction_id = NEW.id AND approved_by <> NEW.user_id) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'transaction % needs % approvals', NEW.id, NEW.approvals_needed USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
