-- Refuses to any writer an approval by fewer people than needed, for the address that is paid and
-- the amount that moves. No account of the owner counts, and accounts of one person count once.
CREATE OR REPLACE FUNCTION require_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(DISTINCT coalesce(s.person, approved_by))
      FROM approvals LEFT JOIN same_people() AS s ON s.account = approved_by
      WHERE transaction_id = NEW.id AND approved_by <> ALL (accounts_of(NEW.user_id)) AND payee_address = coalesce(NEW.payee_address, '')
        AND coalesce(amount, NEW.requested_amount, NEW.amount) = NEW.amount) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'transaction % needs % approvals', NEW.id, NEW.approvals_needed USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
