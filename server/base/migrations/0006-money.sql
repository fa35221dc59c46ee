-- Tables of this district (server/money/README.md).

CREATE TABLE plans (
  id                uuid PRIMARY KEY,
  duration_days     integer NOT NULL CHECK (duration_days >= 1 AND duration_days <= 1825),
  rate_basis_points integer NOT NULL CHECK (rate_basis_points >= 1 AND rate_basis_points <= 10000),
  least             bigint NOT NULL CHECK ("least" > 0),
  most              bigint,
  capacity          bigint,
  least_runway      integer CHECK (least_runway >= 1 AND least_runway <= 3650),
  is_open           boolean NOT NULL,
  starts_at         timestamptz NOT NULL,
  CONSTRAINT plans_check CHECK (most >= "least"),
  CONSTRAINT plans_check1 CHECK (capacity >= "least"),
  CONSTRAINT plans_start_once UNIQUE (duration_days, starts_at)
);
COMMENT ON TABLE plans IS
  'Versions of plans. The newest that has started counts. None is changed or deleted.';
COMMENT ON COLUMN plans.id IS
  'The proposal of two people that made it. Those of the first version have fixed ids.';
COMMENT ON COLUMN plans.rate_basis_points IS 'Interest over the whole term.';
COMMENT ON COLUMN plans.least IS 'The least principal in cents.';
COMMENT ON COLUMN plans.most IS 'The most principal in cents. NULL without a bound.';
COMMENT ON COLUMN plans.capacity IS
  'The most cents of principal at work in the plan at once. NULL without a bound.';
COMMENT ON COLUMN plans.least_runway IS
  'Closes it while the free reserve would last fewer days. NULL without a bound.';
COMMENT ON COLUMN plans.starts_at IS 'The moment from which it counts. -infinity of the first version.';
INSERT INTO plans (id, duration_days, rate_basis_points, least, is_open, starts_at) VALUES
  ('00000000-0000-7000-8000-000000000001', 1, 400, 1, true, '-infinity'),
  ('00000000-0000-7000-8000-000000000005', 5, 500, 1, true, '-infinity'),
  ('00000000-0000-7000-8000-000000000012', 12, 700, 1, true, '-infinity');

CREATE TABLE pauses (
  name              text PRIMARY KEY,
  movement          text NOT NULL UNIQUE,
  paused_at         timestamptz,
  paused_by         text,
  reason            text,
  reconciliation_id uuid,
  by_loss           boolean NOT NULL DEFAULT false,
  by_wind_down      boolean NOT NULL DEFAULT false,
  CONSTRAINT pauses_of_breaks CHECK ((reconciliation_id IS NULL) OR (paused_at IS NOT NULL)),
  CONSTRAINT pauses_of_losses CHECK ((NOT by_loss) OR (paused_at IS NOT NULL)),
  CONSTRAINT pauses_of_wind_downs CHECK ((NOT by_wind_down) OR (paused_at IS NOT NULL)),
  CONSTRAINT pauses_paused_with_a_reason CHECK (num_nulls(paused_at, paused_by, reason) IN (0, 3))
);
COMMENT ON TABLE pauses IS
  'Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on.';
COMMENT ON COLUMN pauses.movement IS 'The movement that a pause refuses.';
COMMENT ON COLUMN pauses.paused_at IS 'NULL without a pause, like its actor and its reason.';
COMMENT ON COLUMN pauses.reconciliation_id IS
  'The comparison whose break made the pause. Two people end such a pause.';
COMMENT ON COLUMN pauses.by_loss IS 'True while an open loss holds it. Nothing else ends it then.';
COMMENT ON COLUMN pauses.by_wind_down IS 'True while the pool winds down. Nothing else ends it then.';
INSERT INTO pauses (name, movement) VALUES
  ('deposits', 'deposit_requested'),
  ('withdrawals', 'withdrawal_held'),
  ('investing', 'investment_opened');

CREATE TABLE ended_pauses (
  id       uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  name     text NOT NULL REFERENCES pauses(name),
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  CONSTRAINT ended_pauses_end_later CHECK (ended_at >= began_at)
);
COMMENT ON TABLE ended_pauses IS 'Pauses that ended, each with both ends. A trigger writes them.';

CREATE TABLE approval_limits (
  only_row   boolean DEFAULT true PRIMARY KEY CHECK (only_row),
  per_person bigint NOT NULL CHECK (per_person >= 0),
  per_pool   bigint NOT NULL,
  CONSTRAINT approval_limits_check CHECK (per_pool >= per_person)
);
COMMENT ON TABLE approval_limits IS 'Most cents that one person decides alone in 24 hours. One row.';
COMMENT ON COLUMN approval_limits.per_person IS 'Limit for one investor, and for one approver.';
COMMENT ON COLUMN approval_limits.per_pool IS 'Limit for all investors and approvers together.';
INSERT INTO approval_limits (per_person, per_pool) VALUES (1000000, 5000000);

CREATE TABLE payout_addresses (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users,
  address      text NOT NULL,
  network_name text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  usable_from  timestamptz NOT NULL,
  label        text CHECK (label <> ''),
  CONSTRAINT payout_addresses_check CHECK (usable_from >= created_at)
);
COMMENT ON TABLE payout_addresses IS
  'Every payout address that an investor saved. Rows stay, and the newest usable one counts.';
COMMENT ON COLUMN payout_addresses.usable_from IS
  'After created_at for a replacement, so that its owner can stop a thief.';
COMMENT ON COLUMN payout_addresses.label IS 'The owner''s own name for it.';
CREATE INDEX payout_addresses_in_use ON payout_addresses (user_id, created_at DESC, id DESC);
CREATE INDEX payout_addresses_of_all ON payout_addresses (lower(address), user_id, created_at);
