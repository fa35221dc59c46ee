-- What the operator and super admins can pause: new deposits, new withdrawals, new investments. What
-- was asked for before goes on: it is decided about and paid; maturities always go on.
CREATE TABLE switches (
  name      text PRIMARY KEY,
  -- The movement that is refused while it is paused.
  movement  text NOT NULL UNIQUE,
  paused_at timestamptz,
  paused_by text,
  reason    text,
  CONSTRAINT switches_paused_with_a_reason CHECK (num_nulls(paused_at, paused_by, reason) IN (0, 3))
);

INSERT INTO switches (name, movement) VALUES
  ('deposits', 'deposit_requested'),
  ('withdrawals', 'withdrawal_held'),
  ('investing', 'investment_opened');
