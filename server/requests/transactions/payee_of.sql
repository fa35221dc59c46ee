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

-- The person who decided, or cancelled. None for an expiry and for a decision of the product.
CREATE OR REPLACE FUNCTION decider_of(transaction transactions) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE transaction.ending WHEN 'cancelled' THEN transaction.user_id ELSE transaction.decided_by END
$$;
