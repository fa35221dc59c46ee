CREATE TABLE pauses (
  name      text PRIMARY KEY,
  movement  text NOT NULL UNIQUE,
  paused_at timestamptz,
  paused_by text,
  reason    text,
  CONSTRAINT pauses_paused_with_a_reason CHECK (num_nulls(paused_at, paused_by, reason) IN (0, 3))
);
COMMENT ON TABLE pauses IS
  'Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on.';
COMMENT ON COLUMN pauses.movement IS 'The movement that a pause refuses.';
COMMENT ON COLUMN pauses.paused_at IS 'NULL without a pause, like its actor and its reason.';

INSERT INTO pauses (name, movement) VALUES
  ('deposits', 'deposit_requested'),
  ('withdrawals', 'withdrawal_held'),
  ('investing', 'investment_opened');
