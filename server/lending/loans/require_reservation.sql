-- Refuses to any writer to begin a loan whose money two people did not reserve. They were compared
-- at the reservation, as its coins are gone now.
CREATE OR REPLACE FUNCTION require_reservation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM loan_sendings WHERE (proposal_id, loan_id, network_name) = (NEW.id, NEW.loan_id, NEW.network_name)) THEN
    RAISE EXCEPTION 'loan % takes two people', NEW.loan_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- Refuses to any writer to reserve money for a loan in another state.
CREATE OR REPLACE FUNCTION require_loan_to_send() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM loans WHERE id = NEW.loan_id AND status = 'SENDING') THEN
    RAISE EXCEPTION 'loan % is not sent', NEW.loan_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
