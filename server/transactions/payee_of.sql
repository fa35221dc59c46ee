-- The address that a pending withdrawal would be paid to now: its own, or the payout address in
-- use. Empty for other types.
CREATE OR REPLACE FUNCTION payee_of(transaction transactions) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN transaction.type <> 'withdrawal' THEN ''
    WHEN transaction.destination_address <> 'Default Address' THEN transaction.destination_address
    ELSE coalesce((
      SELECT address FROM payout_addresses WHERE user_id = transaction.user_id AND usable_from <= now()
      ORDER BY created_at DESC, id DESC LIMIT 1), transaction.destination_address)
  END
$$;
