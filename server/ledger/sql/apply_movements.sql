-- Writes balances. Nothing else does. All processes lock them in one order, by id.
CREATE OR REPLACE FUNCTION apply_movements() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET balance = balance + change.amount
  FROM (
    SELECT account_id, sum(side.amount)::bigint AS amount
    FROM posted CROSS JOIN LATERAL (VALUES
      (from_account_id, -posted.amount), (to_account_id, posted.amount),
      (interest_from_account_id, -interest), (interest_to_account_id, interest)
    ) AS side (account_id, amount)
    WHERE account_id IS NOT NULL GROUP BY account_id ORDER BY account_id
  ) AS change
  WHERE accounts.id = change.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $$;
