-- Cents that one person alone decided about in the last 24 hours, by approver and investor.
CREATE OR REPLACE FUNCTION decided_alone() RETURNS TABLE (approver uuid, investor uuid, amount bigint) LANGUAGE sql STABLE AS $$
  SELECT decided_by, user_id, sum(amount)::bigint FROM transactions
  WHERE decided_by IS NOT NULL AND status <> 'REJECTED' AND approvals_needed = 1 AND updated_at > now() - interval '24 hours'
  GROUP BY decided_by, user_id
$$;

-- The same as sums by 'approver ID', 'investor ID' and 'all', with the limits.
CREATE OR REPLACE FUNCTION sum_up_alone() RETURNS jsonb LANGUAGE sql STABLE AS $$
  WITH alone AS MATERIALIZED (SELECT * FROM decided_alone()), sums AS (
    SELECT 'approver ' || approver AS of, sum(amount) AS amount FROM alone GROUP BY approver
    UNION ALL SELECT 'investor ' || investor, sum(amount) FROM alone GROUP BY investor
    UNION ALL SELECT 'all', coalesce(sum(amount), 0) FROM alone
    UNION ALL SELECT 'per person', per_person FROM approval_limits
    UNION ALL SELECT 'per pool', per_pool FROM approval_limits
  )
  SELECT jsonb_object_agg(of, amount) FROM sums
$$;

-- True if a decision would take one of the sums above its limit.
CREATE OR REPLACE FUNCTION exceeds_limits(alone jsonb, approver uuid, investor uuid, amount bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce((alone ->> ('approver ' || approver))::bigint, 0) + amount > (alone ->> 'per person')::bigint
    OR coalesce((alone ->> ('investor ' || investor))::bigint, 0) + amount > (alone ->> 'per person')::bigint
    OR (alone ->> 'all')::bigint + amount > (alone ->> 'per pool')::bigint
$$;

-- The sums after one more decision.
CREATE OR REPLACE FUNCTION add_alone(alone jsonb, approver uuid, investor uuid, amount bigint) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT alone || jsonb_build_object(
    'approver ' || approver, coalesce((alone ->> ('approver ' || approver))::bigint, 0) + amount,
    'investor ' || investor, coalesce((alone ->> ('investor ' || investor))::bigint, 0) + amount,
    'all', (alone ->> 'all')::bigint + amount)
$$;
