-- The owner may sign the row again, after a leaked key.
CREATE OR REPLACE TRIGGER pool_mode_is_kept BEFORE UPDATE OF only_row, mode, set_at ON pool_mode
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER pool_mode_is_not_deleted BEFORE DELETE ON pool_mode
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER pool_mode_is_not_truncated BEFORE TRUNCATE ON pool_mode
  EXECUTE FUNCTION refuse_change();
