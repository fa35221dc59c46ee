-- Keeps an investor's deposit requests, and all changes of owners, waiting until the commit. Groups
-- take the same locks in the same order.
CREATE OR REPLACE FUNCTION hold_deposits(investor uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7031987);
  PERFORM pg_advisory_xact_lock(7031992, hashtext(investor::text));
  PERFORM pg_advisory_xact_lock(7031990);
END $$;
