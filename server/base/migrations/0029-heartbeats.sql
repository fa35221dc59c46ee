CREATE TABLE heartbeats (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  at       timestamptz NOT NULL
);
COMMENT ON TABLE heartbeats IS
  'A moment that the primary passed. Its copy on a replica tells how far that one is behind.';
INSERT INTO heartbeats (at) VALUES (now());
