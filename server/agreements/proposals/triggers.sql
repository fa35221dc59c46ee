CREATE OR REPLACE TRIGGER proposals_end_once BEFORE UPDATE ON proposals FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL
    OR (OLD.id, OLD.kind, OLD.subject, OLD.user_id, OLD.payload, OLD.language, OLD.reason, OLD.asked_by, OLD.asked_at, OLD.by_staff)
      IS DISTINCT FROM (NEW.id, NEW.kind, NEW.subject, NEW.user_id, NEW.payload, NEW.language, NEW.reason, NEW.asked_by, NEW.asked_at, NEW.by_staff)
    OR OLD.status <> 'OPEN' AND (NEW.status = 'OPEN' OR (OLD.alone, OLD.decided_by, OLD.decided_at, OLD.rests_until)
      IS DISTINCT FROM (NEW.alone, NEW.decided_by, NEW.decided_at, NEW.rests_until)))
  EXECUTE FUNCTION refuse_change();
-- Each person is compared when they act: a role that is given later holds back no agreed one.
CREATE OR REPLACE TRIGGER proposals_of_money_are_asked_by_another BEFORE INSERT ON proposals FOR EACH ROW
  WHEN (NEW.kind IN ('RETURN_WITHDRAWAL', 'WRITE_OFF')) EXECUTE FUNCTION require_others('asked_by');
CREATE OR REPLACE TRIGGER proposals_of_money_are_approved_by_another BEFORE UPDATE ON proposals FOR EACH ROW
  WHEN (NEW.kind IN ('RETURN_WITHDRAWAL', 'WRITE_OFF') AND NEW.status = 'DONE' AND OLD.status <> 'DONE') EXECUTE FUNCTION require_others('decided_by');
CREATE OR REPLACE TRIGGER proposals_are_kept BEFORE DELETE ON proposals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER proposals_are_not_truncated BEFORE TRUNCATE ON proposals
  EXECUTE FUNCTION refuse_change();
