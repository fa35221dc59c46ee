-- Refuses to any writer a payout that is not the approved one, or that any account of its payee
-- makes. Locks its withdrawal or loan: no mark, return or release passes before the commit.
CREATE OR REPLACE FUNCTION require_payable() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch batches;
BEGIN
  SELECT * INTO batch FROM batches WHERE id = NEW.batch_id;
  IF NEW.withdrawal_id IS NOT NULL THEN
    PERFORM FROM transactions WHERE id = NEW.withdrawal_id AND type = 'withdrawal' AND status = 'APPROVED'
      AND payee_address = NEW.address AND NOT is_same_person(user_id, batch.made_by) FOR NO KEY UPDATE;
  ELSE
    PERFORM FROM loan_sendings AS s WHERE id = NEW.sending_id AND status = 'OPEN' AND address = NEW.address
      AND EXISTS (SELECT FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE l.id = s.loan_id AND l.status = 'SENDING'
        AND (b.user_id IS NULL OR NOT is_same_person(b.user_id, batch.made_by)))
      AND NOT EXISTS (SELECT FROM loan_confirmations AS c WHERE c.sending_id = s.id)
      AND network_name = batch.network_name FOR NO KEY UPDATE;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is not to be paid to %', coalesce(NEW.withdrawal_id, NEW.sending_id), NEW.address USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
