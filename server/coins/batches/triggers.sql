-- A batch that was given up stays so. One that waits is ready by a second person alone.
CREATE OR REPLACE TRIGGER batches_move_on BEFORE UPDATE ON batches FOR EACH ROW
  WHEN (OLD.state = 'GIVEN_UP' OR NEW.state = 'WAITING' AND OLD.state <> 'WAITING'
    OR NEW.state = 'GIVEN_UP' AND OLD.state NOT IN ('WAITING', 'READY')
    OR (OLD.state, NEW.state) = ('WAITING', 'READY') AND NEW.approved_by IS NULL
    OR (OLD.state, NEW.state) <> ('WAITING', 'READY') AND NEW.approved_by IS DISTINCT FROM OLD.approved_by)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER batches_take_another_person BEFORE UPDATE ON batches FOR EACH ROW
  WHEN ((OLD.state, NEW.state) = ('WAITING', 'READY'))
  EXECUTE FUNCTION require_second_payer();
CREATE OR REPLACE TRIGGER batch_payouts_stay_free BEFORE UPDATE ON batch_payouts FOR EACH ROW
  WHEN (NEW.is_open AND NOT OLD.is_open) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER batch_payouts_are_approved BEFORE INSERT ON batch_payouts FOR EACH ROW
  WHEN (num_nonnulls(NEW.withdrawal_id, NEW.sending_id) > 0) EXECUTE FUNCTION require_payable();
CREATE OR REPLACE TRIGGER batch_inputs_stay_free BEFORE UPDATE ON batch_inputs FOR EACH ROW
  WHEN (NEW.is_open AND NOT OLD.is_open) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER withdrawals_wait_for_their_batch BEFORE UPDATE ON transactions FOR EACH ROW
  WHEN (OLD.type = 'withdrawal' AND OLD.status IN ('APPROVED', 'PROCESSING') AND NEW.status <> OLD.status)
  EXECUTE FUNCTION refuse_batched();
CREATE OR REPLACE TRIGGER batches_tell_new AFTER INSERT ON batches
  FOR EACH STATEMENT EXECUTE FUNCTION tell_batches();
CREATE OR REPLACE TRIGGER batches_tell_changed AFTER UPDATE ON batches
  FOR EACH STATEMENT EXECUTE FUNCTION tell_batches();
