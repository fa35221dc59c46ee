-- Refuses to any writer a loan that was paid out by hand before two people approved it, but for one
-- that ran before the pool took it over.
CREATE OR REPLACE FUNCTION require_time_of_loan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM loans AS l WHERE l.id = NEW.loan_id
      AND CASE WHEN l.taken_over_on IS NULL THEN NEW.disbursed_on >= (
        SELECT min(utc_day(p.decided_at)) FROM proposals AS p WHERE p.kind = 'APPROVE_LOAN' AND p.subject = l.id::text AND p.status = 'DONE')
      ELSE NEW.disbursed_on <= l.taken_over_on END) THEN
    RAISE EXCEPTION 'loan % is paid out after its approval, or before it was taken over', NEW.loan_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
