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
) WITH (fillfactor = 50);
COMMENT ON TABLE tallies IS
  'Numbers of rows and their sums. Changed in the transaction that changes the rows.';
COMMENT ON COLUMN tallies.noun IS
  'A table, or decisions and maturities, which are rows by their last day.';
COMMENT ON COLUMN tallies.day IS 'In UTC. -infinity holds all days together.';
COMMENT ON COLUMN tallies.kind IS 'A type, network or action. Empty where rows have none.';
COMMENT ON COLUMN tallies.status IS 'Empty where rows have none.';
COMMENT ON COLUMN tallies.slot IS
  'Concurrent transactions write to different slots, so that none waits. A tally sums its '
  'slots.';
COMMENT ON COLUMN tallies.cents IS 'The sum of amounts, or of principals.';
COMMENT ON COLUMN tallies.interest IS 'Cents, of investments.';

CREATE TYPE tally_change AS
  (noun text, day date, kind text, status text, rows bigint, cents bigint, interest bigint);
COMMENT ON TYPE tally_change IS 'An addition to a tally, negative for rows that go.';
