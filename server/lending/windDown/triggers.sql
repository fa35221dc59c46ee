CREATE OR REPLACE TRIGGER wind_downs_take_two BEFORE INSERT ON wind_downs FOR EACH ROW
  EXECUTE FUNCTION require_agreement('WIND_DOWN', 'id');
CREATE OR REPLACE TRIGGER wind_downs_are_called_off_by_two BEFORE UPDATE OF called_off_id ON wind_downs FOR EACH ROW
  EXECUTE FUNCTION require_agreement('END_WIND_DOWN', 'called_off_id');
CREATE OR REPLACE TRIGGER wind_downs_go_on_without_capital BEFORE UPDATE OF called_off_id ON wind_downs FOR EACH ROW
  EXECUTE FUNCTION require_capital_last();
-- Its mails are marked as queued once, and it is called off once.
CREATE OR REPLACE TRIGGER wind_downs_stay BEFORE UPDATE ON wind_downs FOR EACH ROW
  WHEN (OLD.called_off_at IS NOT NULL OR (OLD.mailed_at IS NOT NULL AND OLD.mailed_at IS DISTINCT FROM NEW.mailed_at))
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER capital_withdrawals_wait_for_all BEFORE INSERT ON capital_withdrawals FOR EACH ROW
  EXECUTE FUNCTION require_capital_last();

CREATE OR REPLACE TRIGGER capital_withdrawals_tell AFTER INSERT ON capital_withdrawals
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');

CREATE OR REPLACE TRIGGER pauses_stay_while_winding_down BEFORE UPDATE ON pauses FOR EACH ROW
  WHEN (OLD.by_wind_down AND (NOT NEW.by_wind_down OR NEW.paused_at IS NULL))
  EXECUTE FUNCTION keep_wind_down_pause();
CREATE OR REPLACE TRIGGER loan_disbursements_stop_in_wind_down BEFORE INSERT ON loan_disbursements FOR EACH ROW
  WHEN (NOT NEW.sent)
  EXECUTE FUNCTION refuse_while_winding_down();
-- Money that was reserved before may have left already, so its loan still begins.
CREATE OR REPLACE TRIGGER loan_sendings_stop_in_wind_down BEFORE INSERT ON loan_sendings FOR EACH ROW
  EXECUTE FUNCTION refuse_while_winding_down();
