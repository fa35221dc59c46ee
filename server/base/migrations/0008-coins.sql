-- Tables of this district (server/coins/README.md).

CREATE TABLE coin_movements (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text,
  asset          text NOT NULL,
  decimals       integer NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('RECEIVED', 'SENT', 'SWEPT', 'FEE', 'GAS', 'CONVERTED',
                 'UNSEEN', 'UNEXPLAINED', 'SETTLED', 'OPENING')),
  from_account   text NOT NULL,
  to_account     text NOT NULL,
  units          numeric(78,0) NOT NULL,
  cause          text NOT NULL CHECK (cause IN ('PAYMENT', 'SPENDING', 'SETTLEMENT', 'UNSEEN', 'OPENING')),
  cause_id       uuid NOT NULL,
  position       integer NOT NULL,
  takes_back     uuid REFERENCES coin_movements,
  cents          bigint,
  height         bigint NOT NULL,
  at             timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT coin_movements_accounts_check CHECK (ARRAY[from_account, to_account] <@ ARRAY['deposit',
    'change', 'cold', 'safe', 'payer', 'investors', 'funding', 'payouts', 'network', 'converted', 'unseen',
    'unexplained', 'settled', 'opening']),
  CONSTRAINT coin_movements_are_positive CHECK ((units > (0)::numeric) AND cents >= 0),
  CONSTRAINT coin_movements_move CHECK (from_account <> to_account),
  CONSTRAINT coin_movements_once UNIQUE (cause, cause_id, "position"),
  CONSTRAINT coin_movements_taken_back_once UNIQUE (takes_back)
);
COMMENT ON TABLE coin_movements IS
  'The double entry of each coin in units. Five accounts are addresses of ours, the others stand for '
  'the outside.';
COMMENT ON COLUMN coin_movements.cause_id IS
  'The payment, spending, unseen arrival, or the proposal of an opening balance.';
COMMENT ON COLUMN coin_movements.position IS 'Counts the movements of a cause, those taken back among them.';
COMMENT ON COLUMN coin_movements.takes_back IS
  'The movement of which this is the opposite, since its cause is gone or changed.';
COMMENT ON COLUMN coin_movements.cents IS
  'Dollars as of the moment of its cause. NULL where no rate counted then.';
COMMENT ON COLUMN coin_movements.height IS 'The block of its cause. 0 for an opening balance.';
CREATE INDEX coin_movements_by_age ON coin_movements (at, id);
CREATE INDEX coin_movements_by_transaction ON coin_movements (network_name, transaction_id);
CREATE INDEX coin_movements_of_fees ON coin_movements (id) WHERE to_account = 'network';

CREATE TABLE coin_facts_due (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text NOT NULL
);
COMMENT ON TABLE coin_facts_due IS
  'Transactions on chains whose facts changed, so that their coin movements are looked at again.';

CREATE TABLE own_addresses (
  id               uuid PRIMARY KEY,
  network_name     text NOT NULL,
  address          text NOT NULL,
  class            text NOT NULL CHECK (class IN ('CHANGE', 'COLD', 'SAFE', 'PAYER')),
  key_id           uuid REFERENCES address_keys,
  derivation_index integer,
  proposal_id      uuid,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT own_addresses_have_a_source CHECK (
CASE
    WHEN (class = 'CHANGE') THEN (num_nonnulls(key_id,
    derivation_index) = 2 AND (proposal_id IS NULL))
    ELSE (num_nonnulls(key_id, derivation_index) = 0
    AND (proposal_id IS NOT NULL))
END),
  CONSTRAINT own_addresses_once UNIQUE (network_name, address)
);
COMMENT ON TABLE own_addresses IS
  'Addresses of the pool that no investor pays to. Those of investors are wallets.';
COMMENT ON COLUMN own_addresses.class IS
  'CHANGE of our own transactions, COLD storage, a SAFE contract, or a PAYER: a plain key that pays and '
  'buys gas.';
CREATE INDEX own_addresses_by_lower_case ON own_addresses (network_name, lower(address));
CREATE UNIQUE INDEX own_addresses_derived_once ON own_addresses (key_id, derivation_index);

CREATE TABLE batches (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  asset          text NOT NULL,
  decimals       integer NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('PAYOUT', 'COLLECTION')),
  format         text NOT NULL CHECK (format IN ('PSBT', 'SAFE', 'CSV')),
  state          text NOT NULL CHECK (state IN ('WAITING', 'READY', 'SEEN', 'COMPLETED', 'GIVEN_UP')),
  payer          text,
  nonce          bigint,
  dollars        numeric NOT NULL,
  rate_source    text,
  rate_at        timestamptz NOT NULL,
  fee_rate       numeric,
  fee_units      numeric(78,0),
  change_units   numeric(78,0),
  change_address text,
  file           text NOT NULL,
  digest         text NOT NULL,
  made_by        uuid NOT NULL REFERENCES users,
  made_at        timestamptz NOT NULL DEFAULT now(),
  approved_by    uuid REFERENCES users,
  approved_at    timestamptz,
  completed_at   timestamptz,
  given_up_by    uuid REFERENCES users,
  given_up_at    timestamptz,
  reason         text,
  safe_hash      text,
  gas            bigint,
  gas_price      numeric(78,0),
  fee_cents      bigint,
  CONSTRAINT batches_approved_by_another CHECK (approved_by <> made_by
    AND ((approved_by IS NULL) = (approved_at IS NULL))),
  CONSTRAINT batches_gas_whole CHECK ((gas IS NULL) = (gas_price IS NULL)),
  CONSTRAINT batches_given_up_whole CHECK (num_nonnulls(given_up_by, given_up_at) =
CASE
   
    WHEN (state = 'GIVEN_UP') THEN 2
    ELSE 0
END),
  CONSTRAINT batches_of_a_safe_have_its_hash CHECK ((format = 'SAFE') = (safe_hash IS NOT NULL)),
  CONSTRAINT batches_pin_a_nonce CHECK ((format = 'SAFE') = (nonce IS NOT NULL)),
  CONSTRAINT batches_rate_check CHECK (dollars > (0)::numeric)
);
COMMENT ON TABLE batches IS
  'Payments that staff sign outside the product, in one file. WAITING for a second person, READY to '
  'sign, SEEN on the chain, COMPLETED, or GIVEN_UP while nothing of it was on the chain.';
COMMENT ON COLUMN batches.kind IS 'A PAYOUT of withdrawals, or a COLLECTION of coins from our own addresses.';
COMMENT ON COLUMN batches.payer IS 'The Safe or the plain key that pays. NULL where the inputs say it.';
COMMENT ON COLUMN batches.nonce IS 'That of the Safe, so that the file cannot be executed twice.';
COMMENT ON COLUMN batches.dollars IS 'The rate of the asset: dollars for one coin.';
COMMENT ON COLUMN batches.fee_rate IS 'Bitcoin: satoshis for a virtual byte.';
COMMENT ON COLUMN batches.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN batches.safe_hash IS 'EIP-712 hash of the transaction of the Safe, with 0x.';
COMMENT ON COLUMN batches.gas IS
  'EVM networks: the gas of the transactions of the file, by a trial of the node.';
COMMENT ON COLUMN batches.gas_price IS
  'EVM networks: wei for a unit of gas when the batch was made. The signer sets what is paid.';
COMMENT ON COLUMN batches.fee_cents IS
  'The network''s fee in cents, rounded up. NULL where its coin had no rate.';
CREATE INDEX batches_by_age ON batches (made_at, id);
CREATE UNIQUE INDEX batches_use_a_nonce_once ON batches (network_name, payer, nonce) WHERE (format = 'SAFE')
  AND (state <> 'GIVEN_UP');

CREATE TABLE fee_estimates (
  network_name text PRIMARY KEY,
  cents        bigint NOT NULL CHECK (cents >= 0),
  at           timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE fee_estimates IS
  'The network''s fee of one payment, as its node told last. It counts for an hour (docs/decisions/088).';

CREATE TABLE batch_inputs (
  batch_id     uuid NOT NULL REFERENCES batches,
  network_name text NOT NULL,
  input        text NOT NULL,
  address      text NOT NULL,
  units        numeric(78,0) NOT NULL,
  is_open      boolean NOT NULL DEFAULT true,
  CONSTRAINT batch_inputs_are_positive CHECK (units > (0)::numeric),
  PRIMARY KEY (batch_id, input)
);
COMMENT ON TABLE batch_inputs IS 'Unspent outputs that a batch spends. No other batch takes them meanwhile.';
COMMENT ON COLUMN batch_inputs.input IS 'The output as TRANSACTION:NUMBER.';
COMMENT ON COLUMN batch_inputs.is_open IS 'False once the batch was given up.';
CREATE UNIQUE INDEX batch_inputs_locked_once ON batch_inputs (network_name, input) WHERE is_open;

CREATE TABLE batch_payouts (
  batch_id       uuid NOT NULL REFERENCES batches,
  position       integer NOT NULL,
  withdrawal_id  uuid,
  address        text NOT NULL,
  units          numeric(78,0) NOT NULL,
  is_open        boolean NOT NULL DEFAULT true,
  transaction_id text,
  output         integer,
  sending_id     uuid REFERENCES loan_sendings,
  CONSTRAINT batch_payouts_are_positive CHECK (units > (0)::numeric),
  CONSTRAINT batch_payouts_have_one_order CHECK (num_nonnulls(withdrawal_id, sending_id) <= 1),
  PRIMARY KEY (batch_id, "position")
);
COMMENT ON TABLE batch_payouts IS 'What a batch pays, in the order of its file.';
COMMENT ON COLUMN batch_payouts.withdrawal_id IS 'NULL where it pays a loan or an address of our own.';
COMMENT ON COLUMN batch_payouts.is_open IS 'False once the batch was given up.';
COMMENT ON COLUMN batch_payouts.transaction_id IS
  'The transaction on the chain that pays it, as the node tells it now. NULL while none does.';
COMMENT ON COLUMN batch_payouts.sending_id IS 'The reserved loan that it pays.';
CREATE INDEX batch_payouts_on_the_chain ON batch_payouts (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE UNIQUE INDEX batch_payouts_pay_loans_once ON batch_payouts (sending_id) WHERE is_open;
CREATE UNIQUE INDEX batch_payouts_pay_once ON batch_payouts (withdrawal_id) WHERE is_open;

CREATE TABLE payout_alarms (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  kind         text NOT NULL,
  batch_id     uuid REFERENCES batches,
  position     integer,
  spending_id  uuid REFERENCES spendings,
  found_at     timestamptz NOT NULL DEFAULT now(),
  ended_at     timestamptz,
  settled_at   timestamptz,
  settled_by   uuid REFERENCES users,
  reason       text,
  CONSTRAINT payout_alarms_have_a_kind CHECK (kind IN ('SHORT', 'MORE', 'TWICE', 'OTHER', 'LATE',
    'UNAPPROVED', 'GIVEN_BACK', 'REORGANISED', 'UNEXPLAINED')),
  CONSTRAINT payout_alarms_settled_whole CHECK ((num_nonnulls(settled_at, settled_by, reason) IN (0, 3))
    AND reason <> ''),
  CONSTRAINT payout_alarms_once UNIQUE NULLS NOT DISTINCT (kind, batch_id, "position", spending_id)
);
COMMENT ON TABLE payout_alarms IS
  'Payouts that went another way than their batch says, and spendings that no batch explains.';
COMMENT ON COLUMN payout_alarms.position IS 'The payout of the batch. NULL for the whole batch.';
COMMENT ON COLUMN payout_alarms.ended_at IS
  'When the chain and the batches no longer showed it. NULL while they do.';
COMMENT ON COLUMN payout_alarms.reason IS 'The words of the member of staff who settled it.';
CREATE INDEX payout_alarms_by_age ON payout_alarms (found_at, id);
CREATE INDEX payout_alarms_open ON payout_alarms (network_name) WHERE (ended_at IS NULL)
  AND (settled_at IS NULL);

CREATE TABLE reconciliations (
  id            uuid PRIMARY KEY,
  at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  break_cents   bigint NOT NULL,
  is_unpriced   boolean NOT NULL,
  is_whole      boolean NOT NULL,
  limit_cents   bigint NOT NULL,
  is_pausing    boolean NOT NULL,
  custody_cents bigint NOT NULL,
  typed_cents   bigint NOT NULL,
  coins_cents   bigint NOT NULL
);
COMMENT ON TABLE reconciliations IS 'Comparisons of our coins on the chains with the coin movements.';
COMMENT ON COLUMN reconciliations.break_cents IS
  'Dollars of all breaks beyond those that two people accepted, shortages and surpluses added up.';
COMMENT ON COLUMN reconciliations.is_unpriced IS 'True if a break is of a coin that never had a rate.';
COMMENT ON COLUMN reconciliations.is_whole IS 'True without any break.';
COMMENT ON COLUMN reconciliations.is_pausing IS 'True if it paused withdrawals.';
COMMENT ON COLUMN reconciliations.custody_cents IS 'Dollars that the ledger counts in custody.';
COMMENT ON COLUMN reconciliations.typed_cents IS 'The part of them that people typed and no node showed.';
COMMENT ON COLUMN reconciliations.coins_cents IS 'Coins on the chain at the rates of that moment.';
CREATE INDEX reconciliations_by_age ON reconciliations (at, id);

CREATE TABLE accepted_breaks (
  proposal_id       uuid NOT NULL,
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  asset             text NOT NULL,
  units             numeric(79,0) NOT NULL,
  at                timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (proposal_id, network_name, asset)
);
COMMENT ON TABLE accepted_breaks IS 'Breaks with which two people let withdrawals go on.';

CREATE TABLE reconciled_networks (
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  height            bigint,
  block_hash        text,
  addresses         integer,
  problem           text,
  CONSTRAINT reconciled_networks_at_a_block CHECK (num_nonnulls(height, block_hash, addresses) =
CASE
   
    WHEN (problem IS NULL) THEN 3
    ELSE 0
END),
  PRIMARY KEY (reconciliation_id, network_name)
);
COMMENT ON TABLE reconciled_networks IS 'The block at which a network was compared.';
COMMENT ON COLUMN reconciled_networks.problem IS 'A code of the reason, if it was not compared.';

CREATE TABLE reconciled_coins (
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  asset             text NOT NULL,
  decimals          integer NOT NULL,
  unexplained       numeric(78,0) NOT NULL,
  uncovered         numeric(78,0) NOT NULL,
  difference        numeric(79,0) NOT NULL,
  accepted          numeric(79,0) NOT NULL,
  dollars           numeric,
  PRIMARY KEY (reconciliation_id, network_name, asset)
);
COMMENT ON TABLE reconciled_coins IS 'A coin of a network: its break in units.';
COMMENT ON COLUMN reconciled_coins.unexplained IS 'Units that left by transactions that nothing explains.';
COMMENT ON COLUMN reconciled_coins.uncovered IS 'Units of capital in the books that no payment covers.';
COMMENT ON COLUMN reconciled_coins.difference IS
  'The break: what the chain has, without what the books and named differences say. Below zero coins '
  'are missing.';
COMMENT ON COLUMN reconciled_coins.accepted IS
  'The part of it that two people accepted, for as long as it stays.';
COMMENT ON COLUMN reconciled_coins.dollars IS 'The newest rate of any age: dollars for one coin.';

CREATE TABLE reconciled_lines (
  reconciliation_id uuid NOT NULL REFERENCES reconciliations,
  network_name      text NOT NULL,
  asset             text NOT NULL,
  account           text NOT NULL,
  chain             numeric(78,0) NOT NULL,
  booked            numeric(79,0) NOT NULL,
  pending           numeric(79,0) NOT NULL,
  unopened          numeric(78,0) NOT NULL,
  PRIMARY KEY (reconciliation_id, network_name, asset, account)
);
COMMENT ON TABLE reconciled_lines IS 'Units of a coin on addresses of one class.';
COMMENT ON COLUMN reconciled_lines.pending IS 'By transactions in a block that are not confirmed yet.';
COMMENT ON COLUMN reconciled_lines.unopened IS
  'Coins of a class that was never whole and has no opening balance on record.';

CREATE TABLE balance_checks (
  network_name text NOT NULL,
  address      text NOT NULL,
  asset        text NOT NULL,
  units        numeric(78,0) NOT NULL,
  height       bigint NOT NULL,
  PRIMARY KEY (network_name, address, asset)
);
COMMENT ON TABLE balance_checks IS
  'The balance of each assigned address as the chain had it at a final block. The next check compares '
  'with it.';
COMMENT ON COLUMN balance_checks.address IS 'In lower case.';

CREATE TABLE unseen_arrivals (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  address      text NOT NULL,
  asset        text NOT NULL,
  units        numeric(78,0) NOT NULL,
  decimals     integer NOT NULL,
  above        bigint NOT NULL,
  height       bigint NOT NULL,
  found_at     timestamptz NOT NULL DEFAULT now(),
  settled_at   timestamptz,
  settled_by   uuid REFERENCES users,
  reason       text,
  CONSTRAINT unseen_arrivals_are_positive CHECK ((units > (0)::numeric) AND height > above),
  CONSTRAINT unseen_arrivals_settled_whole CHECK ((num_nonnulls(settled_at, settled_by, reason) IN (0, 3))
    AND reason <> ''),
  CONSTRAINT unseen_arrivals_once UNIQUE (network_name, address, asset, above)
);
COMMENT ON TABLE unseen_arrivals IS
  'Coins by which the balance of an address grew beyond its payments. At least that much arrived.';
COMMENT ON COLUMN unseen_arrivals.above IS 'They arrived above this block, and up to height.';
COMMENT ON COLUMN unseen_arrivals.reason IS 'The words of the member of staff who settled it.';
CREATE INDEX unseen_arrivals_by_age ON unseen_arrivals (found_at, id);
CREATE INDEX unseen_arrivals_open ON unseen_arrivals (found_at, id) WHERE settled_at IS NULL;

-- Tables of lower districts refer to these.
ALTER TABLE network_fees ADD CONSTRAINT network_fees_movement_id_fkey FOREIGN KEY (movement_id)
  REFERENCES coin_movements;
ALTER TABLE spendings ADD CONSTRAINT spendings_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches;
ALTER TABLE pauses ADD CONSTRAINT pauses_reconciliation_id_fkey FOREIGN KEY (reconciliation_id)
  REFERENCES reconciliations;
