-- Coins that leave addresses of the pool: which addresses are its own, what the chain shows of what
-- left them, and the batches that staff make of approved withdrawals.
CREATE TABLE own_addresses (
  id               uuid PRIMARY KEY,
  network_name     text NOT NULL,
  address          text NOT NULL,
  class            text NOT NULL,
  key_id           uuid REFERENCES address_keys,
  derivation_index integer,
  proposal_id      uuid REFERENCES proposals,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT own_addresses_once UNIQUE (network_name, address),
  CONSTRAINT own_addresses_class_check CHECK (class IN ('CHANGE', 'COLD', 'SAFE', 'PAYER')),
  -- Change is derived from a key that two people added; two people name every other one.
  CONSTRAINT own_addresses_have_a_source CHECK (CASE WHEN class = 'CHANGE'
    THEN num_nonnulls(key_id, derivation_index) = 2 AND proposal_id IS NULL
    ELSE num_nonnulls(key_id, derivation_index) = 0 AND proposal_id IS NOT NULL END)
);
COMMENT ON TABLE own_addresses IS
  'Addresses of the pool that no investor pays to. Those of investors are wallets.';
COMMENT ON COLUMN own_addresses.class IS
  'CHANGE of our own transactions, COLD storage, a SAFE contract, or a PAYER: a plain key that pays and buys gas.';
CREATE UNIQUE INDEX own_addresses_derived_once ON own_addresses (key_id, derivation_index);

CREATE TABLE batches (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  asset          text NOT NULL,
  decimals       integer NOT NULL,
  kind           text NOT NULL,
  format         text NOT NULL,
  state          text NOT NULL,
  payer          text,
  nonce          bigint,
  dollars        numeric NOT NULL,
  rate_source    text,
  rate_at        timestamptz NOT NULL,
  fee_rate       numeric,
  fee_units      numeric(78, 0),
  change_units   numeric(78, 0),
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
  CONSTRAINT batches_kind_check CHECK (kind IN ('PAYOUT', 'COLLECTION')),
  CONSTRAINT batches_format_check CHECK (format IN ('PSBT', 'SAFE', 'CSV')),
  CONSTRAINT batches_state_check CHECK (state IN ('WAITING', 'READY', 'SEEN', 'COMPLETED', 'GIVEN_UP')),
  CONSTRAINT batches_rate_check CHECK (dollars > 0),
  CONSTRAINT batches_approved_by_another CHECK (approved_by <> made_by
    AND (approved_by IS NULL) = (approved_at IS NULL)),
  CONSTRAINT batches_given_up_whole
    CHECK (num_nonnulls(given_up_by, given_up_at) = CASE WHEN state = 'GIVEN_UP' THEN 2 ELSE 0 END),
  CONSTRAINT batches_pin_a_nonce CHECK ((format = 'SAFE') = (nonce IS NOT NULL))
);
COMMENT ON TABLE batches IS
  'Payments that staff sign outside the product, in one file. WAITING for a second person, READY to sign, SEEN on the chain, COMPLETED, or GIVEN_UP while nothing of it was on the chain.';
COMMENT ON COLUMN batches.kind IS 'A PAYOUT of withdrawals, or a COLLECTION of coins from our own addresses.';
COMMENT ON COLUMN batches.payer IS 'The Safe or the plain key that pays. NULL where the inputs say it.';
COMMENT ON COLUMN batches.nonce IS 'That of the Safe, so that the file cannot be executed twice.';
COMMENT ON COLUMN batches.dollars IS 'The rate of the asset: dollars for one coin.';
COMMENT ON COLUMN batches.fee_rate IS 'Bitcoin: satoshis for a virtual byte.';
COMMENT ON COLUMN batches.digest IS 'SHA-256 of the file, in hex.';
CREATE UNIQUE INDEX batches_use_a_nonce_once ON batches (network_name, payer, nonce)
  WHERE format = 'SAFE' AND state <> 'GIVEN_UP';
CREATE INDEX batches_by_age ON batches (made_at, id);

CREATE TABLE batch_payouts (
  batch_id       uuid NOT NULL REFERENCES batches,
  position       integer NOT NULL,
  withdrawal_id  uuid REFERENCES transactions,
  address        text NOT NULL,
  units          numeric(78, 0) NOT NULL,
  is_open        boolean NOT NULL DEFAULT true,
  transaction_id text,
  output         integer,
  PRIMARY KEY (batch_id, position),
  CONSTRAINT batch_payouts_are_positive CHECK (units > 0)
);
COMMENT ON TABLE batch_payouts IS 'What a batch pays, in the order of its file.';
COMMENT ON COLUMN batch_payouts.withdrawal_id IS 'NULL where it pays an address of our own.';
COMMENT ON COLUMN batch_payouts.is_open IS 'False once the batch was given up.';
COMMENT ON COLUMN batch_payouts.transaction_id IS 'The transaction on the chain that pays it, as the node tells it now. NULL while none does.';
CREATE UNIQUE INDEX batch_payouts_pay_once ON batch_payouts (withdrawal_id) WHERE is_open;

CREATE TABLE batch_inputs (
  batch_id     uuid NOT NULL REFERENCES batches,
  network_name text NOT NULL,
  input        text NOT NULL,
  address      text NOT NULL,
  units        numeric(78, 0) NOT NULL,
  is_open      boolean NOT NULL DEFAULT true,
  PRIMARY KEY (batch_id, input),
  CONSTRAINT batch_inputs_are_positive CHECK (units > 0)
);
COMMENT ON TABLE batch_inputs IS 'Unspent outputs that a batch spends. No other batch takes them meanwhile.';
COMMENT ON COLUMN batch_inputs.input IS 'The output as TRANSACTION:NUMBER.';
COMMENT ON COLUMN batch_inputs.is_open IS 'False once the batch was given up.';
CREATE UNIQUE INDEX batch_inputs_locked_once ON batch_inputs (network_name, input) WHERE is_open;

CREATE TABLE spendings (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text NOT NULL,
  state          text NOT NULL,
  height         bigint,
  block_hash     text,
  seen_at        timestamptz NOT NULL DEFAULT now(),
  changed_at     timestamptz NOT NULL DEFAULT now(),
  confirmed_at   timestamptz,
  fee_units      numeric(78, 0) NOT NULL,
  fee_asset      text NOT NULL,
  batch_id       uuid REFERENCES batches,
  settled_at     timestamptz,
  settled_by     uuid REFERENCES users,
  reason         text,
  CONSTRAINT spendings_once UNIQUE (network_name, transaction_id),
  CONSTRAINT spendings_have_a_state CHECK (state IN ('SEEN', 'CONFIRMED', 'REPLACED', 'DROPPED', 'REVERSED')),
  CONSTRAINT spendings_have_a_whole_block CHECK ((height IS NULL) = (block_hash IS NULL)),
  CONSTRAINT spendings_confirmed_in_a_block CHECK (state <> 'CONFIRMED' OR height IS NOT NULL),
  CONSTRAINT spendings_settled_whole CHECK (num_nonnulls(settled_at, settled_by, reason) IN (0, 3) AND reason <> ''),
  CONSTRAINT spendings_fee_not_negative CHECK (fee_units >= 0)
);
COMMENT ON TABLE spendings IS
  'Transactions that spend coins of addresses of ours, as the node tells it. Lives as a payment does.';
COMMENT ON COLUMN spendings.fee_units IS 'What our addresses paid to the network. 0 where others paid it.';
COMMENT ON COLUMN spendings.batch_id IS 'The batch that explains it. NULL for a move between addresses of ours, or where nothing does.';
COMMENT ON COLUMN spendings.reason IS 'The words of the member of staff who settled one that nothing explains.';
CREATE INDEX spendings_of_batches ON spendings (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX spendings_by_age ON spendings (seen_at, id);

CREATE TABLE spent_coins (
  spending_id uuid NOT NULL REFERENCES spendings ON DELETE CASCADE,
  position    integer NOT NULL,
  address     text NOT NULL,
  asset       text NOT NULL,
  units       numeric(78, 0) NOT NULL,
  decimals    integer NOT NULL,
  input       text,
  PRIMARY KEY (spending_id, position),
  CONSTRAINT spent_coins_are_positive CHECK (units > 0)
);
COMMENT ON TABLE spent_coins IS 'Coins that left an address of ours, without the network''s fee on EVM networks.';
COMMENT ON COLUMN spent_coins.position IS 'The number of the input on Bitcoin, else as payments.output counts.';
COMMENT ON COLUMN spent_coins.input IS 'Bitcoin: the output that was spent, as TRANSACTION:NUMBER. Else NULL.';
CREATE INDEX spent_coins_by_input ON spent_coins (input);

CREATE TABLE sent_coins (
  spending_id uuid NOT NULL REFERENCES spendings ON DELETE CASCADE,
  output      integer NOT NULL,
  address     text,
  asset       text NOT NULL,
  units       numeric(78, 0) NOT NULL,
  decimals    integer NOT NULL,
  PRIMARY KEY (spending_id, output)
);
COMMENT ON TABLE sent_coins IS 'Who received the coins of a spending, addresses of ours among them.';
COMMENT ON COLUMN sent_coins.output IS 'As payments.output counts.';
COMMENT ON COLUMN sent_coins.address IS 'NULL for an output that no address has, such as data.';
