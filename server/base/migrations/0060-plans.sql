-- A plan is named by its days. Its newest version that has started counts.
CREATE TABLE plans (
  id                uuid PRIMARY KEY,
  duration_days     integer NOT NULL CHECK (duration_days BETWEEN 1 AND 1825),
  rate_basis_points integer NOT NULL CHECK (rate_basis_points BETWEEN 1 AND 10000),
  least             bigint NOT NULL CHECK (least > 0),
  most              bigint CHECK (most >= least),
  capacity          bigint CHECK (capacity >= least),
  is_open           boolean NOT NULL,
  starts_at         timestamptz NOT NULL,
  CONSTRAINT plans_start_once UNIQUE (duration_days, starts_at)
);
COMMENT ON TABLE plans IS 'Versions of plans. The newest that has started counts. None is changed or deleted.';
COMMENT ON COLUMN plans.id IS
  'The proposal of two people that made it. Those of the first version have fixed ids.';
COMMENT ON COLUMN plans.rate_basis_points IS 'Interest over the whole term.';
COMMENT ON COLUMN plans.least IS 'The least principal in cents.';
COMMENT ON COLUMN plans.most IS 'The most principal in cents. NULL without a bound.';
COMMENT ON COLUMN plans.capacity IS
  'The most cents of principal at work in the plan at once. NULL without a bound.';
COMMENT ON COLUMN plans.starts_at IS 'The moment from which it counts. -infinity of the first version.';

INSERT INTO plans (id, duration_days, rate_basis_points, least, is_open, starts_at) VALUES
  ('00000000-0000-7000-8000-000000000001', 1, 400, 1, true, '-infinity'),
  ('00000000-0000-7000-8000-000000000005', 5, 500, 1, true, '-infinity'),
  ('00000000-0000-7000-8000-000000000012', 12, 700, 1, true, '-infinity');

ALTER TABLE transactions
  ADD COLUMN plan_id uuid,
  ADD CONSTRAINT transactions_plan_of_an_investment CHECK (plan_id IS NULL OR type = 'investment');
COMMENT ON COLUMN transactions.plan_id IS
  'Investment: the version of its plan. NULL for those opened by older releases.';

-- Investments are tallied by their days from now on, for the principal at work in a plan.
DELETE FROM tallies WHERE noun = 'investments';
INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
SELECT 'investments', each.day, duration_days::text, investment_status, 0, count(*), sum(amount), sum(interest)
FROM transactions CROSS JOIN LATERAL (VALUES ((created_at AT TIME ZONE 'UTC')::date), ('-infinity'::date)) AS each (day)
WHERE type = 'investment' GROUP BY each.day, duration_days, investment_status;
COMMENT ON COLUMN tallies.kind IS
  'A type, network or action, or the days of an investment. Empty where rows have none.';
