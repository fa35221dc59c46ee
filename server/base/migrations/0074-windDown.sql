-- The end of the pool, and the operator's capital, which leaves last (docs/decisions/072). Amounts
-- are cents.
CREATE TABLE wind_downs (
  id               uuid PRIMARY KEY REFERENCES proposals,
  last_maturity_at timestamptz NOT NULL,
  mailed_at        timestamptz,
  called_off_id    uuid UNIQUE REFERENCES proposals,
  called_off_at    timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT wind_downs_end_by_proposal CHECK ((called_off_id IS NULL) = (called_off_at IS NULL)),
  CONSTRAINT wind_downs_end_later CHECK (last_maturity_at >= created_at)
);
COMMENT ON TABLE wind_downs IS
  'The pool winds down since this row, by a proposal of two super admins, until two call it off.';
COMMENT ON COLUMN wind_downs.last_maturity_at IS
  'The moment at which the last investment matures, as no new one is opened.';
COMMENT ON COLUMN wind_downs.mailed_at IS 'The moment at which all mails of it were queued.';
COMMENT ON COLUMN wind_downs.called_off_id IS 'The proposal of two super admins that called it off.';
CREATE UNIQUE INDEX wind_downs_are_one ON wind_downs ((true)) WHERE called_off_at IS NULL;

CREATE TABLE capital_withdrawals (
  id         uuid PRIMARY KEY REFERENCES proposals,
  amount     bigint NOT NULL CHECK (amount >= 0),
  capital    bigint NOT NULL CHECK (capital >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT capital_withdrawals_move CHECK (amount + capital > 0)
);
COMMENT ON TABLE capital_withdrawals IS
  'What the operator took out of the reserve of a pool that winds down, each by a proposal of two super admins.';
COMMENT ON COLUMN capital_withdrawals.amount IS 'What left the reserve.';
COMMENT ON COLUMN capital_withdrawals.capital IS
  'What it settles of the capital put in. The whole of it where the reserve is empty then.';

ALTER TABLE pauses
  ADD COLUMN by_wind_down boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT pauses_of_wind_downs CHECK (NOT by_wind_down OR paused_at IS NOT NULL);
COMMENT ON COLUMN pauses.by_wind_down IS
  'True while the pool winds down. Nothing else ends it then.';
