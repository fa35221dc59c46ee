CREATE OR REPLACE TRIGGER loans_move_on BEFORE UPDATE ON loans FOR EACH ROW
  WHEN ((OLD.closed_at IS NOT NULL AND OLD IS DISTINCT FROM NEW)
    OR (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN
      (('APPLIED', 'APPROVED'), ('APPROVED', 'ACTIVE'), ('APPROVED', 'SENDING'), ('SENDING', 'ACTIVE'), ('SENDING', 'APPROVED'), ('ACTIVE', 'REPAID'), ('REPAID', 'ACTIVE'),
        ('APPLIED', 'WITHDRAWN'), ('APPLIED', 'DECLINED'), ('APPROVED', 'WITHDRAWN'), ('APPROVED', 'DECLINED'),
        ('ACTIVE', 'DEFAULTED'), ('DEFAULTED', 'REPAID'), ('REPAID', 'DEFAULTED'), ('DEFAULTED', 'WRITTEN_OFF'))))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loans_begin_applied BEFORE INSERT ON loans FOR EACH ROW
  WHEN (NEW.status <> 'APPLIED')
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loans_are_approved_by_two BEFORE UPDATE OF status ON loans FOR EACH ROW
  WHEN (OLD.status = 'APPLIED' AND NEW.status = 'APPROVED')
  EXECUTE FUNCTION require_agreement('APPROVE_LOAN', '');
CREATE OR REPLACE TRIGGER loans_tally_new AFTER INSERT ON loans
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_loans();
CREATE OR REPLACE TRIGGER loans_tally_changed AFTER UPDATE ON loans
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_loans();
CREATE OR REPLACE TRIGGER loans_tell_new AFTER INSERT ON loans
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER loans_tell_changed AFTER UPDATE ON loans
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE OR REPLACE TRIGGER loans_are_disbursed_by_two BEFORE INSERT ON loan_disbursements FOR EACH ROW
  WHEN (NOT NEW.sent) EXECUTE FUNCTION require_agreement('DISBURSE_LOAN', 'id', 'subject', 'loan_id', 'networkName', 'network_name', 'evidence', 'evidence',
    'disbursedOn', 'disbursed_on');
CREATE OR REPLACE TRIGGER loans_are_sent_as_reserved BEFORE INSERT ON loan_disbursements FOR EACH ROW
  WHEN (NEW.sent) EXECUTE FUNCTION require_reservation();
-- The day of a loan that a batch paid is that of its block.
CREATE OR REPLACE TRIGGER loans_are_disbursed_in_time BEFORE INSERT ON loan_disbursements FOR EACH ROW
  WHEN (NOT NEW.sent) EXECUTE FUNCTION require_time_of_loan();

CREATE OR REPLACE TRIGGER loans_are_reserved_by_two BEFORE INSERT ON loan_sendings FOR EACH ROW
  EXECUTE FUNCTION require_agreement('SEND_LOAN', 'proposal_id', 'subject', 'loan_id', 'networkName', 'network_name', 'address', 'address');
CREATE OR REPLACE TRIGGER loans_are_reserved_once_approved BEFORE INSERT ON loan_sendings FOR EACH ROW
  EXECUTE FUNCTION require_loan_to_send();
CREATE OR REPLACE TRIGGER loan_sendings_end_once BEFORE UPDATE ON loan_sendings FOR EACH ROW
  WHEN (OLD.status <> 'OPEN')
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_sendings_are_released_by_two BEFORE UPDATE ON loan_sendings FOR EACH ROW
  WHEN (NEW.status = 'RELEASED') EXECUTE FUNCTION require_agreement('RELEASE_LOAN', 'release_id', 'subject', 'loan_id', 'sendingId', 'id');
CREATE OR REPLACE TRIGGER loan_sendings_wait_for_their_batch BEFORE UPDATE ON loan_sendings FOR EACH ROW
  WHEN (NEW.status = 'RELEASED') EXECUTE FUNCTION refuse_batched();

CREATE OR REPLACE TRIGGER loan_confirmations_have_coins BEFORE INSERT ON loan_confirmations FOR EACH ROW
  EXECUTE FUNCTION require_confirmed_coins();
CREATE OR REPLACE TRIGGER loan_confirmations_wake_the_job AFTER INSERT ON loan_confirmations
  FOR EACH ROW EXECUTE FUNCTION wake_sent_loans();

CREATE OR REPLACE TRIGGER loan_instalments_are_paid BEFORE UPDATE ON loan_instalments FOR EACH ROW
  WHEN (OLD.replaced)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_recoveries_take_two BEFORE INSERT ON loan_repayments FOR EACH ROW
  WHEN (NEW.recovered > 0)
  EXECUTE FUNCTION require_agreement('RECOVER_LOAN', 'id', 'subject', 'loan_id', '$amount', 'recovered',
    'valueOn', 'value_on', 'reference', 'reference');
-- A repayment is reversed once.
CREATE OR REPLACE TRIGGER loan_repayments_are_reversed BEFORE UPDATE ON loan_repayments FOR EACH ROW
  WHEN (OLD.reversed OR NOT NEW.reversed)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_repayments_within_limits AFTER INSERT ON loan_repayments
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_lone_limits();
CREATE OR REPLACE TRIGGER loan_reversals_within_limits AFTER INSERT ON loan_reversals
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_lone_limits();
CREATE OR REPLACE TRIGGER repayment_files_stay BEFORE UPDATE ON repayment_files FOR EACH ROW
  WHEN (OLD.posted_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_defaults_take_two BEFORE INSERT ON loan_defaults FOR EACH ROW
  WHEN (NEW.reason = 'unlikelyToPay')
  EXECUTE FUNCTION require_agreement('DEFAULT_LOAN', 'id', 'subject', 'loan_id');

CREATE OR REPLACE TRIGGER loss_covers_bear AFTER INSERT ON loss_covers FOR EACH ROW
  EXECUTE FUNCTION bear_losses();

-- Its mails are marked as queued once.
CREATE OR REPLACE TRIGGER loss_announcements_stay BEFORE UPDATE ON loss_announcements FOR EACH ROW
  WHEN (OLD.mailed_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loss_announcements_tell AFTER INSERT ON loss_announcements
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');

CREATE OR REPLACE TRIGGER loss_sharings_are_announced BEFORE INSERT ON loss_sharings FOR EACH ROW
  EXECUTE FUNCTION require_announcement();
-- Triggers of one event run by name.
CREATE OR REPLACE TRIGGER loss_sharings_are_shared AFTER INSERT ON loss_sharings FOR EACH ROW
  EXECUTE FUNCTION share_loss();
CREATE OR REPLACE TRIGGER loss_sharings_bear AFTER INSERT ON loss_sharings FOR EACH ROW
  EXECUTE FUNCTION bear_losses();

-- At depth 0 runs a statement from outside, at depth 1 bear_losses.
CREATE OR REPLACE TRIGGER losses_borne_by_trigger BEFORE INSERT ON losses_borne FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_repayments_return_losses AFTER INSERT ON loan_repayments FOR EACH ROW
  WHEN (NEW.kept < NEW.recovered)
  EXECUTE FUNCTION return_loss();

-- Collateral is withdrawn once.
CREATE OR REPLACE TRIGGER loan_collateral_is_withdrawn BEFORE UPDATE ON loan_collateral FOR EACH ROW
  WHEN (OLD.withdrawn_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_collateral_tells AFTER INSERT ON loan_collateral
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER loan_collateral_tells_withdrawn AFTER UPDATE ON loan_collateral
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE OR REPLACE TRIGGER loan_updates_tell AFTER INSERT ON loan_updates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
