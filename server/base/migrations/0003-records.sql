-- Tables of this district (server/records/README.md).

CREATE TABLE audit_entries (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at   timestamptz NOT NULL DEFAULT now(),
  actor_id     uuid,
  actor        text NOT NULL,
  action       text NOT NULL,
  subject_type text NOT NULL,
  subject_id   text NOT NULL,
  owner_id     uuid,
  source       text NOT NULL,
  before       jsonb,
  after        jsonb,
  reason       text,
  nonce        uuid NOT NULL UNIQUE,
  mac          text NOT NULL
);
COMMENT ON TABLE audit_entries IS
  'The audit trail: actor, moment, source and changes of each act, in its transaction. Final.';
COMMENT ON COLUMN audit_entries.actor_id IS 'NULL unless the actor is a signed-in user.';
COMMENT ON COLUMN audit_entries.actor IS 'A username, ''system'', or the operator.';
COMMENT ON COLUMN audit_entries.owner_id IS 'The user that the entry concerns, if any.';
COMMENT ON COLUMN audit_entries.source IS 'An IP address, ''operator'' or ''job''.';
COMMENT ON COLUMN audit_entries.nonce IS 'Makes the entry unique, so that a copy is refused.';
COMMENT ON COLUMN audit_entries.mac IS
  'MAC by a key that the database never holds.';
CREATE INDEX audit_entries_as_notices ON audit_entries (owner_id, created_at, nonce)
  WHERE owner_id IS NOT NULL
  AND (action <> ALL ('{session.started,session.refused,session.ended,factor.refused}'::text[]));
CREATE INDEX audit_entries_by_action ON audit_entries (action, created_at, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (lower(actor) text_pattern_ops);
CREATE INDEX audit_entries_by_age ON audit_entries (created_at, id);
CREATE INDEX audit_entries_by_owner ON audit_entries (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX audit_entries_by_subject ON audit_entries (subject_id);
CREATE INDEX audit_entries_not_about_users ON audit_entries (created_at, id) WHERE subject_type <> 'user';
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM CURRENT_USER;

CREATE TABLE audit_seals (
  position bigint PRIMARY KEY CHECK ("position" > 0),
  entry_id bigint NOT NULL UNIQUE,
  hash     bytea NOT NULL,
  key_id   text NOT NULL
);
COMMENT ON TABLE audit_seals IS
  'Hash chain over the entries, in its own order, since ids do not commit in order.';
COMMENT ON COLUMN audit_seals.entry_id IS
  'Has no foreign key, whose check would need the right to change entries. `audit:check` looks.';
COMMENT ON COLUMN audit_seals.hash IS
  'HMAC-SHA-256 of the previous hash and of the entry.';
COMMENT ON COLUMN audit_seals.key_id IS 'Id of the key.';
REVOKE UPDATE, DELETE, TRUNCATE ON audit_seals FROM CURRENT_USER;

CREATE TABLE audit_unsealed (
  entry_id bigint PRIMARY KEY
);
COMMENT ON TABLE audit_unsealed IS
  'Entries that wait for their seal. An entry in neither table was inserted past the product.';

CREATE TABLE signing_keys (
  id           text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{8}$'),
  public_key   text NOT NULL CHECK (public_key ~ '^[A-Za-z0-9_-]{43}$') UNIQUE,
  published_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE signing_keys IS
  'Public keys of the pool. The key file has the private ones, and decides which of these count.';
COMMENT ON COLUMN signing_keys.public_key IS 'Ed25519, 32 bytes in base64url.';

CREATE TABLE pool_mode (
  only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
  mode     text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  set_at   timestamptz NOT NULL,
  mac      text NOT NULL
);
COMMENT ON TABLE pool_mode IS 'The mode of the pool, set at its first start and kept for good. One row.';
COMMENT ON COLUMN pool_mode.mac IS 'Signs mode and moment by the key file (server/mode).';
