CREATE OR REPLACE TRIGGER movements_change_balances AFTER INSERT ON movements
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION apply_movements();

CREATE OR REPLACE TRIGGER movements_bring_fees AFTER INSERT ON movements
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION require_fees();

-- At depth 0 runs a statement from outside, at depth 1 apply_movements or close_accounts. A trigger
-- BEFORE UPDATE would lock each row first and log that.
CREATE OR REPLACE TRIGGER accounts_change_by_movement AFTER UPDATE ON accounts FOR EACH ROW
  WHEN (pg_trigger_depth() = 0)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER accounts_close_once AFTER UPDATE OF closed_at ON accounts FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER accounts_open_empty BEFORE INSERT ON accounts FOR EACH ROW
  WHEN (NEW.balance <> 0)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER contributions_take_two BEFORE INSERT ON contributions FOR EACH ROW
  WHEN (NEW.source <> 'PLAY')
  EXECUTE FUNCTION require_agreement('PUT_IN_CAPITAL', 'id', '$amount', 'amount', '~networkName', 'network_name',
    'asset', 'asset', 'paymentId', 'payment_id');
CREATE OR REPLACE TRIGGER contributions_are_no_play BEFORE INSERT ON contributions FOR EACH ROW
  WHEN (NEW.source = 'PLAY') EXECUTE FUNCTION refuse_play_money();
CREATE OR REPLACE TRIGGER write_offs_take_two BEFORE INSERT ON write_offs FOR EACH ROW
  EXECUTE FUNCTION require_agreement('WRITE_OFF', 'id', 'subject', 'claim_id', '$amount', 'amount');
-- A claim is settled, and never grows.
CREATE OR REPLACE TRIGGER claims_are_settled BEFORE UPDATE ON claims FOR EACH ROW
  WHEN (NEW.open > OLD.open)
  EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE TRIGGER users_close_accounts AFTER UPDATE OF closed_at ON users FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
  EXECUTE FUNCTION close_accounts();
