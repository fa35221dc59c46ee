ALTER TABLE users ADD COLUMN withdrawals_rest_until timestamptz;
COMMENT ON COLUMN users.withdrawals_rest_until IS
  'No withdrawal can be requested before. Set when a forgotten password was replaced.';

CREATE TABLE password_resets (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  token_digest bytea NOT NULL UNIQUE,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz
);
COMMENT ON TABLE password_resets IS 'Mailed links for a new password. Each works once.';
COMMENT ON COLUMN password_resets.token_digest IS
  'SHA-256 of the token. The token is stored nowhere: the sender derives it from the id.';
COMMENT ON COLUMN password_resets.used_at IS
  'The use of this link, or of another one of the same user, which ends them all.';

CREATE INDEX password_resets_by_user ON password_resets (user_id);

COMMENT ON TABLE login_throttles IS
  'Failed sign-ins of all nodes by user, by IP and by both. Registrations by range of IPs, and '
  'forgotten passwords by email and by range of IPs.';
COMMENT ON COLUMN login_throttles.failures IS
  'Number of failures, or of all registrations or forgotten passwords in an hour.';
