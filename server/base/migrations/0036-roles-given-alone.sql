ALTER TABLE user_roles ADD COLUMN alone_by uuid REFERENCES users;
COMMENT ON COLUMN user_roles.alone_by IS
  'The only super admin, who gave this role of staff alone. NULL when two people or the operator did.';

CREATE INDEX user_roles_given_alone ON user_roles (granted_at) WHERE alone_by IS NOT NULL;
