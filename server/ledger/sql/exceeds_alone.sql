-- True if acts of one person alone in 24 hours exceed a limit: the pool's, that of a person behind
-- these accounts, or that about one of these owners. `exceededLimit` decides by the same sums.
CREATE OR REPLACE FUNCTION exceeds_alone(accounts uuid[], about uuid[]) RETURNS boolean LANGUAGE sql STABLE AS $$
  WITH alone AS MATERIALIZED (SELECT * FROM decided_alone())
  SELECT EXISTS (
    SELECT FROM approval_limits AS l CROSS JOIN LATERAL (
      SELECT sum(amount), l.per_pool FROM alone WHERE investor IS NOT NULL
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY approver HAVING approver IN (
        SELECT coalesce(s.person, by.account) FROM unnest(accounts) AS by (account) LEFT JOIN same_people() AS s ON s.account = by.account)
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY investor HAVING investor = ANY (about)
    ) AS s (total, most) WHERE s.total > s.most)
$$;
