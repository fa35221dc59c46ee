-- Coins of the pool in units, beside the ledger's dollars, and their comparison with the chain.
CREATE TABLE coin_movements (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text,
  asset          text NOT NULL,
  decimals       integer NOT NULL,
  kind           text NOT NULL,
  from_account   text NOT NULL,
  to_account     text NOT NULL,
  units          numeric(78, 0) NOT NULL,
  cause          text NOT NULL,
  cause_id       uuid NOT NULL,
  position       integer NOT NULL,
  takes_back     uuid CONSTRAINT coin_movements_taken_back_once UNIQUE REFERENCES coin_movements,
  cents          bigint,
  height         bigint NOT NULL,
  at             timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT coin_movements_once UNIQUE (cause, cause_id, position),
  CONSTRAINT coin_movements_are_positive CHECK (units > 0 AND cents >= 0),
  CONSTRAINT coin_movements_move CHECK (from_account <> to_account),
  CONSTRAINT coin_movements_kind_check CHECK (kind IN ('RECEIVED', 'SENT', 'SWEPT', 'FEE', 'GAS', 'CONVERTED',
    'UNSEEN', 'UNEXPLAINED', 'SETTLED', 'OPENING')),
  CONSTRAINT coin_movements_cause_check
    CHECK (cause IN ('PAYMENT', 'SPENDING', 'SETTLEMENT', 'UNSEEN', 'OPENING')),
  CONSTRAINT coin_movements_accounts_check CHECK (ARRAY[from_account, to_account] <@ ARRAY[
    'deposit', 'change', 'cold', 'safe', 'payer',
    'investors', 'funding', 'payouts', 'network', 'converted', 'unseen', 'unexplained', 'settled', 'opening'])
);
COMMENT ON TABLE coin_movements IS
  'The double entry of each coin in units. Five accounts are addresses of ours, the others stand for the outside.';
COMMENT ON COLUMN coin_movements.cause_id IS
  'The payment, spending, unseen arrival, or the proposal of an opening balance.';
COMMENT ON COLUMN coin_movements.position IS 'Counts the movements of a cause, those taken back among them.';
COMMENT ON COLUMN coin_movements.takes_back IS 'The movement of which this is the opposite, since its cause is gone or changed.';
COMMENT ON COLUMN coin_movements.cents IS 'Dollars as of the moment of its cause. NULL where no rate counted then.';
COMMENT ON COLUMN coin_movements.height IS 'The block of its cause. 0 for an opening balance.';
CREATE INDEX coin_movements_by_transaction ON coin_movements (network_name, transaction_id);
CREATE INDEX coin_movements_of_fees ON coin_movements (id) WHERE to_account = 'network';
CREATE INDEX coin_movements_by_age ON coin_movements (at, id);

CREATE TABLE coin_facts_due (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text NOT NULL
);
COMMENT ON TABLE coin_facts_due IS
  'Transactions on chains whose facts changed, so that their coin movements are looked at again.';

CREATE INDEX own_addresses_by_lower_case ON own_addresses (network_name, lower(address));

CREATE TABLE network_fees (
  id          uuid PRIMARY KEY,
  movement_id uuid NOT NULL UNIQUE REFERENCES coin_movements,
  amount      bigint NOT NULL,
  status      text NOT NULL DEFAULT 'PAID',
  created_at  timestamptz NOT NULL DEFAULT now(),
  returned_at timestamptz,
  CONSTRAINT network_fees_are_positive CHECK (amount > 0),
  CONSTRAINT network_fees_status_check CHECK (status IN ('PAID', 'RETURNED')),
  CONSTRAINT network_fees_return_whole CHECK ((status = 'RETURNED') = (returned_at IS NOT NULL))
);
COMMENT ON TABLE network_fees IS 'Fees and gas in dollars, as the ledger counts them.';
COMMENT ON COLUMN network_fees.movement_id IS 'The coins that the network took.';
COMMENT ON COLUMN network_fees.amount IS 'Cents, rounded up.';
COMMENT ON COLUMN network_fees.status IS 'RETURNED once the chain took the spending back.';

CREATE TABLE reconciliations (
  id            uuid PRIMARY KEY,
  at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  break_cents   bigint NOT NULL,
  is_unpriced   boolean NOT NULL,
  is_whole      boolean NOT NULL,
  limit_cents   bigint NOT NULL,
  is_pausing    boolean NOT NULL,
  custody_cents bigint NOT NULL,
  coins_cents   bigint NOT NULL
);
COMMENT ON TABLE reconciliations IS 'Comparisons of our coins on the chains with the coin movements.';
COMMENT ON COLUMN reconciliations.break_cents IS
  'Dollars of all breaks beyond those that two people accepted, shortages and surpluses added up.';
COMMENT ON COLUMN reconciliations.is_unpriced IS 'True if a break is of a coin that never had a rate.';
COMMENT ON COLUMN reconciliations.is_whole IS 'True without any break.';
COMMENT ON COLUMN reconciliations.is_pausing IS 'True if it paused withdrawals.';
COMMENT ON COLUMN reconciliations.custody_cents IS 'Dollars that the ledger counts in custody.';
COMMENT ON COLUMN reconciliations.coins_cents IS 'Coins on the chain at the rates of that moment.';
CREATE INDEX reconciliations_by_age ON reconciliations (at, id);

CREATE TABLE reconciled_networks (
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  height            bigint,
  block_hash        text,
  addresses         integer,
  problem           text,
  PRIMARY KEY (reconciliation_id, network_name),
  CONSTRAINT reconciled_networks_at_a_block CHECK (num_nonnulls(height, block_hash, addresses) = CASE WHEN problem IS NULL THEN 3 ELSE 0 END)
);
COMMENT ON TABLE reconciled_networks IS 'The block at which a network was compared.';
COMMENT ON COLUMN reconciled_networks.problem IS 'A code of the reason, if it was not compared.';

CREATE TABLE reconciled_coins (
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  asset             text NOT NULL,
  decimals          integer NOT NULL,
  unexplained       numeric(78, 0) NOT NULL,
  difference        numeric(79, 0) NOT NULL,
  accepted          numeric(79, 0) NOT NULL,
  dollars           numeric,
  PRIMARY KEY (reconciliation_id, network_name, asset)
);
COMMENT ON TABLE reconciled_coins IS 'A coin of a network: its break in units.';
COMMENT ON COLUMN reconciled_coins.unexplained IS 'Units that left by transactions that nothing explains.';
COMMENT ON COLUMN reconciled_coins.difference IS
  'The break: what the chain has, without what the books and named differences say. Below zero coins are missing.';
COMMENT ON COLUMN reconciled_coins.accepted IS 'The part of it that two people accepted, for as long as it stays.';
COMMENT ON COLUMN reconciled_coins.dollars IS 'The newest rate of any age: dollars for one coin.';

CREATE TABLE reconciled_lines (
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  asset             text NOT NULL,
  account           text NOT NULL,
  chain             numeric(78, 0) NOT NULL,
  booked            numeric(79, 0) NOT NULL,
  pending           numeric(79, 0) NOT NULL,
  unopened          numeric(78, 0) NOT NULL,
  PRIMARY KEY (reconciliation_id, network_name, asset, account)
);
COMMENT ON TABLE reconciled_lines IS 'Units of a coin on addresses of one class.';
COMMENT ON COLUMN reconciled_lines.pending IS 'By transactions in a block that are not confirmed yet.';
COMMENT ON COLUMN reconciled_lines.unopened IS
  'Coins of a class that was never whole and has no opening balance on record.';

CREATE TABLE accepted_breaks (
  proposal_id       uuid NOT NULL REFERENCES proposals,
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  asset             text NOT NULL,
  units             numeric(79, 0) NOT NULL,
  at                timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (proposal_id, network_name, asset)
);
COMMENT ON TABLE accepted_breaks IS 'Breaks with which two people let withdrawals go on.';

ALTER TABLE pauses
  ADD COLUMN reconciliation_id uuid REFERENCES reconciliations,
  ADD CONSTRAINT pauses_of_breaks CHECK (reconciliation_id IS NULL OR paused_at IS NOT NULL);
COMMENT ON COLUMN pauses.reconciliation_id IS
  'The comparison whose break made the pause. Two people end such a pause.';

-- Facts of before are looked at once.
INSERT INTO coin_facts_due (network_name, transaction_id)
SELECT DISTINCT network_name, transaction_id FROM payments WHERE state = 'CONFIRMED';
