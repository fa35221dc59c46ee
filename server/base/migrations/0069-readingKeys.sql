-- Keys with which programs of a user read the own records.
CREATE TABLE reading_keys (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users (id),
  name         text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  token_hash   bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  made_at      timestamptz NOT NULL,
  ends_at      timestamptz NOT NULL CHECK (ends_at > made_at AND ends_at <= made_at + interval '366 days'),
  last_used_at timestamptz,
  mac          text NOT NULL
);
CREATE INDEX reading_keys_by_user ON reading_keys (user_id, made_at);
COMMENT ON TABLE reading_keys IS 'Living keys for reading. An ended one is deleted.';
COMMENT ON COLUMN reading_keys.token_hash IS 'SHA-256 of the key, which is stored nowhere.';
COMMENT ON COLUMN reading_keys.mac IS 'By the key file, over hash, user and both moments: SQL alone makes no key and prolongs none.';
