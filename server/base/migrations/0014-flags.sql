-- Staff see requests that pay to an address of several accounts. The moment when an investor first
-- named an address is found here, too.
CREATE INDEX payout_addresses_of_all ON payout_addresses (lower(address), user_id, created_at);
DROP INDEX payout_addresses_by_address;
-- The earlier requests of an investor are read for each pending one. Investments and payouts, most
-- of the rows, are not held.
CREATE INDEX transactions_requests ON transactions (user_id, created_at)
  WHERE type IN ('deposit', 'withdrawal');
COMMENT ON COLUMN transactions.destination_network IS
  'Withdrawal: the network that the investor named, else the only one that the address fits, else '
  'empty.';
