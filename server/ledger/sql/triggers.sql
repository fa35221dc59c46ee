CREATE OR REPLACE TRIGGER transfers_change_balances AFTER INSERT ON transfers
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION apply_transfers();

-- Transfers are final. A correction is a transfer the other way.
CREATE OR REPLACE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE ON transfers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER transfers_are_not_truncated BEFORE TRUNCATE ON transfers
  EXECUTE FUNCTION refuse_change();

-- At depth 0 runs a statement from outside, at depth 1 apply_transfers.
CREATE OR REPLACE TRIGGER accounts_change_by_transfer BEFORE UPDATE ON accounts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 OR NEW.id <> OLD.id OR NEW.owner_id <> OLD.owner_id
    OR NEW.kind <> OLD.kind)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER accounts_open_empty BEFORE INSERT ON accounts FOR EACH ROW
  WHEN (NEW.balance <> 0)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER accounts_are_kept BEFORE DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER accounts_are_not_truncated BEFORE TRUNCATE ON accounts
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER contributions_are_final BEFORE UPDATE OR DELETE ON contributions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER contributions_are_not_truncated BEFORE TRUNCATE ON contributions
  EXECUTE FUNCTION refuse_change();
