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
  reason       text
);
COMMENT ON TABLE audit_entries IS
  'Who did what, when, from where, and what it changed. Written in the same transaction; final.';
COMMENT ON COLUMN audit_entries.actor_id IS 'NULL where nobody signed in did it.';
COMMENT ON COLUMN audit_entries.actor IS 'A username, ''system'', or the operator.';
COMMENT ON COLUMN audit_entries.owner_id IS 'The person whom it concerns, if it is one.';
COMMENT ON COLUMN audit_entries.source IS 'The address of the client, ''operator'', or ''job''.';

CREATE INDEX audit_entries_by_age ON audit_entries (created_at, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (lower(actor) text_pattern_ops);
CREATE INDEX audit_entries_by_action ON audit_entries (action, created_at, id);
CREATE INDEX audit_entries_by_subject ON audit_entries (subject_id);
CREATE INDEX audit_entries_by_owner ON audit_entries (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE audit_seals (
  position bigint PRIMARY KEY CHECK (position > 0),
  entry_id bigint NOT NULL UNIQUE,
  hash     bytea NOT NULL
);
COMMENT ON TABLE audit_seals IS
  'The hash chain over the entries, in an order of its own: they are not committed in that of ids.';
COMMENT ON COLUMN audit_seals.entry_id IS
  'Has no foreign key: its check would need the right to change entries. `audit:check` looks.';
COMMENT ON COLUMN audit_seals.hash IS 'SHA-256 of the hash before it and of the entry.';

CREATE TABLE audit_unsealed (entry_id bigint PRIMARY KEY);
COMMENT ON TABLE audit_unsealed IS
  'Entries that wait for their seal. One that is in neither table was inserted past the product.';

-- Taken from the owner too, as far as an owner can take rights from itself. Superusers pass this,
-- not the triggers.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries, audit_seals FROM PUBLIC, CURRENT_USER;
