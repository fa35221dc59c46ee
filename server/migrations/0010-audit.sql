-- Who did what, when, from where, and what it changed. An entry is written in the transaction of
-- what it tells of; nothing changes it afterwards.
CREATE TABLE audit_entries (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- The user who did it; NULL where it was nobody who is signed in. `actor` is a username, 'system',
  -- or the operator.
  actor_id     uuid,
  actor        text NOT NULL,
  action       text NOT NULL,
  subject_type text NOT NULL,
  subject_id   text NOT NULL,
  -- The person whom it concerns, if it is one.
  owner_id     uuid,
  -- The address of the client, or 'operator', or 'job'.
  source       text NOT NULL,
  before       jsonb,
  after        jsonb,
  reason       text
);
CREATE INDEX audit_entries_by_age ON audit_entries (created_at, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (lower(actor) text_pattern_ops);
CREATE INDEX audit_entries_by_action ON audit_entries (action, created_at, id);
CREATE INDEX audit_entries_by_subject ON audit_entries (subject_id);
CREATE INDEX audit_entries_by_owner ON audit_entries (owner_id) WHERE owner_id IS NOT NULL;

-- The hash chain over the entries, in an order of its own: they are not committed in that of ids. No
-- foreign key: its check would need the right to change entries. `npm run audit:check` looks.
CREATE TABLE audit_seals (
  position bigint PRIMARY KEY CHECK (position > 0),
  entry_id bigint NOT NULL UNIQUE,
  hash     bytea NOT NULL
);

-- Entries that wait for their seal. One that is in neither table did not come in through the door.
CREATE TABLE audit_unsealed (entry_id bigint PRIMARY KEY);

-- Taken from the owner too, as far as an owner can take rights from itself. Superusers pass this,
-- not the triggers.
REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries, audit_seals FROM PUBLIC, CURRENT_USER;
