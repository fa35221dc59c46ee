CREATE TABLE quotes (
  deposit_id uuid PRIMARY KEY REFERENCES transactions,
  coin       text NOT NULL,
  units      numeric NOT NULL CHECK (units > 0 AND scale(units) = 0),
  dollars    numeric NOT NULL CHECK (dollars > 0),
  source     text CHECK (source IN ('SET', 'MEDIAN')),
  at         timestamptz NOT NULL,
  ends_at    timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT quotes_end_later CHECK (ends_at > created_at)
);
COMMENT ON TABLE quotes IS 'The coins that an investor was told to send for a deposit, and the rate of that moment.';
COMMENT ON COLUMN quotes.units IS 'Smallest units of the coin on the chain of the deposit''s wallet.';
COMMENT ON COLUMN quotes.dollars IS 'The rate: dollars for one coin.';
COMMENT ON COLUMN quotes.source IS 'NULL for one dollar, where the coin had no rate.';
COMMENT ON COLUMN quotes.at IS 'The moment of the rate.';
