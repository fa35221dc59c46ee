CREATE OR REPLACE TRIGGER pauses_wait_for_groups BEFORE INSERT OR UPDATE OR DELETE ON pauses
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();
CREATE OR REPLACE TRIGGER pauses_tell_changed AFTER UPDATE ON pauses
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');
CREATE OR REPLACE TRIGGER pauses_are_kept AFTER UPDATE ON pauses FOR EACH ROW
  WHEN (OLD.paused_at IS NOT NULL AND NEW.paused_at IS NULL)
  EXECUTE FUNCTION keep_ended_pause();

-- Its days hold back the operator's capital (claims_until), so no writer makes them up.
CREATE OR REPLACE TRIGGER ended_pauses_come_from_pauses BEFORE INSERT ON ended_pauses
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER pauses_begin_now BEFORE UPDATE OF paused_at ON pauses FOR EACH ROW
  WHEN (NEW.paused_at IS NOT NULL AND NEW.paused_at IS DISTINCT FROM OLD.paused_at
    AND (OLD.paused_at IS NOT NULL OR NEW.paused_at <> now()))
  EXECUTE FUNCTION refuse_change();
