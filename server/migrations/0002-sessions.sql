CREATE TABLE sessions (
  token_hash   bytea PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
COMMENT ON TABLE sessions IS 'Who is signed in. Deleted when it ends.';
COMMENT ON COLUMN sessions.token_hash IS
  'SHA-256 of the token, which is not kept: reading this table lets nobody in.';
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
  'Failed sign-ins, counted by account, by address, and by the two together, for all nodes.';
COMMENT ON COLUMN login_throttles.key IS 'Digest of what is counted.';
COMMENT ON COLUMN login_throttles.last_at IS 'The last attempt.';
COMMENT ON COLUMN login_throttles.succeeded_at IS
  'Of an account and an address together: the last sign-in to that account from that address.';

CREATE INDEX login_throttles_by_age ON login_throttles (last_at);
