CREATE OR REPLACE TRIGGER payments_note_new AFTER INSERT ON payments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_new_facts();
CREATE OR REPLACE TRIGGER payments_note_changed AFTER UPDATE ON payments
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_facts();
CREATE OR REPLACE TRIGGER spendings_note_new AFTER INSERT ON spendings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_new_facts();
CREATE OR REPLACE TRIGGER spendings_note_changed AFTER UPDATE ON spendings
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_facts();
CREATE OR REPLACE TRIGGER spent_coins_note_new AFTER INSERT ON spent_coins
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();
CREATE OR REPLACE TRIGGER spent_coins_note_deleted AFTER DELETE ON spent_coins
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();
CREATE OR REPLACE TRIGGER sent_coins_note_new AFTER INSERT ON sent_coins
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();
CREATE OR REPLACE TRIGGER sent_coins_note_deleted AFTER DELETE ON sent_coins
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();
CREATE OR REPLACE TRIGGER withdrawals_note_evidence AFTER UPDATE OF sent_evidence, status ON transactions FOR EACH ROW
  WHEN (NEW.sent_evidence IS DISTINCT FROM OLD.sent_evidence OR NEW.status = 'RETURNED' AND OLD.status <> 'RETURNED')
  EXECUTE FUNCTION note_evidence();
CREATE OR REPLACE TRIGGER batch_payouts_note_coins AFTER UPDATE OF transaction_id, output ON batch_payouts FOR EACH ROW
  WHEN ((NEW.transaction_id, NEW.output) IS DISTINCT FROM (OLD.transaction_id, OLD.output)) EXECUTE FUNCTION note_batch_coins();
CREATE OR REPLACE TRIGGER spendings_note_coins AFTER UPDATE OF state, batch_id ON spendings FOR EACH ROW
  WHEN ((NEW.state, NEW.batch_id) IS DISTINCT FROM (OLD.state, OLD.batch_id) AND num_nonnulls(NEW.batch_id, OLD.batch_id) > 0)
  EXECUTE FUNCTION note_batch_coins();

CREATE OR REPLACE TRIGGER openings_take_two BEFORE INSERT ON coin_movements FOR EACH ROW
  WHEN (NEW.cause = 'OPENING') EXECUTE FUNCTION require_agreement('OPENING', 'cause_id', '~networkName', 'network_name', 'asset', 'asset');
CREATE OR REPLACE TRIGGER own_addresses_take_two BEFORE INSERT ON own_addresses FOR EACH ROW
  WHEN (NEW.proposal_id IS NOT NULL)
  EXECUTE FUNCTION require_agreement('OWN_ADDRESS', 'proposal_id', '~networkName', 'network_name', '~address', 'address', 'class', 'class');
CREATE OR REPLACE TRIGGER coin_movements_are_opposite AFTER INSERT ON coin_movements FOR EACH ROW
  WHEN (NEW.takes_back IS NOT NULL) EXECUTE FUNCTION require_opposite();
CREATE OR REPLACE TRIGGER wallets_are_no_own_addresses AFTER INSERT ON wallets FOR EACH ROW
  EXECUTE FUNCTION refuse_own_wallet();

CREATE OR REPLACE TRIGGER spendings_settled_by_two AFTER UPDATE ON spendings FOR EACH ROW
  WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL)
  EXECUTE FUNCTION require_agreement('SETTLE_SPENDING', 'settlement_id', 'networkName', 'network_name', 'transaction', 'transaction_id');
CREATE OR REPLACE TRIGGER spendings_stay_settled BEFORE UPDATE ON spendings FOR EACH ROW
  WHEN (OLD.settled_at IS NOT NULL
    AND to_jsonb(OLD) - '{state,height,block_hash,inputs,seen_at,changed_at,confirmed_at,fee_units,batch_id}'::text[]
      IS DISTINCT FROM to_jsonb(NEW) - '{state,height,block_hash,inputs,seen_at,changed_at,confirmed_at,fee_units,batch_id}'::text[])
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER payout_alarms_settled_by_two AFTER UPDATE ON payout_alarms FOR EACH ROW
  WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL AND NEW.kind = 'UNEXPLAINED') EXECUTE FUNCTION require_settlement();
CREATE OR REPLACE TRIGGER payout_alarms_stay_settled BEFORE UPDATE ON payout_alarms FOR EACH ROW
  WHEN (OLD.settled_at IS NOT NULL
    AND to_jsonb(OLD) - '{found_at,ended_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{found_at,ended_at}'::text[])
  EXECUTE FUNCTION refuse_change();
