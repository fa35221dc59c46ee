-- When an investor first named an address is looked up for each withdrawal that waits.
DROP INDEX transactions_by_destination;
CREATE INDEX transactions_by_destination ON transactions (lower(destination_address), user_id, created_at)
  WHERE type = 'withdrawal';
CREATE INDEX payout_addresses_by_address ON payout_addresses (user_id, lower(address), created_at);
