-- Refuses to any writer a payout that is not the approved one. Locks the withdrawal, so that no
-- mark or return passes before the commit.
CREATE OR REPLACE FUNCTION require_payable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM transactions WHERE id = NEW.withdrawal_id AND type = 'withdrawal' AND status = 'APPROVED' AND outgoing
    AND payee_address = NEW.address FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'withdrawal % is not to be paid to %', NEW.withdrawal_id, NEW.address USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
