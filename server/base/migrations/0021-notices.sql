CREATE TABLE notice_settings (
  user_id    uuid PRIMARY KEY REFERENCES users,
  read_until timestamptz NOT NULL DEFAULT '-infinity',
  mailed     text[]
);
COMMENT ON TABLE notice_settings IS
  'Which notices users have read, and which they get by mail. Users without a row chose nothing.';
COMMENT ON COLUMN notice_settings.read_until IS
  'Notices of this millisecond and earlier are read. Never goes back.';
COMMENT ON COLUMN notice_settings.mailed IS
  'The chosen kinds of contract/notices.ts. NULL for the default ones.';

-- What happened before notices existed is no news.
INSERT INTO notice_settings (user_id, read_until)
SELECT id, date_trunc('milliseconds', now()) FROM users;

CREATE TABLE notice_mailing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  until    timestamptz NOT NULL
);
COMMENT ON TABLE notice_mailing IS
  'The moment up to which notices were turned into mails. One row, which one job at a time locks.';
INSERT INTO notice_mailing (until) VALUES (now());

ALTER TABLE mails ADD COLUMN cause uuid;
COMMENT ON COLUMN mails.cause IS 'The notice that it tells of, once at most. NULL for other mails.';
CREATE UNIQUE INDEX mails_once_per_cause ON mails (cause) WHERE cause IS NOT NULL;

-- Frequent entries are no notices, and would hide the others from a short scan.
CREATE INDEX audit_entries_as_notices ON audit_entries (owner_id, created_at, nonce)
  WHERE owner_id IS NOT NULL AND nonce IS NOT NULL
    AND action <> ALL ('{session.started,session.refused,session.ended,factor.refused}'::text[]);
