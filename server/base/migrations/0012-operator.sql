-- Tables of this district (server/operator/README.md).

CREATE TABLE job_successes (
  name         text PRIMARY KEY,
  since        timestamptz NOT NULL DEFAULT now(),
  succeeded_at timestamptz
);
COMMENT ON TABLE job_successes IS
  'The last success of each job that repeats, on any node. Readiness, states and alerts come from it '
  '(server/jobs/successes.ts).';

CREATE TABLE rehearsals (
  is_one          boolean DEFAULT true PRIMARY KEY CHECK (is_one),
  default_percent smallint CHECK (default_percent >= 0 AND default_percent <= 100),
  began_at        timestamptz,
  moment          timestamptz,
  opening         jsonb,
  defaulting      jsonb,
  ended_at        timestamptz,
  CONSTRAINT rehearsals_begin_whole CHECK (num_nulls(default_percent, began_at, moment, opening, defaulting) IN (0, 5))
);
COMMENT ON TABLE rehearsals IS
  'One row in a database in which a wind-down is rehearsed. A restored copy of a live pool has it '
  'before, and is never served.';
COMMENT ON COLUMN rehearsals.default_percent IS
  'So many percent of the outstanding principal are asked to default at its begin.';
COMMENT ON COLUMN rehearsals.moment IS 'The clock of the rehearsal. One that was stopped goes on from it.';
COMMENT ON COLUMN rehearsals.opening IS 'Cents at the begin, by account.';
COMMENT ON COLUMN rehearsals.defaulting IS
  'Cents outstanding at the begin, by the id of each loan that pays nothing from then on.';
