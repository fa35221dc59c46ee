-- PENDING, then one final status. The request never changes.
CREATE OR REPLACE TRIGGER transactions_are_decided_once BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.status <> 'PENDING' OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id
    OR NEW.type <> OLD.type OR NEW.amount <> OLD.amount
    OR NEW.approvals_needed < OLD.approvals_needed OR NEW.created_at <> OLD.created_at
    OR NEW.destination_address <> OLD.destination_address
    OR NEW.destination_network <> OLD.destination_network)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER transactions_approved_by_enough BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.status IN ('APPROVED', 'PROCESSING', 'COMPLETED') AND NEW.approvals_needed > 1)
  EXECUTE FUNCTION require_approvals();
CREATE OR REPLACE TRIGGER transactions_within_limits AFTER UPDATE ON transactions
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION require_limits();
CREATE OR REPLACE TRIGGER transactions_keep_their_investments BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.investment_id IS DISTINCT FROM OLD.investment_id)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER transactions_are_kept BEFORE DELETE ON transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER transactions_are_not_truncated BEFORE TRUNCATE ON transactions
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER transactions_have_owners AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_owner();
CREATE OR REPLACE TRIGGER transactions_have_investments AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_investment();

-- By statement, not by row: the money path writes hundreds of rows at once.
CREATE OR REPLACE TRIGGER transactions_tell_new AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();
CREATE OR REPLACE TRIGGER transactions_tell_decided AFTER UPDATE ON transactions
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();
CREATE OR REPLACE TRIGGER transactions_tally_new AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();
CREATE OR REPLACE TRIGGER transactions_tally_decided AFTER UPDATE ON transactions
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION tally_transactions();

CREATE OR REPLACE TRIGGER approvals_are_final BEFORE UPDATE OR DELETE ON approvals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER approvals_are_not_truncated BEFORE TRUNCATE ON approvals
  EXECUTE FUNCTION refuse_change();
