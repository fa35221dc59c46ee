CREATE TABLE chain_blocks (
  network_name text NOT NULL,
  height       bigint NOT NULL,
  hash         text NOT NULL,
  PRIMARY KEY (network_name, height)
);
COMMENT ON TABLE chain_blocks IS
  'The newest blocks that were read, without a gap. The highest of a network is its cursor.';

CREATE TABLE payments (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text NOT NULL,
  output         integer NOT NULL,
  address        text NOT NULL,
  asset          text NOT NULL,
  units          numeric(78, 0) NOT NULL,
  decimals       integer NOT NULL,
  state          text NOT NULL,
  height         bigint,
  block_hash     text,
  inputs         text[] NOT NULL DEFAULT '{}',
  is_coinbase    boolean NOT NULL DEFAULT false,
  seen_at        timestamptz NOT NULL DEFAULT now(),
  changed_at     timestamptz NOT NULL DEFAULT now(),
  confirmed_at   timestamptz,
  dollars        numeric,
  rate_source    text,
  rate_at        timestamptz,
  CONSTRAINT payments_once UNIQUE (network_name, transaction_id, output),
  CONSTRAINT payments_are_positive CHECK (units > 0),
  CONSTRAINT payments_have_a_state
    CHECK (state IN ('SEEN', 'CONFIRMED', 'REPLACED', 'DROPPED', 'REVERSED')),
  CONSTRAINT payments_have_a_whole_block CHECK ((height IS NULL) = (block_hash IS NULL)),
  CONSTRAINT payments_confirmed_in_a_block CHECK (state <> 'CONFIRMED' OR height IS NOT NULL),
  CONSTRAINT payments_have_a_whole_rate CHECK ((dollars IS NULL) = (rate_at IS NULL) AND dollars > 0)
);
COMMENT ON TABLE payments IS
  'Coins that paid an address of ours, as the node tells it. Nothing is credited by a row.';
COMMENT ON COLUMN payments.output IS
  'The output of Bitcoin, the ordinal of the log in its receipt on EVM networks, and -1 for their own coin.';
COMMENT ON COLUMN payments.units IS 'In the smallest part of the asset.';
COMMENT ON COLUMN payments.inputs IS
  'The outputs that the transaction spends, or on EVM networks its sender and nonce.';
COMMENT ON COLUMN payments.seen_at IS 'When it was first seen, or the time of its block if earlier.';
COMMENT ON COLUMN payments.dollars IS
  'The rate at seen_at: dollars for one coin. NULL where none counted then.';
COMMENT ON COLUMN payments.rate_source IS 'NULL for one dollar, where the coin had no rate.';
COMMENT ON COLUMN payments.rate_at IS 'The moment of the rate.';
CREATE INDEX payments_by_age ON payments (seen_at, id);
CREATE INDEX payments_open ON payments (network_name) WHERE state = 'SEEN';
CREATE INDEX payments_by_height ON payments (network_name, height) WHERE height IS NOT NULL;
CREATE INDEX payments_by_address ON payments (address);
