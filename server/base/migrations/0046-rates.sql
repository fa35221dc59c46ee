CREATE TABLE rates (
  id         uuid PRIMARY KEY,
  coin       text NOT NULL,
  dollars    numeric NOT NULL CHECK (dollars > 0 AND dollars < 1000000000 AND scale(dollars) <= 12),
  source     text NOT NULL CHECK (source IN ('SET', 'MEDIAN')),
  at         timestamptz NOT NULL,
  set_by     uuid REFERENCES users,
  prices     jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT rates_name_their_source CHECK (
    (source = 'SET') = (set_by IS NOT NULL) AND (source = 'MEDIAN') = (prices IS NOT NULL))
);
COMMENT ON TABLE rates IS 'The dollars that one coin counts as. The newest row of a coin is in force.';
COMMENT ON COLUMN rates.at IS 'The moment of the price. That of the request, where people set it.';
COMMENT ON COLUMN rates.set_by IS 'The person who asked for it.';
COMMENT ON COLUMN rates.prices IS 'The price of each source, by host.';
CREATE INDEX rates_newest ON rates (coin, created_at DESC, id DESC);

CREATE TABLE price_readings (
  coin     text PRIMARY KEY,
  at       timestamptz NOT NULL,
  problem  text CHECK (problem IN ('few', 'apart')),
  prices   jsonb NOT NULL,
  whole_at timestamptz NOT NULL
);
COMMENT ON TABLE price_readings IS 'The last reading of the price URLs of each coin.';
COMMENT ON COLUMN price_readings.whole_at IS
  'The last reading that gave a rate. Before any, the first reading.';
