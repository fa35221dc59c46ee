-- The account of an address in the coin movements. NULL for an address of others. An address of
-- one EVM network is ours on all of them where an investor was given it.
CREATE OR REPLACE FUNCTION coin_account(network text, paid text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT lower(class) FROM own_addresses WHERE network_name = network AND lower(address) = lower(paid) LIMIT 1),
    (SELECT 'deposit' FROM wallets WHERE lower(address) = lower(paid) LIMIT 1))
$$;
