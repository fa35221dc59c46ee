CREATE OR REPLACE TRIGGER reconciliations_are_final BEFORE UPDATE OR DELETE ON reconciliations
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER reconciled_coins_are_final BEFORE UPDATE OR DELETE ON reconciled_coins
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER accepted_breaks_are_final BEFORE UPDATE OR DELETE ON accepted_breaks
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER reconciliations_tell_new AFTER INSERT ON reconciliations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('reconciliation');
CREATE OR REPLACE TRIGGER reconciliations_have_come BEFORE INSERT OR UPDATE ON reconciliations
  FOR EACH ROW EXECUTE FUNCTION refuse_future('at');
CREATE OR REPLACE TRIGGER accepted_breaks_have_come BEFORE INSERT OR UPDATE ON accepted_breaks
  FOR EACH ROW EXECUTE FUNCTION refuse_future('at');
