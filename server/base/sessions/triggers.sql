-- Ending a session waits for open groups. No operation of the session commits after its end. This
-- binds a database console too.
CREATE OR REPLACE TRIGGER sessions_end_after_groups BEFORE DELETE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE OR REPLACE TRIGGER sessions_end_all_after_groups BEFORE TRUNCATE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE OR REPLACE TRIGGER sessions_change_after_groups
  BEFORE UPDATE OF token_hash, user_id, created_at ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE OR REPLACE TRIGGER users_are_shut_out_after_groups BEFORE UPDATE OF suspended_at ON users
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE OR REPLACE TRIGGER roles_are_revoked_after_groups BEFORE UPDATE OR DELETE ON user_roles
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE OR REPLACE TRIGGER roles_are_cleared_after_groups BEFORE TRUNCATE ON user_roles
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE OR REPLACE TRIGGER sessions_of_open_accounts BEFORE INSERT ON sessions
  FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE OR REPLACE TRIGGER sessions_tell_started AFTER INSERT ON sessions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_sessions();
CREATE OR REPLACE TRIGGER sessions_tell_ended AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_sessions();
