-- True for a batch that pays this person, by any account.
CREATE OR REPLACE FUNCTION pays_person(batch uuid, account uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM batch_payouts AS p LEFT JOIN transactions AS t ON t.id = p.withdrawal_id
      LEFT JOIN loan_sendings AS s ON s.id = p.sending_id LEFT JOIN loans AS l ON l.id = s.loan_id LEFT JOIN borrowers AS b ON b.id = l.borrower_id
    WHERE p.batch_id = batch AND coalesce(t.user_id, b.user_id) = ANY (accounts_of(account)))
$$;

-- Refuses to any writer a batch that its maker or its payee approves, by any account of theirs.
CREATE OR REPLACE FUNCTION require_second_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_same_person(NEW.made_by, NEW.approved_by) OR pays_person(NEW.id, NEW.approved_by) THEN
    RAISE EXCEPTION 'the batch % takes another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
