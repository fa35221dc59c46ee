-- Refuses to any writer a step of a loan without a proposal of two people, of whom neither is its
-- borrower, to that sum or address. A second argument names the column of the proposal.
CREATE OR REPLACE FUNCTION require_two_for_loan() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  loan uuid := CASE TG_TABLE_NAME WHEN 'loans' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'loan_id')::uuid END;
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.kind = TG_ARGV[0] AND p.subject = loan::text AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND (TG_TABLE_NAME = 'loans' OR p.id = (to_jsonb(NEW) ->> coalesce(TG_ARGV[1], 'id'))::uuid)
      AND (TG_TABLE_NAME <> 'loan_repayments' OR (p.payload ->> 'amount')::numeric * 100 = (to_jsonb(NEW) ->> 'recovered')::numeric)
      AND (TG_ARGV[0] <> 'SEND_LOAN' OR TG_TABLE_NAME <> 'loan_sendings'
        OR (p.payload ->> 'networkName', p.payload ->> 'address') = (to_jsonb(NEW) ->> 'network_name', to_jsonb(NEW) ->> 'address')
          AND EXISTS (SELECT FROM loans AS l WHERE l.id = loan AND l.status = 'SENDING'))
      AND NOT EXISTS (
        SELECT FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id
        WHERE l.id = loan AND b.user_id IS NOT NULL AND CASE
          -- Its coins are gone, and roles may have changed since its money was reserved.
          WHEN TG_TABLE_NAME = 'loan_disbursements' AND TG_ARGV[0] = 'SEND_LOAN' THEN b.user_id IN (p.asked_by, p.decided_by)
          ELSE is_same_person(b.user_id, p.asked_by) OR is_same_person(b.user_id, p.decided_by) END)) THEN
    RAISE EXCEPTION 'loan % takes two people', loan USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
