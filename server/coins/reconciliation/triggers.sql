CREATE OR REPLACE TRIGGER reconciliations_tell_new AFTER INSERT ON reconciliations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('reconciliation');
CREATE OR REPLACE TRIGGER reconciliations_have_come BEFORE INSERT OR UPDATE ON reconciliations
  FOR EACH ROW EXECUTE FUNCTION refuse_future('at');
CREATE OR REPLACE TRIGGER accepted_breaks_have_come BEFORE INSERT OR UPDATE ON accepted_breaks
  FOR EACH ROW EXECUTE FUNCTION refuse_future('at');
