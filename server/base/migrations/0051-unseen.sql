COMMENT ON COLUMN payments.output IS
  'The output of Bitcoin, the ordinal of the log in its receipt on EVM networks, -1 for their own coin, '
  'and from -2 down for their coin sent by a contract.';

ALTER TABLE chains ADD COLUMN balances_at timestamptz;
COMMENT ON COLUMN chains.balances_at IS
  'The last whole comparison of balances with payments. NULL before the first.';

CREATE TABLE balance_checks (
  network_name text NOT NULL,
  address      text NOT NULL,
  asset        text NOT NULL,
  units        numeric(78, 0) NOT NULL,
  height       bigint NOT NULL,
  PRIMARY KEY (network_name, address, asset)
);
COMMENT ON TABLE balance_checks IS
  'The balance of each assigned address as the chain had it at a final block. The next check compares with it.';
COMMENT ON COLUMN balance_checks.address IS 'In lower case.';

CREATE TABLE unseen_arrivals (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  address      text NOT NULL,
  asset        text NOT NULL,
  units        numeric(78, 0) NOT NULL,
  decimals     integer NOT NULL,
  above        bigint NOT NULL,
  height       bigint NOT NULL,
  found_at     timestamptz NOT NULL DEFAULT now(),
  settled_at   timestamptz,
  settled_by   uuid REFERENCES users,
  reason       text,
  CONSTRAINT unseen_arrivals_once UNIQUE (network_name, address, asset, above),
  CONSTRAINT unseen_arrivals_are_positive CHECK (units > 0 AND height > above),
  CONSTRAINT unseen_arrivals_settled_whole
    CHECK (num_nonnulls(settled_at, settled_by, reason) IN (0, 3) AND reason <> '')
);
COMMENT ON TABLE unseen_arrivals IS
  'Coins by which the balance of an address grew beyond its payments. At least that much arrived.';
COMMENT ON COLUMN unseen_arrivals.above IS 'They arrived above this block, and up to height.';
COMMENT ON COLUMN unseen_arrivals.reason IS 'The words of the member of staff who settled it.';
CREATE INDEX unseen_arrivals_open ON unseen_arrivals (found_at, id) WHERE settled_at IS NULL;
CREATE INDEX unseen_arrivals_by_age ON unseen_arrivals (found_at, id);
