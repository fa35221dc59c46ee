-- Notifies staff, and the investors whose withdrawals these transactions pay.
CREATE OR REPLACE FUNCTION tell_spendings(transactions text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF transactions <> '{}' THEN
    PERFORM tell_changes(ARRAY(
      SELECT '[null,"payment"]'
      UNION ALL
      SELECT DISTINCT format('["%s","payment"]', t.user_id) FROM batch_payouts AS p JOIN transactions AS t ON t.id = p.withdrawal_id
      WHERE p.transaction_id = ANY (transactions)));
  END IF;
END $$;
