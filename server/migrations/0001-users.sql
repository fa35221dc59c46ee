-- People, what they may do, and the sessions they hold.

CREATE TABLE users (
  id            uuid PRIMARY KEY,
  username      text NOT NULL CONSTRAINT users_username_key UNIQUE,
  password_hash text NOT NULL,
  first_name    text NOT NULL,
  last_name     text NOT NULL,
  country       text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT users_username_is_lower_case CHECK (username = lower(username))
);

CREATE TABLE user_roles (
  user_id    uuid NOT NULL REFERENCES users,
  role       text NOT NULL CHECK (role IN ('USER', 'ADMIN', 'SUPER_ADMIN')),
  granted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, role)
);

-- Only the SHA-256 of a token is kept: reading this table lets nobody in.
CREATE TABLE sessions (
  token_hash   bytea PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_last_used ON sessions (last_used_at);
