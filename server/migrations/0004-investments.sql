CREATE TABLE investments (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL,
  principal         bigint NOT NULL CHECK (principal > 0),
  rate_basis_points integer NOT NULL CHECK (rate_basis_points >= 0),
  interest          bigint NOT NULL CHECK (interest >= 0),
  duration_days     integer NOT NULL CHECK (duration_days > 0),
  status            text NOT NULL CHECK (status IN ('ACTIVE', 'COMPLETED')),
  matures_at        timestamptz NOT NULL,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL
);
COMMENT ON TABLE investments IS
  'Principal at work at fixed interest. ACTIVE, then COMPLETED once. No other column changes.';
COMMENT ON COLUMN investments.user_id IS
  'Has no foreign key. The trigger investments_have_owners checks all new owners at once.';
COMMENT ON COLUMN investments.principal IS 'Cents.';
COMMENT ON COLUMN investments.rate_basis_points IS
  'Interest for the whole duration, in hundredths of a percent of the principal.';
COMMENT ON COLUMN investments.interest IS 'Cents, set aside in the reserve when it was opened.';

CREATE INDEX investments_by_user ON investments (user_id, created_at DESC, id DESC);
CREATE INDEX investments_by_age ON investments (created_at DESC, id DESC);
CREATE INDEX investments_by_maturity ON investments (matures_at, id);
CREATE INDEX investments_by_principal ON investments (principal, id);
CREATE INDEX investments_by_interest ON investments (interest, id);
-- Long after the last investment, the newest are ACTIVE, and what is COMPLETED begins deep below.
CREATE INDEX investments_by_status ON investments (created_at DESC, id DESC)
  WHERE status = 'COMPLETED';
-- Figures of what is at work are read from this index alone.
CREATE INDEX investments_maturing ON investments (matures_at, id) INCLUDE (principal, interest)
  WHERE status = 'ACTIVE';
