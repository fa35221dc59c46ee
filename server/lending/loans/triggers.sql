CREATE OR REPLACE TRIGGER loans_keep_their_terms BEFORE UPDATE ON loans FOR EACH ROW
  WHEN ((OLD.id, OLD.borrower_id, OLD.purpose, OLD.principal, OLD.rate_basis_points, OLD.schedule, OLD.period, OLD.day_count,
      OLD.instalments, OLD.due_day, OLD.disburse_on, OLD.first_due_on, OLD.refinances_id, OLD.from_investors, OLD.recorded_by, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.borrower_id, NEW.purpose, NEW.principal, NEW.rate_basis_points, NEW.schedule, NEW.period, NEW.day_count,
      NEW.instalments, NEW.due_day, NEW.disburse_on, NEW.first_due_on, NEW.refinances_id, NEW.from_investors, NEW.recorded_by, NEW.created_at)
    OR (OLD.closed_at IS NOT NULL AND (OLD.closed_for, OLD.closed_by, OLD.closed_at) IS DISTINCT FROM (NEW.closed_for, NEW.closed_by, NEW.closed_at))
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
  EXECUTE FUNCTION require_two_for_loan('APPROVE_LOAN');
CREATE OR REPLACE TRIGGER loans_are_kept BEFORE DELETE ON loans
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loans_are_not_truncated BEFORE TRUNCATE ON loans
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loans_tally_new AFTER INSERT ON loans
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_loans();
CREATE OR REPLACE TRIGGER loans_tally_changed AFTER UPDATE ON loans
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_loans();
CREATE OR REPLACE TRIGGER loans_tell_new AFTER INSERT ON loans
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER loans_tell_changed AFTER UPDATE ON loans
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE OR REPLACE TRIGGER loans_are_disbursed_by_two BEFORE INSERT ON loan_disbursements FOR EACH ROW
  WHEN (NOT NEW.sent) EXECUTE FUNCTION require_two_for_loan('DISBURSE_LOAN');
CREATE OR REPLACE TRIGGER loans_are_sent_by_two BEFORE INSERT ON loan_disbursements FOR EACH ROW
  WHEN (NEW.sent) EXECUTE FUNCTION require_two_for_loan('SEND_LOAN');
CREATE OR REPLACE TRIGGER loan_disbursements_are_final BEFORE UPDATE OR DELETE ON loan_disbursements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_disbursements_are_not_truncated BEFORE TRUNCATE ON loan_disbursements
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loans_are_reserved_by_two BEFORE INSERT ON loan_sendings FOR EACH ROW
  EXECUTE FUNCTION require_two_for_loan('SEND_LOAN', 'proposal_id');
CREATE OR REPLACE TRIGGER loan_sendings_end_once BEFORE UPDATE ON loan_sendings FOR EACH ROW
  WHEN (OLD.status <> 'OPEN' OR (OLD.id, OLD.proposal_id, OLD.loan_id, OLD.principal, OLD.capital, OLD.network_name, OLD.address, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.proposal_id, NEW.loan_id, NEW.principal, NEW.capital, NEW.network_name, NEW.address, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_sendings_are_released_by_two BEFORE UPDATE ON loan_sendings FOR EACH ROW
  WHEN (NEW.status = 'RELEASED') EXECUTE FUNCTION require_two_for_loan('RELEASE_LOAN', 'release_id');
CREATE OR REPLACE TRIGGER loan_sendings_wait_for_their_batch BEFORE UPDATE ON loan_sendings FOR EACH ROW
  WHEN (NEW.status = 'RELEASED') EXECUTE FUNCTION refuse_batched();
CREATE OR REPLACE TRIGGER loan_sendings_are_kept BEFORE DELETE ON loan_sendings
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_sendings_are_not_truncated BEFORE TRUNCATE ON loan_sendings
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_instalments_are_paid BEFORE UPDATE ON loan_instalments FOR EACH ROW
  WHEN (OLD.replaced OR (OLD.loan_id, OLD.number, OLD.due_on, OLD.principal, OLD.interest)
    IS DISTINCT FROM (NEW.loan_id, NEW.number, NEW.due_on, NEW.principal, NEW.interest))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_instalments_are_kept BEFORE DELETE ON loan_instalments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_instalments_are_not_truncated BEFORE TRUNCATE ON loan_instalments
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_recoveries_take_two BEFORE INSERT ON loan_repayments FOR EACH ROW
  WHEN (NEW.recovered > 0)
  EXECUTE FUNCTION require_two_for_loan('RECOVER_LOAN');
-- A repayment is reversed once, and stays.
CREATE OR REPLACE TRIGGER loan_repayments_are_reversed BEFORE UPDATE ON loan_repayments FOR EACH ROW
  WHEN (OLD.reversed OR NOT NEW.reversed
    OR (OLD.id, OLD.loan_id, OLD.principal, OLD.interest, OLD.recovered, OLD.kept, OLD.value_on, OLD.reference, OLD.recorded_by, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.loan_id, NEW.principal, NEW.interest, NEW.recovered, NEW.kept, NEW.value_on, NEW.reference, NEW.recorded_by, NEW.created_at)
    OR OLD.agreed_id IS DISTINCT FROM NEW.agreed_id)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_repayments_within_limits AFTER INSERT ON loan_repayments
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_lone_limits();
CREATE OR REPLACE TRIGGER loan_reversals_within_limits AFTER INSERT ON loan_reversals
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_lone_limits();
CREATE OR REPLACE TRIGGER repayment_files_stay BEFORE UPDATE ON repayment_files FOR EACH ROW
  WHEN (OLD.posted_at IS NOT NULL OR (OLD.proposal_id, OLD.csv) IS DISTINCT FROM (NEW.proposal_id, NEW.csv))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER repayment_files_are_kept BEFORE DELETE ON repayment_files
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER repayment_files_are_not_truncated BEFORE TRUNCATE ON repayment_files
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_repayments_are_kept BEFORE DELETE ON loan_repayments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_repayments_are_not_truncated BEFORE TRUNCATE ON loan_repayments
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_repayment_parts_are_final BEFORE UPDATE OR DELETE ON loan_repayment_parts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_repayment_parts_are_not_truncated BEFORE TRUNCATE ON loan_repayment_parts
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_reversals_are_final BEFORE UPDATE OR DELETE ON loan_reversals
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_reversals_are_not_truncated BEFORE TRUNCATE ON loan_reversals
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_defaults_take_two BEFORE INSERT ON loan_defaults FOR EACH ROW
  WHEN (NEW.reason = 'unlikelyToPay')
  EXECUTE FUNCTION require_two_for_loan('DEFAULT_LOAN');
CREATE OR REPLACE TRIGGER loan_defaults_are_final BEFORE UPDATE OR DELETE ON loan_defaults
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_defaults_are_not_truncated BEFORE TRUNCATE ON loan_defaults
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_write_offs_take_two BEFORE INSERT ON loan_write_offs FOR EACH ROW
  EXECUTE FUNCTION require_two_for_loan('WRITE_OFF_LOAN');
CREATE OR REPLACE TRIGGER loan_write_offs_are_final BEFORE UPDATE OR DELETE ON loan_write_offs
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_write_offs_are_not_truncated BEFORE TRUNCATE ON loan_write_offs
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_restructurings_take_two BEFORE INSERT ON loan_restructurings FOR EACH ROW
  EXECUTE FUNCTION require_two_for_loan('RESTRUCTURE_LOAN');
CREATE OR REPLACE TRIGGER loan_restructurings_are_final BEFORE UPDATE OR DELETE ON loan_restructurings
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_restructurings_are_not_truncated BEFORE TRUNCATE ON loan_restructurings
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_moves_are_final BEFORE UPDATE OR DELETE ON loan_moves
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_moves_are_not_truncated BEFORE TRUNCATE ON loan_moves
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loss_covers_take_two BEFORE INSERT ON loss_covers FOR EACH ROW
  EXECUTE FUNCTION require_two_for_cover();
CREATE OR REPLACE TRIGGER loss_covers_are_final BEFORE UPDATE OR DELETE ON loss_covers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loss_covers_are_not_truncated BEFORE TRUNCATE ON loss_covers
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loss_covers_bear AFTER INSERT ON loss_covers FOR EACH ROW
  EXECUTE FUNCTION bear_losses();

CREATE OR REPLACE TRIGGER loss_announcements_take_two BEFORE INSERT ON loss_announcements FOR EACH ROW
  EXECUTE FUNCTION require_two_for_share();
-- Its mails are marked as queued once. Nothing else of it changes.
CREATE OR REPLACE TRIGGER loss_announcements_stay BEFORE UPDATE ON loss_announcements FOR EACH ROW
  WHEN (OLD.mailed_at IS NOT NULL OR (OLD.id, OLD.loss_id, OLD.amount, OLD.counts_at, OLD.created_at)
    IS DISTINCT FROM (NEW.id, NEW.loss_id, NEW.amount, NEW.counts_at, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loss_announcements_tell AFTER INSERT ON loss_announcements
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');
CREATE OR REPLACE TRIGGER loss_announcements_are_kept BEFORE DELETE ON loss_announcements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loss_announcements_are_not_truncated BEFORE TRUNCATE ON loss_announcements
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loss_sharings_take_two BEFORE INSERT ON loss_sharings FOR EACH ROW
  EXECUTE FUNCTION require_two_for_share();
-- Triggers of one event run by name.
CREATE OR REPLACE TRIGGER loss_sharings_are_shared AFTER INSERT ON loss_sharings FOR EACH ROW
  EXECUTE FUNCTION share_loss();
CREATE OR REPLACE TRIGGER loss_sharings_bear AFTER INSERT ON loss_sharings FOR EACH ROW
  EXECUTE FUNCTION bear_losses();
CREATE OR REPLACE TRIGGER loss_sharings_are_final BEFORE UPDATE OR DELETE ON loss_sharings
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loss_sharings_are_not_truncated BEFORE TRUNCATE ON loss_sharings
  EXECUTE FUNCTION refuse_change();

-- At depth 0 runs a statement from outside, at depth 1 bear_losses.
CREATE OR REPLACE TRIGGER losses_borne_by_trigger BEFORE INSERT ON losses_borne FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER losses_borne_are_final BEFORE UPDATE OR DELETE ON losses_borne
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER losses_borne_are_not_truncated BEFORE TRUNCATE ON losses_borne
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER loan_repayments_return_losses AFTER INSERT ON loan_repayments FOR EACH ROW
  WHEN (NEW.kept < NEW.recovered)
  EXECUTE FUNCTION return_loss();

-- Collateral is withdrawn once, and stays.
CREATE OR REPLACE TRIGGER loan_collateral_is_withdrawn BEFORE UPDATE ON loan_collateral FOR EACH ROW
  WHEN (OLD.withdrawn_at IS NOT NULL
    OR (OLD.id, OLD.loan_id, OLD.description, OLD.value, OLD.valued_on, OLD.recorded_by, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.loan_id, NEW.description, NEW.value, NEW.valued_on, NEW.recorded_by, NEW.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_collateral_is_kept BEFORE DELETE ON loan_collateral
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_collateral_is_not_truncated BEFORE TRUNCATE ON loan_collateral
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_collateral_tells AFTER INSERT ON loan_collateral
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
CREATE OR REPLACE TRIGGER loan_collateral_tells_withdrawn AFTER UPDATE ON loan_collateral
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE OR REPLACE TRIGGER loan_updates_are_final BEFORE UPDATE OR DELETE ON loan_updates
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_updates_are_not_truncated BEFORE TRUNCATE ON loan_updates
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER loan_updates_tell AFTER INSERT ON loan_updates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');
