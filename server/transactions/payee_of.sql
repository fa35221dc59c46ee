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

-- The person who decided. A rejection by no member of staff is a cancellation by the owner.
CREATE OR REPLACE FUNCTION decider_of(transaction transactions) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(transaction.decided_by, CASE WHEN transaction.status = 'REJECTED' THEN transaction.user_id END)
$$;
