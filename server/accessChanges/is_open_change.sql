-- True for a request that can still be approved: at most a week old, by a super admin who could
-- still ask. A factor's use stops a reset of factors.
CREATE OR REPLACE FUNCTION is_open_change(change access_changes) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT change.status = 'OPEN' AND change.asked_at > now() - interval '7 days' AND acts_as_super_admin(change.asked_by)
    AND NOT EXISTS (SELECT FROM factor_resets AS r WHERE r.id = change.id AND r.ended_at IS NOT NULL)
$$;
