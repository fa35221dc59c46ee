-- People and what they may do.

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
CREATE INDEX users_by_age ON users (created_at, id);
CREATE INDEX users_by_name ON users (lower((first_name || ' ' || last_name) COLLATE "und-x-icu"), id);

CREATE TABLE user_roles (
  user_id    uuid NOT NULL REFERENCES users,
  role       text NOT NULL CHECK (role IN ('USER', 'ADMIN', 'SUPER_ADMIN')),
  granted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, role)
);
CREATE INDEX user_roles_by_role ON user_roles (role, user_id);
