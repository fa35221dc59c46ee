-- True for a request that can still be approved: at most a week old, by a super admin who could
-- still ask.
CREATE OR REPLACE FUNCTION is_open_change(change access_changes) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT change.status = 'OPEN' AND change.asked_at > now() - interval '7 days' AND EXISTS (
    SELECT FROM users AS u JOIN user_roles AS r ON r.user_id = u.id AND r.role = 'SUPER_ADMIN'
    WHERE u.id = change.asked_by AND u.suspended_at IS NULL AND u.frozen_at IS NULL)
$$;
