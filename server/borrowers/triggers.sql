-- A correction changes facts, and the audit trail has each version of them.
CREATE OR REPLACE TRIGGER borrowers_are_kept BEFORE DELETE ON borrowers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrowers_stay_recorded BEFORE UPDATE ON borrowers FOR EACH ROW
  WHEN ((OLD.id, OLD.recorded_by, OLD.created_at) IS DISTINCT FROM (NEW.id, NEW.recorded_by, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrowers_are_not_truncated BEFORE TRUNCATE ON borrowers
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER borrowers_tell AFTER INSERT ON borrowers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER borrowers_tell_corrected AFTER UPDATE ON borrowers
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
