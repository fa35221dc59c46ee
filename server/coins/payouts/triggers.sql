CREATE OR REPLACE TRIGGER spendings_tell_new AFTER INSERT ON spendings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_spendings();
CREATE OR REPLACE TRIGGER spendings_tell_changed AFTER UPDATE ON spendings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_spendings();
CREATE OR REPLACE TRIGGER batch_payouts_tell_moved AFTER UPDATE ON batch_payouts
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_moved_payouts();
CREATE OR REPLACE TRIGGER chains_tell_spendings_deeper AFTER UPDATE ON chains FOR EACH ROW
  WHEN (NEW.head_hash IS DISTINCT FROM OLD.head_hash) EXECUTE FUNCTION tell_spendings_deeper();
CREATE OR REPLACE TRIGGER payout_alarms_tell_new AFTER INSERT ON payout_alarms
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('payment');
CREATE OR REPLACE TRIGGER payout_alarms_tell_changed AFTER UPDATE ON payout_alarms
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('payment');
