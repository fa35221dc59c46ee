-- A block that can never be read is left out by two people.
ALTER TABLE chains ADD COLUMN unread_height bigint;
COMMENT ON COLUMN chains.unread_height IS
  'The block that the last look could not read, at which the follower stands. NULL if there is none.';

CREATE TABLE block_skips (
  id           uuid PRIMARY KEY REFERENCES proposals,
  network_name text NOT NULL,
  from_height  bigint NOT NULL,
  to_height    bigint NOT NULL,
  agreed_at    timestamptz NOT NULL DEFAULT now(),
  skipped_at   timestamptz,
  ended_at     timestamptz,
  CONSTRAINT block_skips_are_short CHECK (from_height > 0 AND to_height BETWEEN from_height AND from_height + 99)
);
COMMENT ON TABLE block_skips IS 'Blocks that two super admins agreed to leave out. Their coins are found by balances.';
COMMENT ON COLUMN block_skips.skipped_at IS 'The moment at which the follower left them out.';
COMMENT ON COLUMN block_skips.ended_at IS
  'The moment at which the first of them could be read after all, or another branch took their place.';
CREATE UNIQUE INDEX block_skips_wait_once ON block_skips (network_name) WHERE skipped_at IS NULL AND ended_at IS NULL;
CREATE INDEX block_skips_by_network ON block_skips (network_name, agreed_at);
