-- PENDING, then decided once. A confirmed deposit may be taken back.
CREATE OR REPLACE TRIGGER transactions_are_decided_once BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.status <> 'PENDING' AND OLD.type NOT IN ('investment', 'withdrawal') AND (OLD.type, OLD.status, NEW.status) <> ('deposit', 'APPROVED', 'REVERSED')
    OR NEW.approvals_needed < OLD.approvals_needed)
  EXECUTE FUNCTION refuse_change();
-- Nothing else of a deposit changes when it is taken back, and only a credited one is.
CREATE OR REPLACE TRIGGER deposits_are_taken_back_whole BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.status = 'REVERSED' AND (OLD.status <> 'APPROVED'
    OR to_jsonb(OLD) - 'status' IS DISTINCT FROM to_jsonb(NEW) - 'status'))
  EXECUTE FUNCTION refuse_change();
-- The amount changes to what was received, when a deposit is confirmed. The asked amount stays.
CREATE OR REPLACE TRIGGER deposits_keep_what_was_asked BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN ((NEW.amount, NEW.requested_amount) IS DISTINCT FROM (OLD.amount, OLD.requested_amount)
    AND NOT (OLD.type = 'deposit' AND OLD.status = 'PENDING' AND NEW.status = 'APPROVED'
      AND NEW.requested_amount IS NOT DISTINCT FROM OLD.amount))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER transactions_name_their_ending BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.status = 'PENDING' AND NEW.status <> 'PENDING' AND NEW.ending IS NULL)
  EXECUTE FUNCTION refuse_change();
-- A decided withdrawal is sent once and completed once, or given back for a reason. Nothing else of
-- it changes, so `updated_at` stays the moment of its decision.
CREATE OR REPLACE TRIGGER withdrawals_are_sent_once BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.type = 'withdrawal' AND (
    (OLD.status, NEW.status) IN (('PENDING', 'PROCESSING'), ('PENDING', 'COMPLETED'), ('PENDING', 'RETURNED'))
    OR OLD.status <> 'PENDING' AND (
      (OLD.status, NEW.status) NOT IN (('APPROVED', 'PROCESSING'), ('PROCESSING', 'COMPLETED'), ('APPROVED', 'RETURNED'), ('PROCESSING', 'RETURNED'))
      OR (NEW.ending, NEW.decided_by, NEW.updated_at, NEW.approvals_needed, NEW.payee_address)
        IS DISTINCT FROM (OLD.ending, OLD.decided_by, OLD.updated_at, OLD.approvals_needed, OLD.payee_address)
      OR NEW.reason <> OLD.reason AND NEW.status <> 'RETURNED'
      OR (OLD.status = 'PROCESSING' OR NEW.status = 'RETURNED') AND ((NEW.sent_at, NEW.sent_by, NEW.sent_basis, NEW.sent_network)
        IS DISTINCT FROM (OLD.sent_at, OLD.sent_by, OLD.sent_basis, OLD.sent_network)
        OR (OLD.sent_by IS NOT NULL OR NEW.completed_basis IS NULL)
          AND (NEW.sent_evidence, NEW.sent_output) IS DISTINCT FROM (OLD.sent_evidence, OLD.sent_output)))))
  EXECUTE FUNCTION refuse_change();
-- The product marks what the chain shows, and names the transaction that pays. A higher fee makes
-- another one, so its completion may name another than its first mark.
CREATE OR REPLACE TRIGGER withdrawals_are_paid_on_the_chain BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.sent_basis IS NULL AND NEW.sent_basis IS NOT NULL OR OLD.completed_basis IS NULL AND NEW.completed_basis IS NOT NULL)
  EXECUTE FUNCTION require_payout();
-- Only two people give an amount back.
CREATE OR REPLACE TRIGGER withdrawals_return_by_two BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.status = 'RETURNED' AND OLD.status <> 'RETURNED')
  EXECUTE FUNCTION require_agreement('RETURN_WITHDRAWAL', 'return_id', 'subject', 'id', 'userId', 'user_id');
CREATE OR REPLACE TRIGGER withdrawals_end_by_movement AFTER UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.type = 'withdrawal' AND NEW.status IN ('COMPLETED', 'RETURNED') AND NEW.status <> OLD.status)
  EXECUTE FUNCTION require_movement();
-- ACTIVE, then COMPLETED once. Until then a shared loss may take of its principal.
CREATE OR REPLACE TRIGGER investments_complete_once BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.type = 'investment' AND (OLD.investment_status <> 'ACTIVE'
    OR NOT (NEW.investment_status = 'COMPLETED' AND NEW.borne = OLD.borne OR NEW.investment_status = 'ACTIVE' AND NEW.borne > OLD.borne)
    OR NEW.status <> OLD.status))
  EXECUTE FUNCTION refuse_change();
-- At depth 0 runs a statement from outside, at depth 1 share_loss.
CREATE OR REPLACE TRIGGER investments_bear_by_sharing BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (NEW.borne <> OLD.borne AND (OLD.type <> 'investment' OR pg_trigger_depth() = 0))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER transactions_approved_by_enough BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.status = 'PENDING' AND NEW.status IN ('APPROVED', 'PROCESSING', 'COMPLETED') AND NEW.approvals_needed > 1)
  EXECUTE FUNCTION require_approvals();
CREATE OR REPLACE TRIGGER transactions_by_another_person BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN ((NEW.decided_by, NEW.sent_by, NEW.completed_by) IS DISTINCT FROM (OLD.decided_by, OLD.sent_by, OLD.completed_by))
  EXECUTE FUNCTION require_another();
CREATE OR REPLACE TRIGGER transactions_within_limits AFTER UPDATE ON transactions
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION require_limits();

CREATE OR REPLACE TRIGGER transactions_begin_whole AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_whole();
CREATE OR REPLACE TRIGGER transactions_stay_whole AFTER UPDATE ON transactions
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_whole();

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
