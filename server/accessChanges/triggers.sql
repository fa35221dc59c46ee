CREATE OR REPLACE TRIGGER access_changes_are_decided_once BEFORE UPDATE ON access_changes FOR EACH ROW
  WHEN (OLD.status <> 'OPEN' OR (OLD.id, OLD.user_id, OLD.kind, OLD.role, OLD.reason, OLD.asked_by, OLD.asked_at)
    IS DISTINCT FROM (NEW.id, NEW.user_id, NEW.kind, NEW.role, NEW.reason, NEW.asked_by, NEW.asked_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER access_changes_are_kept BEFORE DELETE ON access_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER access_changes_are_not_truncated BEFORE TRUNCATE ON access_changes
  EXECUTE FUNCTION refuse_change();
