CREATE TABLE job_successes (
  name text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now(),
  succeeded_at timestamptz
);
COMMENT ON TABLE job_successes IS
  'The last success of each job that repeats, on any node. Readiness, states and alerts come from it (server/jobs/successes.ts).';
