CREATE OR REPLACE TRIGGER movements_change_balances AFTER INSERT ON movements
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION apply_movements();

-- Nodes of the last release would end a withdrawal without the share of its fee.
CREATE OR REPLACE TRIGGER movements_bring_fees AFTER INSERT ON movements
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION require_fees();

-- Movements are final. A correction is a movement the other way.
CREATE OR REPLACE TRIGGER movements_are_final BEFORE UPDATE OR DELETE ON movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER movements_are_not_truncated BEFORE TRUNCATE ON movements
  EXECUTE FUNCTION refuse_change();

-- At depth 0 runs a statement from outside, at depth 1 apply_movements or close_accounts. A trigger
-- BEFORE UPDATE would lock each row first and log that.
CREATE OR REPLACE TRIGGER accounts_change_by_movement AFTER UPDATE ON accounts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER accounts_keep_their_names AFTER UPDATE OF id, owner_id, kind ON accounts
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER accounts_close_once AFTER UPDATE OF closed_at ON accounts FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL)
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

-- A claim is settled, and never grows.
CREATE OR REPLACE TRIGGER claims_are_settled BEFORE UPDATE ON claims FOR EACH ROW
  WHEN (NEW.open > OLD.open OR (NEW.deposit_id, NEW.user_id, NEW.amount, NEW.payment_id, NEW.basis, NEW.created_at)
    IS DISTINCT FROM (OLD.deposit_id, OLD.user_id, OLD.amount, OLD.payment_id, OLD.basis, OLD.created_at))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER claims_are_kept BEFORE DELETE ON claims
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER claims_are_not_truncated BEFORE TRUNCATE ON claims
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER write_offs_are_final BEFORE UPDATE OR DELETE ON write_offs
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER write_offs_are_not_truncated BEFORE TRUNCATE ON write_offs
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER users_close_accounts AFTER UPDATE OF closed_at ON users FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
  EXECUTE FUNCTION close_accounts();
