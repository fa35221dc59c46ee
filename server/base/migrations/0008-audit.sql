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
  nonce        uuid UNIQUE,
  mac          text
);
COMMENT ON TABLE audit_entries IS
  'The audit trail: actor, moment, source and changes of each act, in its transaction. Final.';
COMMENT ON COLUMN audit_entries.actor_id IS 'NULL unless the actor is a signed-in user.';
COMMENT ON COLUMN audit_entries.actor IS 'A username, ''system'', or the operator.';
COMMENT ON COLUMN audit_entries.owner_id IS 'The user that the entry concerns, if any.';
COMMENT ON COLUMN audit_entries.source IS 'An IP address, ''operator'' or ''job''.';
COMMENT ON COLUMN audit_entries.nonce IS 'Makes the entry unique, so that a copy is refused.';
COMMENT ON COLUMN audit_entries.mac IS
  'MAC by a key that the database never holds. NULL in entries older than signing.';

CREATE INDEX audit_entries_by_age ON audit_entries (created_at, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (lower(actor) text_pattern_ops);
CREATE INDEX audit_entries_by_action ON audit_entries (action, created_at, id);
CREATE INDEX audit_entries_by_subject ON audit_entries (subject_id);
CREATE INDEX audit_entries_by_owner ON audit_entries (owner_id) WHERE owner_id IS NOT NULL;
-- The entries that admins read. Most others are sign-ins.
CREATE INDEX audit_entries_not_about_users ON audit_entries (created_at, id)
  WHERE subject_type <> 'user';

CREATE TABLE audit_seals (
  position bigint PRIMARY KEY CHECK (position > 0),
  entry_id bigint NOT NULL UNIQUE,
  hash     bytea NOT NULL,
  key_id   text
);
COMMENT ON TABLE audit_seals IS
  'Hash chain over the entries, in its own order, since ids do not commit in order.';
COMMENT ON COLUMN audit_seals.entry_id IS
  'Has no foreign key, whose check would need the right to change entries. `audit:check` looks.';
COMMENT ON COLUMN audit_seals.hash IS
  'HMAC-SHA-256 of the previous hash and of the entry. SHA-256 without a key.';
COMMENT ON COLUMN audit_seals.key_id IS 'Id of the key. NULL in seals older than signing.';

CREATE TABLE audit_unsealed (entry_id bigint PRIMARY KEY);
COMMENT ON TABLE audit_unsealed IS
  'Entries that wait for their seal. An entry in neither table was inserted past the product.';

-- Rows older than signing have neither. NOT VALID spares them.
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_are_signed
  CHECK (num_nulls(nonce, mac) = 0) NOT VALID;
ALTER TABLE audit_seals ADD CONSTRAINT audit_seals_name_their_key
  CHECK (key_id IS NOT NULL) NOT VALID;

-- Taken from the owner too, as far as an owner can take rights from itself. Superusers pass this,
-- not the triggers.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries, audit_seals FROM PUBLIC, CURRENT_USER;
