CREATE OR REPLACE TRIGGER factor_resets_end_once BEFORE UPDATE ON factor_resets FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR OLD.rests_until IS NOT NULL AND OLD.rests_until IS DISTINCT FROM NEW.rests_until
    OR (OLD.id, OLD.user_id) IS DISTINCT FROM (NEW.id, NEW.user_id))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER factor_resets_are_kept BEFORE DELETE ON factor_resets
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER factor_resets_are_not_truncated BEFORE TRUNCATE ON factor_resets
  EXECUTE FUNCTION refuse_change();
