-- Tables of this district (server/base/README.md).

CREATE TABLE heartbeats (
  only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
  at       timestamptz NOT NULL
);
COMMENT ON TABLE heartbeats IS
  'A moment that the primary passed. Its copy on a replica tells how far that one is behind.';
INSERT INTO heartbeats (at) VALUES (now());

CREATE TABLE tallies (
  noun     text NOT NULL,
  day      date NOT NULL,
  kind     text NOT NULL,
  status   text NOT NULL,
  slot     smallint NOT NULL,
  rows     bigint NOT NULL,
  cents    bigint NOT NULL,
  interest bigint NOT NULL,
  PRIMARY KEY (noun, day, kind, status, slot)
) WITH (fillfactor=50);
COMMENT ON TABLE tallies IS
  'Numbers of rows and their sums. Changed in the transaction that changes the rows.';
COMMENT ON COLUMN tallies.noun IS 'A table, or decisions and maturities, which are rows by their last day.';
COMMENT ON COLUMN tallies.day IS 'In UTC. -infinity holds all days together.';
COMMENT ON COLUMN tallies.kind IS
  'A type, network or action, or the days of an investment. Empty where rows have none.';
COMMENT ON COLUMN tallies.status IS 'Empty where rows have none.';
COMMENT ON COLUMN tallies.slot IS
  'Concurrent transactions write to different slots, so that none waits. A tally sums its slots.';
COMMENT ON COLUMN tallies.cents IS 'The sum of amounts, or of principals.';
COMMENT ON COLUMN tallies.interest IS 'Cents, of investments.';

CREATE TABLE sessions (
  token_hash   bytea PRIMARY KEY,
  user_id      uuid NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  factor_at    timestamptz,
  id           uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  ip           text NOT NULL DEFAULT '',
  user_agent   text NOT NULL DEFAULT '',
  mac          text NOT NULL,
  factor_mac   text,
  CONSTRAINT sessions_user_agent_is_short CHECK (length(user_agent) <= 200)
) WITH (fillfactor=70);
COMMENT ON TABLE sessions IS 'Sessions of signed-in users. Deleted when they end.';
COMMENT ON COLUMN sessions.token_hash IS
  'SHA-256 of the token. The token is not stored, so reading this table gives no access.';
COMMENT ON COLUMN sessions.last_used_at IS
  'Written every 30 seconds of use. Has no index, so that the row is rewritten on its page.';
COMMENT ON COLUMN sessions.factor_at IS 'The last proof of a second factor in this session.';
COMMENT ON COLUMN sessions.id IS 'Its public name. The hash of the token is not sent.';
COMMENT ON COLUMN sessions.ip IS 'The IP address of the sign-in. Empty where none is known.';
COMMENT ON COLUMN sessions.user_agent IS 'As the browser named itself, cut at 200 characters.';
COMMENT ON COLUMN sessions.mac IS
  'Signs token, user and start by the key file (server/base/sessions).';
COMMENT ON COLUMN sessions.factor_mac IS 'Signs the proof at factor_at in the same way.';
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE reading_keys (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL,
  name         text NOT NULL CHECK (name <> '' AND length(name) <= 60),
  token_hash   bytea NOT NULL CHECK (octet_length(token_hash) = 32) UNIQUE,
  made_at      timestamptz NOT NULL DEFAULT now(),
  ends_at      timestamptz NOT NULL,
  last_used_at timestamptz,
  mac          text NOT NULL,
  CONSTRAINT reading_keys_check CHECK (ends_at > made_at AND (ends_at <= (made_at + '366 days'::interval)))
);
COMMENT ON TABLE reading_keys IS 'Living keys for reading. An ended one is deleted.';
COMMENT ON COLUMN reading_keys.token_hash IS 'SHA-256 of the key, which is stored nowhere.';
COMMENT ON COLUMN reading_keys.mac IS
  'By the key file, over hash, user and both moments: SQL alone makes no key and prolongs none.';
CREATE INDEX reading_keys_by_user ON reading_keys (user_id, made_at);

CREATE TYPE tally_change AS (
  noun     text,
  day      date,
  kind     text,
  status   text,
  rows     bigint,
  cents    bigint,
  interest bigint
);
COMMENT ON TYPE tally_change IS 'An addition to a tally, negative for rows that go.';
