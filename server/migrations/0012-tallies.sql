-- How many rows there are and what they come to, by day (UTC), kind and status: totals cost the same
-- however many rows there are. A tally changes in the transaction that changes the rows.
CREATE TABLE tallies (
  noun     text NOT NULL,
  -- '-infinity' holds all days together.
  day      date NOT NULL,
  kind     text NOT NULL,
  status   text NOT NULL,
  -- Transactions that write at the same moment write to different slots, so that none waits for
  -- another: a tally is the sum of its slots.
  slot     smallint NOT NULL,
  rows     bigint NOT NULL,
  cents    bigint NOT NULL,
  interest bigint NOT NULL,
  PRIMARY KEY (noun, day, kind, status, slot)
) WITH (fillfactor = 50);

CREATE TYPE tally_change AS
  (noun text, day date, kind text, status text, rows bigint, cents bigint, interest bigint);
