-- Refuses to any writer a payout that is not the approved one. Locks its withdrawal or loan, so
-- that no mark, return or release passes before the commit.
CREATE OR REPLACE FUNCTION require_payable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.withdrawal_id IS NOT NULL THEN
    PERFORM FROM transactions WHERE id = NEW.withdrawal_id AND type = 'withdrawal' AND status = 'APPROVED' AND outgoing
      AND payee_address = NEW.address FOR NO KEY UPDATE;
  ELSE
    PERFORM FROM loan_sendings AS s WHERE id = NEW.sending_id AND status = 'OPEN' AND address = NEW.address
      AND EXISTS (SELECT FROM loans WHERE id = s.loan_id AND status = 'SENDING')
      AND network_name = (SELECT network_name FROM batches WHERE id = NEW.batch_id) FOR NO KEY UPDATE;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is not to be paid to %', coalesce(NEW.withdrawal_id, NEW.sending_id), NEW.address USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
