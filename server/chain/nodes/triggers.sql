CREATE OR REPLACE TRIGGER payments_tell_new AFTER INSERT ON payments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_payments();
CREATE OR REPLACE TRIGGER payments_tell_changed AFTER UPDATE ON payments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_payments();
CREATE OR REPLACE TRIGGER chains_tell_new_block AFTER UPDATE ON chains FOR EACH ROW
  WHEN (NEW.head_hash IS DISTINCT FROM OLD.head_hash) EXECUTE FUNCTION tell_new_block();

-- Each of its two moments is written once. An ended one stays.
CREATE OR REPLACE TRIGGER block_skips_stay BEFORE UPDATE ON block_skips FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL OR (OLD.skipped_at IS NOT NULL AND OLD.skipped_at IS DISTINCT FROM NEW.skipped_at))
  EXECUTE FUNCTION refuse_change();
