-- Recounts all tallies under locks that block every write.
CREATE OR REPLACE FUNCTION recount_tallies() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE transactions, users, wallets, loans, audit_entries, accounts, tallies IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM tallies;
  PERFORM tally(ARRAY(SELECT (noun, day, kind, status, rows, cents, interest)::tally_change FROM recounted));
END $$;
