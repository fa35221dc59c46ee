CREATE TABLE sessions (
  token_hash   bytea PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
COMMENT ON TABLE sessions IS 'Sessions of signed-in users. Deleted when they end.';
COMMENT ON COLUMN sessions.token_hash IS
  'SHA-256 of the token. The token is not stored, so reading this table gives no access.';
COMMENT ON COLUMN sessions.last_used_at IS
  'Written every 30 seconds of use. Has no index, so that the row is rewritten on its page.';

CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE login_throttles (
  key          bytea PRIMARY KEY,
  failures     integer NOT NULL CHECK (failures >= 0),
  last_at      timestamptz NOT NULL,
  succeeded_at timestamptz
);
COMMENT ON TABLE login_throttles IS
  'Failed sign-ins of all nodes by user, by IP and by both, and registrations by range of IPs.';
COMMENT ON COLUMN login_throttles.key IS 'Digest of the counted user, IP or range.';
COMMENT ON COLUMN login_throttles.failures IS
  'Number of failures, or of all registrations in an hour.';
COMMENT ON COLUMN login_throttles.last_at IS
  'The last attempt, or the first registration of the hour.';
COMMENT ON COLUMN login_throttles.succeeded_at IS
  'The last sign-in of this user from this IP. NULL in other rows.';

CREATE INDEX login_throttles_by_age ON login_throttles (last_at);
