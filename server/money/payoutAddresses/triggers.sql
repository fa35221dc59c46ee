CREATE OR REPLACE TRIGGER payout_addresses_are_kept BEFORE DELETE ON payout_addresses
  FOR EACH ROW EXECUTE FUNCTION refuse_change_unless_unproven();
CREATE OR REPLACE TRIGGER payout_addresses_of_open_accounts BEFORE INSERT ON payout_addresses
  FOR EACH ROW EXECUTE FUNCTION require_open_account();
