ALTER TABLE sessions ADD COLUMN factor_at timestamptz;
COMMENT ON COLUMN sessions.factor_at IS 'The last proof of a second factor in this session.';

CREATE TABLE factors (
  id            uuid PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users,
  kind          text NOT NULL CHECK (kind IN ('TOTP', 'PASSKEY')),
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  key_id        text,
  last_step     bigint,
  credential_id bytea UNIQUE,
  public_key    bytea,
  counter       bigint CHECK (counter >= 0),
  transports    text[],
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz,
  CONSTRAINT factors_are_whole CHECK (CASE kind
    WHEN 'TOTP' THEN num_nonnulls(key_id, last_step) = 2
      AND num_nonnulls(credential_id, public_key, counter, transports) = 0
    ELSE num_nonnulls(key_id, last_step) = 0
      AND num_nonnulls(credential_id, public_key, counter, transports) = 4 END)
);
COMMENT ON TABLE factors IS 'Second factors of users, each proven once before it was added.';
COMMENT ON COLUMN factors.key_id IS
  'The key from which the secret of an authenticator app is derived. The secret is stored nowhere.';
COMMENT ON COLUMN factors.last_step IS
  'The 30 seconds of the last code, counted from 1970. Earlier codes are refused.';
COMMENT ON COLUMN factors.counter IS
  'Uses of a passkey, as its device counts them. Zero for devices that do not count.';

CREATE INDEX factors_by_user ON factors (user_id);

CREATE TABLE recovery_codes (
  digest     bytea PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at    timestamptz
);
COMMENT ON TABLE recovery_codes IS 'Codes in place of a lost factor. Each works once.';
COMMENT ON COLUMN recovery_codes.digest IS
  'SHA-256 of the user''s id and the code, which has 120 random bits and is not stored.';

CREATE INDEX recovery_codes_by_user ON recovery_codes (user_id);

CREATE TABLE used_challenges (
  digest     bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE used_challenges IS
  'Challenges that a passkey has signed. Unused ones are stored nowhere.';

CREATE INDEX used_challenges_by_expiry ON used_challenges (expires_at);

COMMENT ON TABLE login_throttles IS
  'Failed sign-ins of all nodes by user, by IP and by both. Registrations by range of IPs, '
  'forgotten passwords by email and by range of IPs, and guessed codes by user.';
COMMENT ON COLUMN login_throttles.failures IS
  'Number of failures, or of all registrations or forgotten passwords in an hour.';
