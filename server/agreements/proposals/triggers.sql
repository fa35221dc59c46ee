CREATE OR REPLACE TRIGGER proposals_end_once BEFORE UPDATE ON proposals FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR OLD.status <> 'OPEN' AND (NEW.status = 'OPEN'
    OR to_jsonb(OLD) - '{status,ended_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{status,ended_at}'::text[]))
  EXECUTE FUNCTION refuse_change();
-- Each person is compared when they act: a role that is given later holds back no agreed one.
CREATE OR REPLACE TRIGGER proposals_of_money_are_asked_by_another BEFORE INSERT ON proposals FOR EACH ROW
  WHEN (NEW.kind IN ('RETURN_WITHDRAWAL', 'WRITE_OFF')) EXECUTE FUNCTION require_others('asked_by');
CREATE OR REPLACE TRIGGER proposals_of_money_are_approved_by_another BEFORE UPDATE ON proposals FOR EACH ROW
  WHEN (NEW.kind IN ('RETURN_WITHDRAWAL', 'WRITE_OFF') AND NEW.status = 'DONE' AND OLD.status <> 'DONE') EXECUTE FUNCTION require_others('decided_by');
