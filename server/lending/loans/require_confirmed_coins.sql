-- Refuses to any writer the confirmation of a loan that is not reserved, or that no batch pays by
-- this confirmed transaction. Locks the loan and its reservation, as postings and batches do.
CREATE OR REPLACE FUNCTION require_confirmed_coins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM loans AS l JOIN loan_sendings AS s ON s.loan_id = l.id
    WHERE s.id = NEW.sending_id AND s.status = 'OPEN' FOR NO KEY UPDATE;
  IF NOT FOUND OR NOT EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
      JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
    WHERE p.sending_id = NEW.sending_id AND s.state = 'CONFIRMED' AND p.transaction_id = NEW.transaction_id
      AND p.output = coalesce(NEW.output, p.output)) THEN
    RAISE EXCEPTION 'no confirmed coins pay the reserved loan %', NEW.sending_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
