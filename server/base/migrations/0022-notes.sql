CREATE TABLE notes (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users,
  author_id  uuid NOT NULL REFERENCES users,
  text       text NOT NULL CHECK (length(text) BETWEEN 1 AND 500),
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE notes IS 'Notes of staff about users. They are only added.';
COMMENT ON COLUMN notes.user_id IS 'The user that the note is about.';

CREATE INDEX notes_by_user ON notes (user_id, created_at);
