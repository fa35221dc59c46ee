-- Users stay and keep their ids, so that a checked owner exists for good.
CREATE OR REPLACE TRIGGER users_are_kept BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER users_keep_their_ids BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.id <> OLD.id)
  EXECUTE FUNCTION refuse_change();
-- A closed account stays closed, and gets no personal data.
CREATE OR REPLACE TRIGGER users_stay_closed BEFORE UPDATE ON users FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL AND (NEW.closed_at, NEW.username, NEW.password_hash, NEW.first_name, NEW.last_name, NEW.country)
    IS DISTINCT FROM (OLD.closed_at, OLD.username, OLD.password_hash, OLD.first_name, OLD.last_name, OLD.country))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER roles_of_open_accounts BEFORE INSERT ON user_roles
  FOR EACH ROW EXECUTE FUNCTION require_open_account();
CREATE OR REPLACE TRIGGER factors_of_open_accounts BEFORE INSERT ON factors
  FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE OR REPLACE TRIGGER users_tell_new AFTER INSERT ON users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('user');
CREATE OR REPLACE TRIGGER users_tally_new AFTER INSERT ON users
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE OR REPLACE TRIGGER users_tally_changed AFTER UPDATE ON users
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION tally_users();
