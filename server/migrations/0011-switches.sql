CREATE TABLE switches (
  name      text PRIMARY KEY,
  movement  text NOT NULL UNIQUE,
  paused_at timestamptz,
  paused_by text,
  reason    text,
  CONSTRAINT switches_paused_with_a_reason CHECK (num_nulls(paused_at, paused_by, reason) IN (0, 3))
);
COMMENT ON TABLE switches IS
  'What can be paused. What was asked for before is still decided; maturities are always paid.';
COMMENT ON COLUMN switches.movement IS 'The movement that is refused while it is paused.';
COMMENT ON COLUMN switches.paused_at IS 'NULL, like who and why, while it is not paused.';

INSERT INTO switches (name, movement) VALUES
  ('deposits', 'deposit_requested'),
  ('withdrawals', 'withdrawal_held'),
  ('investing', 'investment_opened');
