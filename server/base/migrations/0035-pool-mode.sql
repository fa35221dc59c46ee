CREATE TABLE pool_mode (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  mode     text NOT NULL CHECK (mode IN ('sandbox', 'live')),
  set_at   timestamptz NOT NULL,
  mac      text NOT NULL
);
COMMENT ON TABLE pool_mode IS
  'The mode of the pool, set at its first start and kept for good. One row.';
COMMENT ON COLUMN pool_mode.mac IS 'Signs mode and moment by the key file (server/mode).';
