-- Refuses rows of a closed account. Waits for one that is being closed, which changes its name.
CREATE OR REPLACE FUNCTION require_open_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.user_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND AND EXISTS (SELECT FROM users WHERE id = NEW.user_id) THEN
    RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'accounts_are_open';
  END IF;
  RETURN NEW;
END $$;

-- Lets rows go with their closed account, and refuses any other change.
CREATE OR REPLACE FUNCTION refuse_change_unless_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = OLD.user_id AND closed_at IS NOT NULL) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
