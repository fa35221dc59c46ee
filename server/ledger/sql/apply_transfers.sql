-- Writes balances. Nothing else does.
CREATE OR REPLACE FUNCTION apply_transfers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET balance = balance + change.amount
  FROM (
    SELECT account_id, sum(amount)::bigint AS amount
    FROM (SELECT to_account_id, amount FROM posted UNION ALL SELECT from_account_id, -amount FROM posted) AS side (account_id, amount)
    GROUP BY account_id
  ) AS change
  WHERE accounts.id = change.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $$;
