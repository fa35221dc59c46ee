-- A sandbox or a copy of a live pool that is wound down for rehearsal (docs/decisions/072).
CREATE TABLE rehearsals (
  is_one          boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  default_percent smallint CHECK (default_percent BETWEEN 0 AND 100),
  began_at        timestamptz,
  moment          timestamptz,
  opening         jsonb,
  ended_at        timestamptz,
  CONSTRAINT rehearsals_begin_whole CHECK (num_nulls(default_percent, began_at, moment, opening) IN (0, 4))
);
COMMENT ON TABLE rehearsals IS
  'One row in a database in which a wind-down is rehearsed. A restored copy of a live pool has it before, and is never served.';
COMMENT ON COLUMN rehearsals.default_percent IS 'So many of a hundred borrowers pay nothing from its begin on.';
COMMENT ON COLUMN rehearsals.moment IS 'The clock of the rehearsal. One that was stopped goes on from it.';
COMMENT ON COLUMN rehearsals.opening IS 'Cents at the begin, by account.';
