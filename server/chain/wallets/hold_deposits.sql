-- Keeps an investor's deposit requests, and all changes of owners, waiting until the commit. Groups
-- take the same locks in the same order.
CREATE OR REPLACE FUNCTION hold_deposits(investor uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(:lock(groups));
  PERFORM pg_advisory_xact_lock(:lock(deposits), hashtext(investor::text));
  PERFORM pg_advisory_xact_lock(:lock(owners));
END $$;
