-- Tables of this district (server/reports/README.md).

CREATE TABLE liability_trees (
  day       date PRIMARY KEY,
  file      text NOT NULL,
  digest    text NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  blocks    bytea NOT NULL CHECK (length(blocks) > 0 AND ((length(blocks) % 40) = 0)),
  salted_by text NOT NULL CHECK (salted_by ~ '^[0-9a-f]{8}$'),
  key_id    text NOT NULL REFERENCES signing_keys,
  signature text NOT NULL CHECK (signature ~ '^[A-Za-z0-9_-]{86}$'),
  CONSTRAINT liability_trees_are_files
    CHECK (file ~ '^\{\n  "version": [123],\n  "day": "\d{4}-\d\d-\d\d",\n  "at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",\n  "root": "[0-9a-f]{64}",\n  "total": "(0|[1-9]\d{0,18})",\n  "leaves": [1-9]\d{0,9},(\n  "parts": [248],)?\n  "coins": "-?\d{1,19}",\n  "loans": "(0|[1-9]\d{0,18})"(,\n  "typed": "-?\d{1,19}")?\n\}\n$'
    AND ((file ~ '\n  "version": [23],') = (file ~ '\n  "parts": '))
    AND ((file ~ '\n  "version": 3,') = (file ~ '\n  "typed": ')) AND (substr(file, 29,
    10) = to_char((day)::timestamp with time zone, 'YYYY-MM-DD')))
);
COMMENT ON TABLE liability_trees IS
  'The signed file of what the pool owes, for each day. None is changed, deleted or made again.';
COMMENT ON COLUMN liability_trees.day IS 'In UTC.';
COMMENT ON COLUMN liability_trees.file IS
  'The JSON that everybody gets, with the root and the total (docs/liabilities.md).';
COMMENT ON COLUMN liability_trees.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN liability_trees.blocks IS
  'The nodes above each 512 leaves, from the left: 32 bytes of hash and 8 of sum each.';
COMMENT ON COLUMN liability_trees.salted_by IS
  'Id of the key that the salts and the padding of the day are derived from.';
COMMENT ON COLUMN liability_trees.signature IS 'Ed25519 of name and digest, 64 bytes in base64url.';

CREATE TABLE liability_leaves (
  day       date NOT NULL,
  place     integer NOT NULL CHECK (place >= 0),
  user_id   uuid NOT NULL,
  available bigint NOT NULL CHECK (available >= 0),
  held      bigint NOT NULL CHECK (held >= 0),
  outgoing  bigint NOT NULL CHECK (outgoing >= 0),
  invested  bigint NOT NULL CHECK (invested >= 0),
  interest  bigint NOT NULL CHECK (interest >= 0),
  PRIMARY KEY (day, place),
  CONSTRAINT liability_leaves_one_per_investor UNIQUE (day, user_id)
);
COMMENT ON TABLE liability_leaves IS
  'Cents owed to each investor with money on a day. A day is deleted after 30 days; no row is changed.';
COMMENT ON COLUMN liability_leaves.place IS
  'In files of version 1 the place of the leaf, from the left. In later ones a number that leads to the '
  'places of the parts.';
COMMENT ON COLUMN liability_leaves.user_id IS
  'No foreign key: users are never deleted, and a million are written at once.';
COMMENT ON COLUMN liability_leaves.outgoing IS 'Approved withdrawals that are on the way.';
COMMENT ON COLUMN liability_leaves.interest IS 'Committed interest of active investments.';

CREATE TABLE notice_settings (
  user_id    uuid PRIMARY KEY REFERENCES users,
  read_until timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  mailed     text[],
  morning    boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE notice_settings IS
  'Which notices users have read, and which they get by mail. Users without a row chose nothing.';
COMMENT ON COLUMN notice_settings.read_until IS
  'Notices of this millisecond and earlier are read. Never goes back.';
COMMENT ON COLUMN notice_settings.mailed IS
  'The chosen kinds of contract/notices.ts. NULL for the default ones.';
COMMENT ON COLUMN notice_settings.morning IS
  'True for staff who get the day since yesterday began by mail each morning.';

CREATE TABLE notice_mailing (
  only_row boolean DEFAULT true PRIMARY KEY CHECK (only_row),
  until    timestamptz NOT NULL
);
COMMENT ON TABLE notice_mailing IS
  'The moment up to which notices were turned into mails. One row, which one job at a time locks.';
INSERT INTO notice_mailing (until) VALUES (now());
