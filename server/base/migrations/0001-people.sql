CREATE TABLE users (
  id            uuid PRIMARY KEY,
  username      text NOT NULL CONSTRAINT users_username_key UNIQUE,
  password_hash text NOT NULL,
  first_name    text NOT NULL,
  last_name     text NOT NULL,
  country       text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  suspended_at  timestamptz,
  CONSTRAINT users_username_is_lower_case CHECK (username = lower(username))
);
COMMENT ON TABLE users IS 'People who can sign in. Rows stay and keep their ids.';
COMMENT ON COLUMN users.username IS 'The email address, in lower case.';
COMMENT ON COLUMN users.password_hash IS 'Argon2id, in the PHC format.';
COMMENT ON COLUMN users.country IS 'Two letters, as registration sent them.';
COMMENT ON COLUMN users.suspended_at IS 'Moment of the suspension. NULL when the user may sign in.';

CREATE INDEX users_by_age ON users (created_at, id);
CREATE INDEX users_by_name
  ON users (lower((first_name || ' ' || last_name) COLLATE "und-x-icu"), id);

CREATE TABLE user_roles (
  user_id    uuid NOT NULL REFERENCES users,
  role       text NOT NULL CHECK (role IN ('USER', 'ADMIN', 'SUPER_ADMIN')),
  granted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, role)
);
COMMENT ON TABLE user_roles IS 'Roles of users. A revoked role is deleted.';

CREATE INDEX user_roles_by_role ON user_roles (role, user_id);
