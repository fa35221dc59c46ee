-- Cents that one person alone decided about in the last 24 hours, by approver and investor.
CREATE OR REPLACE FUNCTION decided_alone() RETURNS TABLE (approver uuid, investor uuid, amount bigint) LANGUAGE sql STABLE AS $$
  SELECT decided_by, user_id, sum(amount)::bigint FROM transactions
  WHERE decided_by IS NOT NULL AND status <> 'REJECTED' AND approvals_needed = 1 AND updated_at > now() - interval '24 hours'
  GROUP BY decided_by, user_id
$$;
