CREATE OR REPLACE TRIGGER audit_entries_are_of_now BEFORE INSERT ON audit_entries FOR EACH ROW
  WHEN (NEW.created_at <> now())
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_entries_are_sealed AFTER INSERT ON audit_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION queue_for_sealing();
CREATE OR REPLACE TRIGGER audit_entries_tally_new AFTER INSERT ON audit_entries
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();

CREATE OR REPLACE TRIGGER audit_entries_are_final BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_entries_are_not_truncated BEFORE TRUNCATE ON audit_entries
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_seals_are_final BEFORE UPDATE OR DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_seals_are_not_truncated BEFORE TRUNCATE ON audit_seals
  EXECUTE FUNCTION refuse_change();
