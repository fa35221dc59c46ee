-- Tables of this district (server/chain/README.md).

CREATE TABLE rates (
  id         uuid PRIMARY KEY,
  coin       text NOT NULL,
  dollars    numeric NOT NULL CHECK ((dollars > (0)::numeric) AND (dollars < (1000000000)::numeric)
             AND scale(dollars) <= 12),
  source     text NOT NULL CHECK (source IN ('SET', 'MEDIAN')),
  at         timestamptz NOT NULL,
  set_by     uuid REFERENCES users,
  prices     jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT rates_name_their_source CHECK (((source = 'SET') = (set_by IS NOT NULL))
    AND ((source = 'MEDIAN') = (prices IS NOT NULL)))
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

CREATE TABLE wallet_assignments (
  source      bytea NOT NULL,
  assigned_at timestamptz NOT NULL
);
COMMENT ON TABLE wallet_assignments IS
  'New assignments of wallets, counted by the limits. Kept for a day, without owners.';
COMMENT ON COLUMN wallet_assignments.source IS 'Digest of the requesting range of IP addresses.';
CREATE INDEX wallet_assignments_by_age ON wallet_assignments (assigned_at);
CREATE INDEX wallet_assignments_by_source ON wallet_assignments (source, assigned_at);

CREATE TABLE address_keys (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  key          text NOT NULL,
  fingerprint  text,
  next_index   integer NOT NULL DEFAULT 0 CHECK (next_index >= 0),
  added_by     uuid NOT NULL REFERENCES users,
  created_at   timestamptz NOT NULL DEFAULT now(),
  derived_at   timestamptz,
  ended_at     timestamptz
);
COMMENT ON TABLE address_keys IS
  'Watch-only keys from which deposit addresses are derived. There is no private key anywhere.';
COMMENT ON COLUMN address_keys.key IS
  'A descriptor or an extended public key, as server/chains/accountKeys.ts writes it.';
COMMENT ON COLUMN address_keys.next_index IS 'The number of the address that is derived next.';
COMMENT ON COLUMN address_keys.derived_at IS
  'The start of the last transaction that derived. An older one would give wallets an earlier age.';
CREATE UNIQUE INDEX address_keys_one_per_network ON address_keys (network_name) WHERE ended_at IS NULL;

CREATE TABLE wallets (
  id               uuid PRIMARY KEY,
  address          text NOT NULL,
  network_name     text NOT NULL,
  owner_id         uuid REFERENCES users,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  used_at          timestamptz,
  archived_at      timestamptz,
  proposal_id      uuid,
  key_id           uuid,
  derivation_index integer,
  CONSTRAINT wallets_archived_are_assigned CHECK ((archived_at IS NULL) OR (owner_id IS NOT NULL)),
  CONSTRAINT wallets_derived_are_numbered CHECK (((key_id IS NULL) = (derivation_index IS NULL))
    AND derivation_index >= 0),
  CONSTRAINT wallets_waiting_are_free CHECK ((proposal_id IS NULL) OR (owner_id IS NULL)),
  CONSTRAINT wallets_derive_from_a_key FOREIGN KEY (key_id) REFERENCES address_keys
);
COMMENT ON TABLE wallets IS 'Addresses that investors send deposits to.';
COMMENT ON COLUMN wallets.owner_id IS
  'The investor that it is assigned to, for good. NULL when available. All wallets of an address have '
  'one owner (trigger unite_owners).';
COMMENT ON COLUMN wallets.used_at IS
  'The moment when its investor got it, or chose it after another. The latest is the default.';
COMMENT ON COLUMN wallets.archived_at IS
  'The moment when staff archived its address, which takes no new deposits. NULL when in use.';
COMMENT ON COLUMN wallets.proposal_id IS
  'The proposal that must be approved before the address is given out. NULL once it is.';
COMMENT ON COLUMN wallets.key_id IS 'The key that its address is derived from. NULL if staff named it.';
CREATE UNIQUE INDEX wallets_address_key ON wallets (lower(address), network_name);
CREATE INDEX wallets_archived ON wallets (created_at, id) WHERE archived_at IS NOT NULL;
CREATE INDEX wallets_available ON wallets (created_at, id) WHERE (owner_id IS NULL) AND (proposal_id IS NULL);
CREATE INDEX wallets_available_by_network ON wallets (network_name, created_at, id) WHERE (owner_id IS NULL)
  AND (proposal_id IS NULL);
CREATE INDEX wallets_by_age ON wallets (created_at, id);
CREATE INDEX wallets_by_network ON wallets (network_name, created_at, id);
CREATE UNIQUE INDEX wallets_derived ON wallets (key_id, derivation_index) WHERE key_id IS NOT NULL;
CREATE INDEX wallets_derived_ahead ON wallets (key_id, derivation_index) WHERE (key_id IS NOT NULL)
  AND (owner_id IS NULL);
CREATE UNIQUE INDEX wallets_one_per_owner_and_network ON wallets (owner_id, network_name)
  WHERE archived_at IS NULL;
CREATE INDEX wallets_waiting ON wallets (proposal_id, created_at, id) WHERE proposal_id IS NOT NULL;

CREATE TABLE chains (
  network_name   text PRIMARY KEY,
  state          text NOT NULL,
  words          text NOT NULL DEFAULT '',
  since          timestamptz NOT NULL DEFAULT now(),
  checked_at     timestamptz NOT NULL DEFAULT now(),
  height         bigint,
  head_hash      text,
  height_since   timestamptz,
  final_height   bigint,
  final_since    timestamptz,
  followed_since timestamptz,
  confirmed      text,
  balances_at    timestamptz,
  read_height    bigint,
  unread_height  bigint
);
COMMENT ON TABLE chains IS
  'The state of each network as the operator''s node tells it. No row before the first look.';
COMMENT ON COLUMN chains.words IS 'Why the state is not FINE. Never has a URL or a password.';
COMMENT ON COLUMN chains.height_since IS 'The moment at which the newest block was first seen.';
COMMENT ON COLUMN chains.followed_since IS
  'The moment from which payments are read. Staff confirm earlier ones by hand.';
COMMENT ON COLUMN chains.confirmed IS
  'The settings that the node confirmed once (server/nodes/settings.ts). A start asks about others.';
COMMENT ON COLUMN chains.balances_at IS
  'The last whole comparison of balances with payments. NULL before the first.';
COMMENT ON COLUMN chains.read_height IS 'The highest block that was ever read. A node below it is behind.';
COMMENT ON COLUMN chains.unread_height IS
  'The block that the last look could not read, at which the follower stands. NULL if there is none.';

CREATE TABLE chain_blocks (
  network_name text NOT NULL,
  height       bigint NOT NULL,
  hash         text NOT NULL,
  PRIMARY KEY (network_name, height)
);
COMMENT ON TABLE chain_blocks IS
  'The newest blocks that were read, without a gap. The highest of a network is its cursor.';

CREATE TABLE block_skips (
  id           uuid PRIMARY KEY,
  network_name text NOT NULL,
  from_height  bigint NOT NULL,
  to_height    bigint NOT NULL,
  agreed_at    timestamptz NOT NULL DEFAULT now(),
  skipped_at   timestamptz,
  ended_at     timestamptz,
  CONSTRAINT block_skips_are_short CHECK (from_height > 0 AND (to_height >= from_height
    AND (to_height <= (from_height + 99))))
);
COMMENT ON TABLE block_skips IS
  'Blocks that two super admins agreed to leave out. Their coins are found by balances.';
COMMENT ON COLUMN block_skips.skipped_at IS 'The moment at which the follower left them out.';
COMMENT ON COLUMN block_skips.ended_at IS
  'The moment at which the first of them could be read after all, or another branch took their place.';
CREATE INDEX block_skips_by_network ON block_skips (network_name, agreed_at);
CREATE UNIQUE INDEX block_skips_wait_once ON block_skips (network_name) WHERE (skipped_at IS NULL)
  AND (ended_at IS NULL);

CREATE TABLE payments (
  id             uuid PRIMARY KEY,
  network_name   text NOT NULL,
  transaction_id text NOT NULL,
  output         integer NOT NULL,
  address        text NOT NULL,
  asset          text NOT NULL,
  units          numeric(78,0) NOT NULL,
  decimals       integer NOT NULL,
  state          text NOT NULL,
  height         bigint,
  block_hash     text,
  inputs         text[] NOT NULL DEFAULT '{}'::text[],
  is_coinbase    boolean NOT NULL DEFAULT false,
  seen_at        timestamptz NOT NULL DEFAULT now(),
  changed_at     timestamptz NOT NULL DEFAULT now(),
  confirmed_at   timestamptz,
  dollars        numeric,
  rate_source    text,
  rate_at        timestamptz,
  deposit_id     uuid,
  settled_as     text,
  CONSTRAINT payments_are_positive CHECK (units > (0)::numeric),
  CONSTRAINT payments_confirmed_in_a_block CHECK (state <> 'CONFIRMED' OR (height IS NOT NULL)),
  CONSTRAINT payments_have_a_state CHECK (state IN ('SEEN', 'CONFIRMED', 'REPLACED', 'DROPPED', 'REVERSED')),
  CONSTRAINT payments_have_a_whole_block CHECK ((height IS NULL) = (block_hash IS NULL)),
  CONSTRAINT payments_have_a_whole_rate CHECK (((dollars IS NULL) = (rate_at IS NULL))
    AND (dollars > (0)::numeric)),
  CONSTRAINT payments_once UNIQUE (network_name, transaction_id, output)
);
COMMENT ON TABLE payments IS
  'Coins that paid an address of ours, as the node tells it. Nothing is credited by a row.';
COMMENT ON COLUMN payments.output IS
  'The output of Bitcoin, the ordinal of the log in its receipt on EVM networks, -1 for their own coin, '
  'and from -2 down for their coin sent by a contract.';
COMMENT ON COLUMN payments.units IS 'In the smallest part of the asset.';
COMMENT ON COLUMN payments.inputs IS
  'The outputs that the transaction spends, or on EVM networks its sender and nonce.';
COMMENT ON COLUMN payments.seen_at IS 'When it was first seen, or the time of its block if earlier.';
COMMENT ON COLUMN payments.dollars IS
  'The rate at seen_at: dollars for one coin. NULL where none counted then.';
COMMENT ON COLUMN payments.rate_source IS 'NULL for one dollar, where the coin had no rate.';
COMMENT ON COLUMN payments.rate_at IS 'The moment of the rate.';
COMMENT ON COLUMN payments.deposit_id IS
  'The decided deposit that rests on it. NULL while none does, so that it is read again.';
COMMENT ON COLUMN payments.settled_as IS
  'Asset, units and address when deposit_id was noted. A reorganisation can change them.';
CREATE INDEX payments_by_address ON payments (address);
CREATE INDEX payments_by_age ON payments (seen_at, id);
CREATE INDEX payments_by_deposit ON payments (deposit_id) WHERE deposit_id IS NOT NULL;
CREATE INDEX payments_by_height ON payments (network_name, height) WHERE height IS NOT NULL;
CREATE INDEX payments_gone ON payments (network_name) WHERE state IN ('REPLACED', 'DROPPED', 'REVERSED');
CREATE INDEX payments_open ON payments (network_name) WHERE state = 'SEEN';
CREATE INDEX payments_unsettled ON payments (network_name) WHERE (state = 'CONFIRMED')
  AND (deposit_id IS NULL);
CREATE INDEX payments_unsure ON payments (network_name, transaction_id) WHERE (state <> 'CONFIRMED')
  AND (confirmed_at IS NOT NULL);

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
  fee_units      numeric(78,0) NOT NULL,
  fee_asset      text NOT NULL,
  batch_id       uuid,
  settled_at     timestamptz,
  settled_by     uuid REFERENCES users,
  reason         text,
  inputs         text[] NOT NULL DEFAULT '{}'::text[],
  settlement_id  uuid,
  CONSTRAINT spendings_confirmed_in_a_block CHECK (state <> 'CONFIRMED' OR (height IS NOT NULL)),
  CONSTRAINT spendings_fee_not_negative CHECK (fee_units >= (0)::numeric),
  CONSTRAINT spendings_have_a_state CHECK (state IN ('SEEN', 'CONFIRMED', 'REPLACED', 'DROPPED', 'REVERSED')),
  CONSTRAINT spendings_have_a_whole_block CHECK ((height IS NULL) = (block_hash IS NULL)),
  CONSTRAINT spendings_settled_whole CHECK ((num_nonnulls(settled_at, settled_by, reason) IN (0, 3))
    AND reason <> ''),
  CONSTRAINT spendings_once UNIQUE (network_name, transaction_id)
);
COMMENT ON TABLE spendings IS
  'Transactions that spend coins of addresses of ours, as the node tells it. Lives as a payment does.';
COMMENT ON COLUMN spendings.fee_units IS 'What our addresses paid to the network. 0 where others paid it.';
COMMENT ON COLUMN spendings.batch_id IS
  'The batch that explains it. NULL for a move between addresses of ours, or where nothing does.';
COMMENT ON COLUMN spendings.reason IS
  'The words of the member of staff who settled one that nothing explains.';
COMMENT ON COLUMN spendings.inputs IS
  'The outputs that the transaction spends, or on EVM networks its sender and nonce. No other one '
  'spends them.';
COMMENT ON COLUMN spendings.settlement_id IS 'The proposal by which two super admins settled it.';
CREATE INDEX spendings_by_age ON spendings (seen_at, id);
CREATE INDEX spendings_by_height ON spendings (network_name, height) WHERE height IS NOT NULL;
CREATE INDEX spendings_of_batches ON spendings (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX spendings_open ON spendings (network_name) WHERE state = 'SEEN';

CREATE TABLE sent_coins (
  spending_id uuid NOT NULL REFERENCES spendings ON DELETE CASCADE,
  output      integer NOT NULL,
  address     text,
  asset       text NOT NULL,
  units       numeric(78,0) NOT NULL,
  decimals    integer NOT NULL,
  PRIMARY KEY (spending_id, output)
);
COMMENT ON TABLE sent_coins IS 'Who received the coins of a spending, addresses of ours among them.';
COMMENT ON COLUMN sent_coins.output IS 'As payments.output counts.';
COMMENT ON COLUMN sent_coins.address IS 'NULL for an output that no address has, such as data.';

CREATE TABLE spent_coins (
  spending_id uuid NOT NULL REFERENCES spendings ON DELETE CASCADE,
  position    integer NOT NULL,
  address     text NOT NULL,
  asset       text NOT NULL,
  units       numeric(78,0) NOT NULL,
  decimals    integer NOT NULL,
  input       text,
  CONSTRAINT spent_coins_are_positive CHECK (units > (0)::numeric),
  PRIMARY KEY (spending_id, "position")
);
COMMENT ON TABLE spent_coins IS
  'Coins that left an address of ours, without the network''s fee on EVM networks.';
COMMENT ON COLUMN spent_coins.position IS
  'The number of the input on Bitcoin, else as payments.output counts.';
COMMENT ON COLUMN spent_coins.input IS
  'Bitcoin: the output that was spent, as TRANSACTION:NUMBER. Else NULL.';
CREATE INDEX spent_coins_by_input ON spent_coins (input);

-- Tables of lower districts refer to these.
ALTER TABLE claims ADD CONSTRAINT claims_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments;
