-- The transfers of each movement, in their order within it.
CREATE OR REPLACE VIEW transfers AS
  SELECT reference_id, name AS movement, 1 AS place, from_account_id, to_account_id, amount, created_at FROM movements
  UNION ALL
  SELECT reference_id, name, 2, interest_from_account_id, interest_to_account_id, interest, created_at FROM movements WHERE interest IS NOT NULL;
