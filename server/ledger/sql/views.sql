-- The transfers of each movement, in their order within it.
CREATE OR REPLACE VIEW transfers AS
  SELECT reference_id, name AS movement, 1 AS place, from_account_id, to_account_id, amount, created_at FROM movements
  UNION ALL
  SELECT reference_id, name, 2, interest_from_account_id, interest_to_account_id, interest, created_at FROM movements WHERE interest IS NOT NULL;

-- The partitions of movements. NULL stands for the ends of the range of ids.
CREATE OR REPLACE VIEW movement_months AS
  SELECT c.relname::text AS name, bound[1]::uuid AS begins, bound[2]::uuid AS ends
  FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
  CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''?([^'']+)''?\) TO \(''?([^'']+)''?\)') AS found (bounds)
  CROSS JOIN LATERAL (SELECT array_replace(array_replace(bounds, 'MINVALUE', NULL), 'MAXVALUE', NULL)) AS b (bound)
  WHERE i.inhparent = 'movements'::regclass;
