-- ACTIVE, then COMPLETED once. Nothing else changes.
CREATE OR REPLACE TRIGGER investments_complete_once BEFORE UPDATE ON investments FOR EACH ROW
  WHEN (OLD.status <> 'ACTIVE' OR NEW.status <> 'COMPLETED' OR NEW.id <> OLD.id
    OR NEW.user_id <> OLD.user_id OR NEW.principal <> OLD.principal
    OR NEW.interest <> OLD.interest OR NEW.matures_at <> OLD.matures_at)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER investments_are_kept BEFORE DELETE ON investments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER investments_are_not_truncated BEFORE TRUNCATE ON investments
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER investments_have_owners AFTER INSERT ON investments
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_owner();

-- By statement, not by row: the money path writes hundreds of rows at once.
CREATE OR REPLACE TRIGGER investments_tell_new AFTER INSERT ON investments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_investments();
CREATE OR REPLACE TRIGGER investments_tell_completed AFTER UPDATE ON investments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_investments();
CREATE OR REPLACE TRIGGER investments_tally_new AFTER INSERT ON investments
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_investments();
CREATE OR REPLACE TRIGGER investments_tally_completed AFTER UPDATE ON investments
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION tally_investments();
