-- An assigned wallet stays its investor's: no two people see the same address.
CREATE OR REPLACE TRIGGER wallets_stay_assigned BEFORE UPDATE ON wallets FOR EACH ROW
  WHEN (OLD.owner_id IS NOT NULL AND NEW.owner_id IS DISTINCT FROM OLD.owner_id)
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER wallets_assigned_are_kept BEFORE DELETE ON wallets FOR EACH ROW
  WHEN (OLD.owner_id IS NOT NULL)
  EXECUTE FUNCTION refuse_change();

-- Come last of their statement, so that tallies count a wallet before it changes again.
CREATE OR REPLACE TRIGGER wallets_unite_new AFTER INSERT ON wallets
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION unite_owners();
CREATE OR REPLACE TRIGGER wallets_unite_assigned AFTER UPDATE ON wallets
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION unite_owners();

CREATE OR REPLACE TRIGGER wallets_tell_new AFTER INSERT ON wallets
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');
CREATE OR REPLACE TRIGGER wallets_tell_assigned AFTER UPDATE ON wallets
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');
CREATE OR REPLACE TRIGGER wallets_tell_deleted AFTER DELETE ON wallets
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');

CREATE OR REPLACE TRIGGER wallets_tally_new AFTER INSERT ON wallets
  REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();
CREATE OR REPLACE TRIGGER wallets_tally_changed AFTER UPDATE ON wallets
  REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT
  EXECUTE FUNCTION tally_wallets();
CREATE OR REPLACE TRIGGER wallets_tally_deleted AFTER DELETE ON wallets
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();
CREATE OR REPLACE TRIGGER address_keys_have_come BEFORE INSERT OR UPDATE ON address_keys
  FOR EACH ROW EXECUTE FUNCTION refuse_future('derived_at');
