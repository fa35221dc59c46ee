-- The accounts that a batch pays: owners of withdrawals, and borrowers with the first due day of
-- their loan. NULL for a borrower without an account, and where it pays an address of ours.
CREATE OR REPLACE FUNCTION payees_of(batch uuid) RETURNS TABLE (user_id uuid, first_due_on date) LANGUAGE sql STABLE AS $$
  SELECT coalesce(t.user_id, b.user_id), l.first_due_on
  FROM batch_payouts AS p LEFT JOIN transactions AS t ON t.id = p.withdrawal_id
    LEFT JOIN loan_sendings AS s ON s.id = p.sending_id LEFT JOIN loans AS l ON l.id = s.loan_id LEFT JOIN borrowers AS b ON b.id = l.borrower_id
  WHERE p.batch_id = batch
$$;

-- True for a batch that pays this person, by any account.
CREATE OR REPLACE FUNCTION pays_person(batch uuid, account uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM payees_of(batch) WHERE user_id = ANY ((SELECT accounts_of(account))::uuid[]))
$$;
