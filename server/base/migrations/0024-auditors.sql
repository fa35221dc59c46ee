ALTER TABLE user_roles
  DROP CONSTRAINT user_roles_role_check,
  ADD CONSTRAINT user_roles_role_check CHECK (role IN ('USER', 'ADMIN', 'AUDITOR', 'SUPER_ADMIN'));
ALTER TABLE access_changes
  DROP CONSTRAINT access_changes_role_check,
  ADD CONSTRAINT access_changes_role_check CHECK (role IN ('USER', 'ADMIN', 'AUDITOR', 'SUPER_ADMIN'));
