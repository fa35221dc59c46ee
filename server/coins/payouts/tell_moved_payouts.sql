-- Notifies the investors whose withdrawals are paid by another transaction, or by none.
CREATE OR REPLACE FUNCTION tell_moved_payouts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_changes(ARRAY(
    SELECT DISTINCT format('["%s","payment"]', t.user_id) FROM changed JOIN transactions AS t ON t.id = changed.withdrawal_id));
  RETURN NULL;
END $$;
