-- Users stay and keep their ids, so that an owner who was found once exists for good.
CREATE OR REPLACE TRIGGER users_are_kept BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER users_keep_their_ids BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.id <> OLD.id)
  EXECUTE FUNCTION refuse_change();

-- What ends a session, or changes what it may do, waits until no process trusts what it kept of it.
CREATE OR REPLACE TRIGGER users_are_shut_out AFTER UPDATE ON users FOR EACH ROW
  WHEN (NEW.username <> OLD.username
    OR (NEW.suspended_at IS NOT NULL AND OLD.suspended_at IS NULL))
  EXECUTE FUNCTION sessions_change();
CREATE OR REPLACE TRIGGER user_roles_are_granted AFTER INSERT ON user_roles
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION roles_change();
CREATE OR REPLACE TRIGGER user_roles_are_revoked AFTER DELETE ON user_roles
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION roles_change();
CREATE OR REPLACE TRIGGER user_roles_are_changed AFTER UPDATE ON user_roles
  FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE OR REPLACE TRIGGER user_roles_are_cleared AFTER TRUNCATE ON user_roles
  FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE OR REPLACE TRIGGER sessions_end AFTER DELETE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE OR REPLACE TRIGGER sessions_end_all AFTER TRUNCATE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION sessions_change();
CREATE OR REPLACE TRIGGER sessions_grow_old AFTER UPDATE ON sessions FOR EACH ROW
  WHEN (NEW.last_used_at < OLD.last_used_at OR NEW.created_at < OLD.created_at
    OR NEW.user_id <> OLD.user_id OR NEW.token_hash <> OLD.token_hash)
  EXECUTE FUNCTION sessions_change();

CREATE OR REPLACE TRIGGER sessions_tell_ended AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_ended_sessions();
CREATE OR REPLACE TRIGGER users_tell_new AFTER INSERT ON users
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('user');
CREATE OR REPLACE TRIGGER users_tally_new AFTER INSERT ON users
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE OR REPLACE TRIGGER users_tally_changed AFTER UPDATE ON users
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION tally_users();
