-- Cents that one person, or the product, decided about in the last 24 hours. By approver, NULL for
-- the product, and investor.
CREATE OR REPLACE FUNCTION decided_alone() RETURNS TABLE (approver uuid, investor uuid, amount bigint) LANGUAGE sql STABLE AS $$
  SELECT decided_by, user_id, sum(amount)::bigint FROM transactions
  WHERE ending IN ('decided', 'automatic') AND status <> 'REJECTED' AND approvals_needed = 1 AND updated_at > now() - interval '24 hours'
  GROUP BY decided_by, user_id
$$;
