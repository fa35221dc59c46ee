-- Closes the accounts of users who closed theirs. The CHECK refuses one with money. Refuses open
-- requests, withdrawals whose coins have not arrived, and open claims.
CREATE OR REPLACE FUNCTION close_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET closed_at = NEW.closed_at WHERE owner_id = NEW.id;
  IF EXISTS (SELECT FROM transactions WHERE user_id = NEW.id AND type IN ('deposit', 'withdrawal')
    AND (status = 'PENDING' OR type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING')))
    OR EXISTS (SELECT FROM claims WHERE user_id = NEW.id AND open > 0) THEN
    RAISE EXCEPTION 'a closed account has no open requests' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_closed_without_requests';
  END IF;
  RETURN NULL;
END $$;
