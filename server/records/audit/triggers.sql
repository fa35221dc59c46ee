CREATE OR REPLACE TRIGGER audit_entries_are_of_now BEFORE INSERT ON audit_entries FOR EACH ROW
  WHEN (NEW.created_at <> now())
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER audit_entries_are_sealed AFTER INSERT ON audit_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION queue_for_sealing();
CREATE OR REPLACE TRIGGER audit_entries_tally_new AFTER INSERT ON audit_entries
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();
