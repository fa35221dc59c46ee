-- Cents that one person, or the product, decided about in the last 24 hours. By approver, NULL for
-- the product, and investor. Accounts of one person are one approver.
CREATE OR REPLACE FUNCTION decided_alone() RETURNS TABLE (approver uuid, investor uuid, amount bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(s.person, t.decided_by), t.user_id, sum(t.amount)::bigint
  FROM transactions AS t LEFT JOIN same_people() AS s ON s.account = t.decided_by
  WHERE t.ending IN ('decided', 'automatic') AND t.status <> 'REJECTED' AND t.approvals_needed = 1 AND t.updated_at > now() - interval '24 hours'
  GROUP BY 1, 2
$$;
