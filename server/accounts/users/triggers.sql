-- A closed account stays closed, and gets no personal data.
CREATE OR REPLACE TRIGGER users_stay_closed BEFORE UPDATE ON users FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL
    AND to_jsonb(OLD) - '{updated_at,suspended_at,frozen_at,frozen_since,withdrawals_rest_until,taken_back_at,email_confirmed_at}'::text[]
      IS DISTINCT FROM to_jsonb(NEW) - '{updated_at,suspended_at,frozen_at,frozen_since,withdrawals_rest_until,taken_back_at,email_confirmed_at}'::text[])
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

CREATE OR REPLACE TRIGGER notes_are_kept BEFORE DELETE ON notes
  FOR EACH ROW EXECUTE FUNCTION refuse_change_unless_closed();
CREATE OR REPLACE TRIGGER notes_of_open_accounts BEFORE INSERT ON notes
  FOR EACH ROW EXECUTE FUNCTION require_open_account();
