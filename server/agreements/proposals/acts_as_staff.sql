-- True for an admin or super admin who is neither suspended nor frozen.
CREATE OR REPLACE FUNCTION acts_as_staff(account uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM users AS u JOIN user_roles AS r ON r.user_id = u.id AND r.role IN ('ADMIN', 'SUPER_ADMIN')
    WHERE u.id = account AND u.suspended_at IS NULL AND u.frozen_at IS NULL)
$$;
