-- Accounts that count as one person in decisions of two: an only super admin, and whom that one let
-- in alone within 24 hours. Each with the id of its person, one of these accounts. Mostly no rows.
CREATE OR REPLACE FUNCTION same_people() RETURNS TABLE (account uuid, person uuid) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE let_in AS MATERIALIZED (
    SELECT user_id, alone_by FROM user_roles WHERE alone_by IS NOT NULL AND granted_at > now() - interval '24 hours'
  ), linked (a, b) AS (
    SELECT user_id, alone_by FROM let_in UNION SELECT alone_by, user_id FROM let_in
  ), same (account, other) AS (
    SELECT a, a FROM linked
    UNION
    SELECT same.account, linked.b FROM same JOIN linked ON linked.a = same.other
  )
  SELECT account, (array_agg(other ORDER BY other))[1] FROM same GROUP BY account
$$;
