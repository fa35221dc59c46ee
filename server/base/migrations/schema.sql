-- The tables after all migrations. Written by `npm run schema:dump`, compared by a test. Never edit it.


CREATE TABLE accepted_breaks (
  proposal_id uuid NOT NULL,
  reconciliation_id uuid NOT NULL,
  network_name text NOT NULL,
  asset text NOT NULL,
  units numeric(79,0) NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT accepted_breaks_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(id),
  CONSTRAINT accepted_breaks_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT accepted_breaks_pkey PRIMARY KEY (proposal_id, network_name, asset)
);
COMMENT ON TABLE accepted_breaks IS 'Breaks with which two people let withdrawals go on.';

CREATE TABLE accounts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  owner_id uuid NOT NULL,
  kind text NOT NULL,
  balance bigint,
  closed_at timestamp with time zone,
  CONSTRAINT accounts_balance_not_negative CHECK (
CASE kind
    WHEN 'custody'::text THEN (balance <= 0)
    ELSE (balance >= 0)
END),
  CONSTRAINT accounts_closed_are_empty CHECK (((closed_at IS NULL) OR (balance = 0))),
  CONSTRAINT accounts_guarded CHECK (((balance IS NULL) = (kind = ANY (ARRAY['claims'::text, 'loans'::text, 'loss'::text])))),
  CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['available'::text, 'held'::text, 'invested'::text, 'custody'::text, 'reserve'::text, 'committed'::text, 'claims'::text, 'outgoing'::text, 'loans'::text, 'deployed'::text, 'loss'::text, 'sending'::text]))),
  CONSTRAINT accounts_of_the_pool CHECK (((owner_id = '00000000-0000-0000-0000-000000000000'::uuid) = (kind = ANY (ARRAY['custody'::text, 'reserve'::text, 'committed'::text, 'claims'::text, 'outgoing'::text, 'loans'::text, 'deployed'::text, 'loss'::text, 'sending'::text])))),
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind)
) WITH (fillfactor=70);
COMMENT ON TABLE accounts IS 'The accounts of the double-entry ledger: three of each investor, nine of the pool.';
COMMENT ON COLUMN accounts.owner_id IS 'An investor, or the nil UUID for the pool.';
COMMENT ON COLUMN accounts.balance IS 'Cents, written only by the trigger movements_change_balances. Coins in custody are below zero, and never fewer than none. NULL where it is the sum of its transfers, so that no posting locks the row.';
COMMENT ON COLUMN accounts.closed_at IS 'The moment when its owner closed the account (trigger users_close_accounts). NULL before.';

CREATE TABLE address_keys (
  id uuid NOT NULL,
  network_name text NOT NULL,
  key text NOT NULL,
  fingerprint text,
  next_index integer NOT NULL DEFAULT 0,
  added_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  derived_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT address_keys_next_index_check CHECK ((next_index >= 0)),
  CONSTRAINT address_keys_added_by_fkey FOREIGN KEY (added_by) REFERENCES users(id),
  CONSTRAINT address_keys_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE address_keys IS 'Watch-only keys from which deposit addresses are derived. There is no private key anywhere.';
COMMENT ON COLUMN address_keys.key IS 'A descriptor or an extended public key, as server/chains/accountKeys.ts writes it.';
COMMENT ON COLUMN address_keys.next_index IS 'The number of the address that is derived next.';
COMMENT ON COLUMN address_keys.derived_at IS 'The start of the last transaction that derived. An older one would give wallets an earlier age.';

CREATE TABLE approval_limits (
  only_row boolean NOT NULL DEFAULT true,
  per_person bigint NOT NULL,
  per_pool bigint NOT NULL,
  CONSTRAINT approval_limits_check CHECK ((per_pool >= per_person)),
  CONSTRAINT approval_limits_only_row_check CHECK (only_row),
  CONSTRAINT approval_limits_per_person_check CHECK ((per_person >= 0)),
  CONSTRAINT approval_limits_pkey PRIMARY KEY (only_row)
);
COMMENT ON TABLE approval_limits IS 'Most cents that one person decides alone in 24 hours. One row.';
COMMENT ON COLUMN approval_limits.per_person IS 'Limit for one investor, and for one approver.';
COMMENT ON COLUMN approval_limits.per_pool IS 'Limit for all investors and approvers together.';

CREATE TABLE approvals (
  transaction_id uuid NOT NULL,
  approved_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  payee_address text NOT NULL DEFAULT ''::text,
  amount bigint,
  CONSTRAINT approvals_amount_check CHECK ((amount > 0)),
  CONSTRAINT approvals_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT approvals_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  CONSTRAINT approvals_pkey PRIMARY KEY (transaction_id, approved_by, payee_address)
);
COMMENT ON TABLE approvals IS 'Approvals of deposits and withdrawals that need two people. Final.';
COMMENT ON COLUMN approvals.payee_address IS 'The approved address. Empty for a deposit.';
COMMENT ON COLUMN approvals.amount IS 'The cents that were approved: of a deposit, what was received. NULL is the amount asked for.';

CREATE TABLE archived_months (
  month text NOT NULL,
  from_id uuid,
  until_id uuid NOT NULL,
  movements bigint NOT NULL,
  sha256 text NOT NULL,
  balances text NOT NULL,
  mac text NOT NULL,
  archived_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT archived_months_month_check CHECK ((month ~ '^\d{4}-\d\d$'::text)),
  CONSTRAINT archived_months_movements_check CHECK ((movements >= 0)),
  CONSTRAINT archived_months_pkey PRIMARY KEY (month),
  CONSTRAINT archived_months_from_id_key UNIQUE NULLS NOT DISTINCT (from_id),
  CONSTRAINT archived_months_until_id_key UNIQUE (until_id)
);
COMMENT ON TABLE archived_months IS 'Months whose movements were written to a file and dropped, oldest first and without a gap.';
COMMENT ON COLUMN archived_months.from_id IS 'The first id of the month. NULL is the beginning.';
COMMENT ON COLUMN archived_months.until_id IS 'The first id after the month.';
COMMENT ON COLUMN archived_months.movements IS 'Number of movements in the file.';
COMMENT ON COLUMN archived_months.sha256 IS 'Digest of the file.';
COMMENT ON COLUMN archived_months.balances IS 'Digest of closing_balances after this month. Only that of the newest month is of today''s rows.';
COMMENT ON COLUMN archived_months.mac IS 'MAC of the row, by a key that the database never holds.';

CREATE TABLE audit_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  actor_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  owner_id uuid,
  source text NOT NULL,
  before jsonb,
  after jsonb,
  reason text,
  nonce uuid NOT NULL,
  mac text NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_nonce_key UNIQUE (nonce)
);
COMMENT ON TABLE audit_entries IS 'The audit trail: actor, moment, source and changes of each act, in its transaction. Final.';
COMMENT ON COLUMN audit_entries.actor_id IS 'NULL unless the actor is a signed-in user.';
COMMENT ON COLUMN audit_entries.actor IS 'A username, ''system'', or the operator.';
COMMENT ON COLUMN audit_entries.owner_id IS 'The user that the entry concerns, if any.';
COMMENT ON COLUMN audit_entries.source IS 'An IP address, ''operator'' or ''job''.';
COMMENT ON COLUMN audit_entries.nonce IS 'Makes the entry unique, so that a copy is refused.';
COMMENT ON COLUMN audit_entries.mac IS 'MAC by a key that the database never holds.';

CREATE TABLE audit_seals (
  position bigint NOT NULL,
  entry_id bigint NOT NULL,
  hash bytea NOT NULL,
  key_id text NOT NULL,
  CONSTRAINT audit_seals_position_check CHECK (("position" > 0)),
  CONSTRAINT audit_seals_pkey PRIMARY KEY ("position"),
  CONSTRAINT audit_seals_entry_id_key UNIQUE (entry_id)
);
COMMENT ON TABLE audit_seals IS 'Hash chain over the entries, in its own order, since ids do not commit in order.';
COMMENT ON COLUMN audit_seals.entry_id IS 'Has no foreign key, whose check would need the right to change entries. `audit:check` looks.';
COMMENT ON COLUMN audit_seals.hash IS 'HMAC-SHA-256 of the previous hash and of the entry.';
COMMENT ON COLUMN audit_seals.key_id IS 'Id of the key.';

CREATE TABLE audit_unsealed (
  entry_id bigint NOT NULL,
  CONSTRAINT audit_unsealed_pkey PRIMARY KEY (entry_id)
);
COMMENT ON TABLE audit_unsealed IS 'Entries that wait for their seal. An entry in neither table was inserted past the product.';

CREATE TABLE balance_checks (
  network_name text NOT NULL,
  address text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  height bigint NOT NULL,
  CONSTRAINT balance_checks_pkey PRIMARY KEY (network_name, address, asset)
);
COMMENT ON TABLE balance_checks IS 'The balance of each assigned address as the chain had it at a final block. The next check compares with it.';
COMMENT ON COLUMN balance_checks.address IS 'In lower case.';

CREATE TABLE batch_inputs (
  batch_id uuid NOT NULL,
  network_name text NOT NULL,
  input text NOT NULL,
  address text NOT NULL,
  units numeric(78,0) NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  CONSTRAINT batch_inputs_are_positive CHECK ((units > (0)::numeric)),
  CONSTRAINT batch_inputs_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id),
  CONSTRAINT batch_inputs_pkey PRIMARY KEY (batch_id, input)
);
COMMENT ON TABLE batch_inputs IS 'Unspent outputs that a batch spends. No other batch takes them meanwhile.';
COMMENT ON COLUMN batch_inputs.input IS 'The output as TRANSACTION:NUMBER.';
COMMENT ON COLUMN batch_inputs.is_open IS 'False once the batch was given up.';

CREATE TABLE batch_payouts (
  batch_id uuid NOT NULL,
  position integer NOT NULL,
  withdrawal_id uuid,
  address text NOT NULL,
  units numeric(78,0) NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  transaction_id text,
  output integer,
  sending_id uuid,
  CONSTRAINT batch_payouts_are_positive CHECK ((units > (0)::numeric)),
  CONSTRAINT batch_payouts_have_one_order CHECK ((num_nonnulls(withdrawal_id, sending_id) <= 1)),
  CONSTRAINT batch_payouts_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id),
  CONSTRAINT batch_payouts_sending_id_fkey FOREIGN KEY (sending_id) REFERENCES loan_sendings(id),
  CONSTRAINT batch_payouts_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES transactions(id),
  CONSTRAINT batch_payouts_pkey PRIMARY KEY (batch_id, "position")
);
COMMENT ON TABLE batch_payouts IS 'What a batch pays, in the order of its file.';
COMMENT ON COLUMN batch_payouts.withdrawal_id IS 'NULL where it pays a loan or an address of our own.';
COMMENT ON COLUMN batch_payouts.is_open IS 'False once the batch was given up.';
COMMENT ON COLUMN batch_payouts.transaction_id IS 'The transaction on the chain that pays it, as the node tells it now. NULL while none does.';
COMMENT ON COLUMN batch_payouts.sending_id IS 'The reserved loan that it pays.';

CREATE TABLE batches (
  id uuid NOT NULL,
  network_name text NOT NULL,
  asset text NOT NULL,
  decimals integer NOT NULL,
  kind text NOT NULL,
  format text NOT NULL,
  state text NOT NULL,
  payer text,
  nonce bigint,
  dollars numeric NOT NULL,
  rate_source text,
  rate_at timestamp with time zone NOT NULL,
  fee_rate numeric,
  fee_units numeric(78,0),
  change_units numeric(78,0),
  change_address text,
  file text NOT NULL,
  digest text NOT NULL,
  made_by uuid NOT NULL,
  made_at timestamp with time zone NOT NULL DEFAULT now(),
  approved_by uuid,
  approved_at timestamp with time zone,
  completed_at timestamp with time zone,
  given_up_by uuid,
  given_up_at timestamp with time zone,
  reason text,
  safe_hash text,
  gas bigint,
  gas_price numeric(78,0),
  fee_cents bigint,
  CONSTRAINT batches_approved_by_another CHECK (((approved_by <> made_by) AND ((approved_by IS NULL) = (approved_at IS NULL)))),
  CONSTRAINT batches_format_check CHECK ((format = ANY (ARRAY['PSBT'::text, 'SAFE'::text, 'CSV'::text]))),
  CONSTRAINT batches_gas_whole CHECK (((gas IS NULL) = (gas_price IS NULL))),
  CONSTRAINT batches_given_up_whole CHECK ((num_nonnulls(given_up_by, given_up_at) =
CASE
    WHEN (state = 'GIVEN_UP'::text) THEN 2
    ELSE 0
END)),
  CONSTRAINT batches_kind_check CHECK ((kind = ANY (ARRAY['PAYOUT'::text, 'COLLECTION'::text]))),
  CONSTRAINT batches_of_a_safe_have_its_hash CHECK (((format = 'SAFE'::text) = (safe_hash IS NOT NULL))),
  CONSTRAINT batches_pin_a_nonce CHECK (((format = 'SAFE'::text) = (nonce IS NOT NULL))),
  CONSTRAINT batches_rate_check CHECK ((dollars > (0)::numeric)),
  CONSTRAINT batches_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'READY'::text, 'SEEN'::text, 'COMPLETED'::text, 'GIVEN_UP'::text]))),
  CONSTRAINT batches_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT batches_given_up_by_fkey FOREIGN KEY (given_up_by) REFERENCES users(id),
  CONSTRAINT batches_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id),
  CONSTRAINT batches_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE batches IS 'Payments that staff sign outside the product, in one file. WAITING for a second person, READY to sign, SEEN on the chain, COMPLETED, or GIVEN_UP while nothing of it was on the chain.';
COMMENT ON COLUMN batches.kind IS 'A PAYOUT of withdrawals, or a COLLECTION of coins from our own addresses.';
COMMENT ON COLUMN batches.payer IS 'The Safe or the plain key that pays. NULL where the inputs say it.';
COMMENT ON COLUMN batches.nonce IS 'That of the Safe, so that the file cannot be executed twice.';
COMMENT ON COLUMN batches.dollars IS 'The rate of the asset: dollars for one coin.';
COMMENT ON COLUMN batches.fee_rate IS 'Bitcoin: satoshis for a virtual byte.';
COMMENT ON COLUMN batches.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN batches.safe_hash IS 'EIP-712 hash of the transaction of the Safe, with 0x.';
COMMENT ON COLUMN batches.gas IS 'EVM networks: the gas of the transactions of the file, by a trial of the node.';
COMMENT ON COLUMN batches.gas_price IS 'EVM networks: wei for a unit of gas when the batch was made. The signer sets what is paid.';
COMMENT ON COLUMN batches.fee_cents IS 'The network''s fee in cents, rounded up. NULL where its coin had no rate.';

CREATE TABLE block_skips (
  id uuid NOT NULL,
  network_name text NOT NULL,
  from_height bigint NOT NULL,
  to_height bigint NOT NULL,
  agreed_at timestamp with time zone NOT NULL DEFAULT now(),
  skipped_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT block_skips_are_short CHECK (((from_height > 0) AND ((to_height >= from_height) AND (to_height <= (from_height + 99))))),
  CONSTRAINT block_skips_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT block_skips_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE block_skips IS 'Blocks that two super admins agreed to leave out. Their coins are found by balances.';
COMMENT ON COLUMN block_skips.skipped_at IS 'The moment at which the follower left them out.';
COMMENT ON COLUMN block_skips.ended_at IS 'The moment at which the first of them could be read after all, or another branch took their place.';

CREATE TABLE borrower_grades (
  borrower_id uuid NOT NULL,
  number smallint NOT NULL,
  grade text NOT NULL,
  reason text NOT NULL,
  graded_by uuid NOT NULL,
  graded_at timestamp with time zone NOT NULL,
  CONSTRAINT borrower_grades_grade_check CHECK ((grade = ANY (ARRAY['A'::text, 'B'::text, 'C'::text, 'D'::text, 'E'::text]))),
  CONSTRAINT borrower_grades_number_check CHECK ((number > 0)),
  CONSTRAINT borrower_grades_reason_check CHECK ((reason <> ''::text)),
  CONSTRAINT borrower_grades_borrower_id_fkey FOREIGN KEY (borrower_id) REFERENCES borrowers(id),
  CONSTRAINT borrower_grades_graded_by_fkey FOREIGN KEY (graded_by) REFERENCES users(id),
  CONSTRAINT borrower_grades_pkey PRIMARY KEY (borrower_id, number)
);
COMMENT ON TABLE borrower_grades IS 'Each grade of a borrower, the newest with the highest number. A trigger of borrowers writes them.';

CREATE TABLE borrowers (
  id uuid NOT NULL,
  name text NOT NULL,
  country text NOT NULL,
  kind text NOT NULL,
  relation text NOT NULL,
  user_id uuid,
  grade text NOT NULL,
  grade_reason text NOT NULL,
  recorded_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  graded_at timestamp with time zone,
  graded_by uuid,
  CONSTRAINT borrowers_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT borrowers_grade_check CHECK ((grade = ANY (ARRAY['A'::text, 'B'::text, 'C'::text, 'D'::text, 'E'::text]))),
  CONSTRAINT borrowers_grade_reason_check CHECK ((grade_reason <> ''::text)),
  CONSTRAINT borrowers_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'company'::text]))),
  CONSTRAINT borrowers_name_check CHECK ((name <> ''::text)),
  CONSTRAINT borrowers_of_the_staff_are_named CHECK (((relation <> 'staff'::text) OR (user_id IS NOT NULL))),
  CONSTRAINT borrowers_relation_check CHECK ((relation = ANY (ARRAY['none'::text, 'staff'::text, 'operator'::text, 'investor'::text]))),
  CONSTRAINT borrowers_graded_by_fkey FOREIGN KEY (graded_by) REFERENCES users(id),
  CONSTRAINT borrowers_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  CONSTRAINT borrowers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT borrowers_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE borrowers IS 'People and companies that the pool lends to.';
COMMENT ON COLUMN borrowers.relation IS 'The relation to the pool. Anything but none is a related party.';
COMMENT ON COLUMN borrowers.user_id IS 'Their own account. Its owner never decides about their loans.';
COMMENT ON COLUMN borrowers.grade IS 'The grade of risk, A the best.';
COMMENT ON COLUMN borrowers.graded_at IS 'The moment of the newest grade. NULL for that of the record.';
COMMENT ON COLUMN borrowers.graded_by IS 'Gave the newest grade. NULL for the person who made the record.';

CREATE TABLE capital_withdrawals (
  id uuid NOT NULL,
  amount bigint NOT NULL,
  network_name text NOT NULL,
  address text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT capital_withdrawals_amount_check CHECK ((amount > 0)),
  CONSTRAINT capital_withdrawals_from_own_address FOREIGN KEY (network_name, address) REFERENCES own_addresses(network_name, address),
  CONSTRAINT capital_withdrawals_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT capital_withdrawals_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE capital_withdrawals IS 'What the operator took out of the reserve of a pool that winds down, each by a proposal of two super admins.';
COMMENT ON COLUMN capital_withdrawals.amount IS 'Cents that left the reserve.';
COMMENT ON COLUMN capital_withdrawals.address IS 'The own address from which the operator takes the coins.';

CREATE TABLE chain_blocks (
  network_name text NOT NULL,
  height bigint NOT NULL,
  hash text NOT NULL,
  CONSTRAINT chain_blocks_pkey PRIMARY KEY (network_name, height)
);
COMMENT ON TABLE chain_blocks IS 'The newest blocks that were read, without a gap. The highest of a network is its cursor.';

CREATE TABLE chains (
  network_name text NOT NULL,
  state text NOT NULL,
  words text NOT NULL DEFAULT ''::text,
  since timestamp with time zone NOT NULL DEFAULT now(),
  checked_at timestamp with time zone NOT NULL DEFAULT now(),
  height bigint,
  head_hash text,
  height_since timestamp with time zone,
  final_height bigint,
  final_since timestamp with time zone,
  followed_since timestamp with time zone,
  confirmed text,
  balances_at timestamp with time zone,
  read_height bigint,
  unread_height bigint,
  CONSTRAINT chains_pkey PRIMARY KEY (network_name)
);
COMMENT ON TABLE chains IS 'The state of each network as the operator''s node tells it. No row before the first look.';
COMMENT ON COLUMN chains.words IS 'Why the state is not FINE. Never has a URL or a password.';
COMMENT ON COLUMN chains.height_since IS 'The moment at which the newest block was first seen.';
COMMENT ON COLUMN chains.followed_since IS 'The moment from which payments are read. Staff confirm earlier ones by hand.';
COMMENT ON COLUMN chains.confirmed IS 'The settings that the node confirmed once (server/nodes/settings.ts). A start asks about others.';
COMMENT ON COLUMN chains.balances_at IS 'The last whole comparison of balances with payments. NULL before the first.';
COMMENT ON COLUMN chains.read_height IS 'The highest block that was ever read. A node below it is behind.';
COMMENT ON COLUMN chains.unread_height IS 'The block that the last look could not read, at which the follower stands. NULL if there is none.';

CREATE TABLE claims (
  deposit_id uuid NOT NULL,
  user_id uuid NOT NULL,
  amount bigint NOT NULL,
  open bigint NOT NULL,
  payment_id uuid NOT NULL,
  basis text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT claims_amount_check CHECK ((amount > 0)),
  CONSTRAINT claims_basis_check CHECK ((basis <> ''::text)),
  CONSTRAINT claims_open_within CHECK (((open >= 0) AND (open <= amount))),
  CONSTRAINT claims_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES transactions(id),
  CONSTRAINT claims_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payments(id),
  CONSTRAINT claims_pkey PRIMARY KEY (deposit_id)
);
COMMENT ON TABLE claims IS 'Debts of investors for credited deposits whose coins the chain took back.';
COMMENT ON COLUMN claims.amount IS 'Cents that the deposit had credited.';
COMMENT ON COLUMN claims.open IS 'Cents that are neither collected nor written off.';
COMMENT ON COLUMN claims.payment_id IS 'The payment that is gone.';
COMMENT ON COLUMN claims.basis IS 'In words, what the product saw.';

CREATE TABLE closing_balances (
  account_id bigint NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT closing_balances_pkey PRIMARY KEY (account_id)
);
COMMENT ON TABLE closing_balances IS 'The sum of all archived transfers by account, in cents. The newest archived month signs it.';

CREATE TABLE coin_facts_due (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  network_name text NOT NULL,
  transaction_id text NOT NULL,
  CONSTRAINT coin_facts_due_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE coin_facts_due IS 'Transactions on chains whose facts changed, so that their coin movements are looked at again.';

CREATE TABLE coin_movements (
  id uuid NOT NULL,
  network_name text NOT NULL,
  transaction_id text,
  asset text NOT NULL,
  decimals integer NOT NULL,
  kind text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  units numeric(78,0) NOT NULL,
  cause text NOT NULL,
  cause_id uuid NOT NULL,
  position integer NOT NULL,
  takes_back uuid,
  cents bigint,
  height bigint NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT coin_movements_accounts_check CHECK ((ARRAY[from_account, to_account] <@ ARRAY['deposit'::text, 'change'::text, 'cold'::text, 'safe'::text, 'payer'::text, 'investors'::text, 'funding'::text, 'payouts'::text, 'network'::text, 'converted'::text, 'unseen'::text, 'unexplained'::text, 'settled'::text, 'opening'::text])),
  CONSTRAINT coin_movements_are_positive CHECK (((units > (0)::numeric) AND (cents >= 0))),
  CONSTRAINT coin_movements_cause_check CHECK ((cause = ANY (ARRAY['PAYMENT'::text, 'SPENDING'::text, 'SETTLEMENT'::text, 'UNSEEN'::text, 'OPENING'::text]))),
  CONSTRAINT coin_movements_kind_check CHECK ((kind = ANY (ARRAY['RECEIVED'::text, 'SENT'::text, 'SWEPT'::text, 'FEE'::text, 'GAS'::text, 'CONVERTED'::text, 'UNSEEN'::text, 'UNEXPLAINED'::text, 'SETTLED'::text, 'OPENING'::text]))),
  CONSTRAINT coin_movements_move CHECK ((from_account <> to_account)),
  CONSTRAINT coin_movements_takes_back_fkey FOREIGN KEY (takes_back) REFERENCES coin_movements(id),
  CONSTRAINT coin_movements_pkey PRIMARY KEY (id),
  CONSTRAINT coin_movements_once UNIQUE (cause, cause_id, "position"),
  CONSTRAINT coin_movements_taken_back_once UNIQUE (takes_back)
);
COMMENT ON TABLE coin_movements IS 'The double entry of each coin in units. Five accounts are addresses of ours, the others stand for the outside.';
COMMENT ON COLUMN coin_movements.cause_id IS 'The payment, spending, unseen arrival, or the proposal of an opening balance.';
COMMENT ON COLUMN coin_movements.position IS 'Counts the movements of a cause, those taken back among them.';
COMMENT ON COLUMN coin_movements.takes_back IS 'The movement of which this is the opposite, since its cause is gone or changed.';
COMMENT ON COLUMN coin_movements.cents IS 'Dollars as of the moment of its cause. NULL where no rate counted then.';
COMMENT ON COLUMN coin_movements.height IS 'The block of its cause. 0 for an opening balance.';

CREATE TABLE contributions (
  id uuid NOT NULL,
  amount bigint NOT NULL,
  note text NOT NULL,
  contributed_by text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  source text NOT NULL,
  network_name text,
  asset text,
  units numeric(78,0),
  decimals integer,
  evidence text,
  payment_id uuid,
  CONSTRAINT contributions_amount_check CHECK ((amount > 0)),
  CONSTRAINT contributions_are_coins CHECK ((num_nonnulls(network_name, asset, units, decimals, evidence) =
CASE source
    WHEN 'PLAY'::text THEN 0
    ELSE 5
END)),
  CONSTRAINT contributions_contributed_by_check CHECK ((contributed_by <> ''::text)),
  CONSTRAINT contributions_evidence_check CHECK ((evidence <> ''::text)),
  CONSTRAINT contributions_note_check CHECK ((note <> ''::text)),
  CONSTRAINT contributions_seen_have_a_payment CHECK (((payment_id IS NOT NULL) = (source = 'SEEN'::text))),
  CONSTRAINT contributions_source_check CHECK ((source = ANY (ARRAY['SEEN'::text, 'TYPED'::text, 'PLAY'::text]))),
  CONSTRAINT contributions_units_check CHECK ((units > (0)::numeric)),
  CONSTRAINT contributions_pkey PRIMARY KEY (id),
  CONSTRAINT contributions_payment_id_key UNIQUE (payment_id)
);
COMMENT ON TABLE contributions IS 'Capital of the operator that came into the reserve, each by a proposal of two super admins.';
COMMENT ON COLUMN contributions.amount IS 'Cents.';
COMMENT ON COLUMN contributions.source IS 'SEEN by a node, TYPED by two people on a network that no node follows, or PLAY coins of a sandbox.';
COMMENT ON COLUMN contributions.units IS 'Coins in the smallest part of the asset.';
COMMENT ON COLUMN contributions.evidence IS 'The transaction that brought the coins.';
COMMENT ON COLUMN contributions.payment_id IS 'The payment to an own address, as a node showed it.';

CREATE TABLE ended_pauses (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  began_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL,
  CONSTRAINT ended_pauses_end_later CHECK ((ended_at >= began_at)),
  CONSTRAINT ended_pauses_name_fkey FOREIGN KEY (name) REFERENCES pauses(name),
  CONSTRAINT ended_pauses_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE ended_pauses IS 'Pauses that ended, each with both ends. A trigger writes them.';

CREATE TABLE factors (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  key_id text,
  last_step bigint,
  credential_id bytea,
  public_key bytea,
  counter bigint,
  transports text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT factors_are_whole CHECK (
CASE kind
    WHEN 'TOTP'::text THEN ((num_nonnulls(key_id, last_step) = 2) AND (num_nonnulls(credential_id, public_key, counter, transports) = 0))
    ELSE ((num_nonnulls(key_id, last_step) = 0) AND (num_nonnulls(credential_id, public_key, counter, transports) = 4))
END),
  CONSTRAINT factors_counter_check CHECK ((counter >= 0)),
  CONSTRAINT factors_kind_check CHECK ((kind = ANY (ARRAY['TOTP'::text, 'PASSKEY'::text]))),
  CONSTRAINT factors_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  CONSTRAINT factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT factors_pkey PRIMARY KEY (id),
  CONSTRAINT factors_credential_id_key UNIQUE (credential_id)
);
COMMENT ON TABLE factors IS 'Second factors of users, each proven once before it was added.';
COMMENT ON COLUMN factors.key_id IS 'The key from which the secret of an authenticator app is derived. The secret is stored nowhere.';
COMMENT ON COLUMN factors.last_step IS 'The 30 seconds of the last code, counted from 1970. Earlier codes are refused.';
COMMENT ON COLUMN factors.counter IS 'Uses of a passkey, as its device counts them. Zero for devices that do not count.';

CREATE TABLE fee_estimates (
  network_name text NOT NULL,
  cents bigint NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT fee_estimates_cents_check CHECK ((cents >= 0)),
  CONSTRAINT fee_estimates_pkey PRIMARY KEY (network_name)
);
COMMENT ON TABLE fee_estimates IS 'The network''s fee of one payment, as its node told last. It counts for an hour (docs/decisions/088).';

CREATE TABLE heartbeats (
  only_row boolean NOT NULL DEFAULT true,
  at timestamp with time zone NOT NULL,
  CONSTRAINT heartbeats_only_row_check CHECK (only_row),
  CONSTRAINT heartbeats_pkey PRIMARY KEY (only_row)
);
COMMENT ON TABLE heartbeats IS 'A moment that the primary passed. Its copy on a replica tells how far that one is behind.';

CREATE TABLE idempotency_keys (
  actor_id uuid NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  outcome jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (actor_id, key)
) WITH (fillfactor=90);
COMMENT ON TABLE idempotency_keys IS 'Outcomes of money calls, so that a repeat with the same key gets the same response.';
COMMENT ON COLUMN idempotency_keys.request_hash IS 'Digest of the request. The same key with another request is refused.';

CREATE TABLE job_successes (
  name text NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  succeeded_at timestamp with time zone,
  CONSTRAINT job_successes_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE job_successes IS 'The last success of each job that repeats, on any node. Readiness, states and alerts come from it (server/jobs/successes.ts).';

CREATE TABLE known_devices (
  user_id uuid NOT NULL,
  digest bytea NOT NULL,
  language text NOT NULL,
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT known_devices_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text]))),
  CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT known_devices_pkey PRIMARY KEY (user_id, digest)
);
COMMENT ON TABLE known_devices IS 'Devices that users signed in from. Forgotten after 90 days, except the latest of each user.';
COMMENT ON COLUMN known_devices.digest IS 'SHA-256 of browser, system and range of IP addresses.';
COMMENT ON COLUMN known_devices.language IS 'The language of its last sign-in, for mails.';

CREATE TABLE ledger_checks (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  checked_at timestamp with time zone NOT NULL DEFAULT now(),
  accounts integer NOT NULL,
  transfers bigint NOT NULL,
  finding text,
  CONSTRAINT ledger_checks_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE ledger_checks IS 'Hourly recomputations of the ledger, from all nodes.';
COMMENT ON COLUMN ledger_checks.accounts IS 'Number of recomputed accounts.';
COMMENT ON COLUMN ledger_checks.transfers IS 'Number of transfers read.';
COMMENT ON COLUMN ledger_checks.finding IS 'The first fault. NULL when there is none.';

CREATE TABLE liability_leaves (
  day date NOT NULL,
  place integer NOT NULL,
  user_id uuid NOT NULL,
  available bigint NOT NULL,
  held bigint NOT NULL,
  outgoing bigint NOT NULL,
  invested bigint NOT NULL,
  interest bigint NOT NULL,
  CONSTRAINT liability_leaves_available_check CHECK ((available >= 0)),
  CONSTRAINT liability_leaves_held_check CHECK ((held >= 0)),
  CONSTRAINT liability_leaves_interest_check CHECK ((interest >= 0)),
  CONSTRAINT liability_leaves_invested_check CHECK ((invested >= 0)),
  CONSTRAINT liability_leaves_outgoing_check CHECK ((outgoing >= 0)),
  CONSTRAINT liability_leaves_place_check CHECK ((place >= 0)),
  CONSTRAINT liability_leaves_pkey PRIMARY KEY (day, place),
  CONSTRAINT liability_leaves_one_per_investor UNIQUE (day, user_id)
);
COMMENT ON TABLE liability_leaves IS 'Cents owed to each investor with money on a day. A day is deleted after 30 days; no row is changed.';
COMMENT ON COLUMN liability_leaves.place IS 'In files of version 1 the place of the leaf, from the left. In later ones a number that leads to the places of the parts.';
COMMENT ON COLUMN liability_leaves.user_id IS 'No foreign key: users are never deleted, and a million are written at once.';
COMMENT ON COLUMN liability_leaves.outgoing IS 'Approved withdrawals that are on the way.';
COMMENT ON COLUMN liability_leaves.interest IS 'Committed interest of active investments.';

CREATE TABLE liability_trees (
  day date NOT NULL,
  file text NOT NULL,
  digest text NOT NULL,
  blocks bytea NOT NULL,
  salted_by text NOT NULL,
  key_id text NOT NULL,
  signature text NOT NULL,
  CONSTRAINT liability_trees_are_files CHECK (((file ~ '^\{\n  "version": [123],\n  "day": "\d{4}-\d\d-\d\d",\n  "at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",\n  "root": "[0-9a-f]{64}",\n  "total": "(0|[1-9]\d{0,18})",\n  "leaves": [1-9]\d{0,9},(\n  "parts": [248],)?\n  "coins": "-?\d{1,19}",\n  "loans": "(0|[1-9]\d{0,18})"(,\n  "typed": "-?\d{1,19}")?\n\}\n$'::text) AND ((file ~ '\n  "version": [23],'::text) = (file ~ '\n  "parts": '::text)) AND ((file ~ '\n  "version": 3,'::text) = (file ~ '\n  "typed": '::text)) AND (substr(file, 29, 10) = to_char((day)::timestamp with time zone, 'YYYY-MM-DD'::text)))),
  CONSTRAINT liability_trees_blocks_check CHECK (((length(blocks) > 0) AND ((length(blocks) % 40) = 0))),
  CONSTRAINT liability_trees_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT liability_trees_salted_by_check CHECK ((salted_by ~ '^[0-9a-f]{8}$'::text)),
  CONSTRAINT liability_trees_signature_check CHECK ((signature ~ '^[A-Za-z0-9_-]{86}$'::text)),
  CONSTRAINT liability_trees_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_keys(id),
  CONSTRAINT liability_trees_pkey PRIMARY KEY (day)
);
COMMENT ON TABLE liability_trees IS 'The signed file of what the pool owes, for each day. None is changed, deleted or made again.';
COMMENT ON COLUMN liability_trees.day IS 'In UTC.';
COMMENT ON COLUMN liability_trees.file IS 'The JSON that everybody gets, with the root and the total (docs/liabilities.md).';
COMMENT ON COLUMN liability_trees.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN liability_trees.blocks IS 'The nodes above each 512 leaves, from the left: 32 bytes of hash and 8 of sum each.';
COMMENT ON COLUMN liability_trees.salted_by IS 'Id of the key that the salts and the padding of the day are derived from.';
COMMENT ON COLUMN liability_trees.signature IS 'Ed25519 of name and digest, 64 bytes in base64url.';

CREATE TABLE links (
  id uuid NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  address text NOT NULL,
  token_digest bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT links_address_is_lower_case CHECK ((address = lower(address))),
  CONSTRAINT links_kind_check CHECK ((kind = ANY (ARRAY['CONFIRM'::text, 'CHANGE'::text, 'RESET'::text, 'FREEZE'::text, 'GIVE_BACK'::text, 'INVITE'::text]))),
  CONSTRAINT links_of_users_or_invites CHECK (((user_id IS NULL) = (kind = 'INVITE'::text))),
  CONSTRAINT links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT links_pkey PRIMARY KEY (id),
  CONSTRAINT links_token_digest_key UNIQUE (token_digest)
);
COMMENT ON TABLE links IS 'Mailed links that work once (server/links). Their rows go a day after their end.';
COMMENT ON COLUMN links.id IS 'Of an invite, the id of its proposal.';
COMMENT ON COLUMN links.kind IS 'CONFIRM an email or CHANGE it, RESET the password, FREEZE the account, or open that of an INVITE. GIVE_BACK freezes, too, and keeps its address from other accounts.';
COMMENT ON COLUMN links.address IS 'The mailbox that it was mailed to.';
COMMENT ON COLUMN links.token_digest IS 'SHA-256 of the token. The token is stored nowhere: the sender derives it from the id.';
COMMENT ON COLUMN links.ended_at IS 'Its use, or the act that ended it without one.';

CREATE TABLE loan_collateral (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  description text NOT NULL,
  value bigint NOT NULL,
  valued_on date NOT NULL,
  recorded_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  withdrawn_for text,
  withdrawn_by uuid,
  withdrawn_at timestamp with time zone,
  CONSTRAINT loan_collateral_description_check CHECK ((description <> ''::text)),
  CONSTRAINT loan_collateral_value_check CHECK ((value > 0)),
  CONSTRAINT loan_collateral_withdrawn CHECK ((num_nonnulls(withdrawn_for, withdrawn_by, withdrawn_at) = ANY (ARRAY[0, 3]))),
  CONSTRAINT loan_collateral_withdrawn_for_check CHECK ((withdrawn_for <> ''::text)),
  CONSTRAINT loan_collateral_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_collateral_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  CONSTRAINT loan_collateral_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES users(id),
  CONSTRAINT loan_collateral_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loan_collateral IS 'Collateral of loans. A wrong one is withdrawn, and stays.';
COMMENT ON COLUMN loan_collateral.value IS 'Cents that it was worth on the day of valued_on.';

CREATE TABLE loan_confirmations (
  sending_id uuid NOT NULL,
  transaction_id text NOT NULL,
  output integer,
  basis text NOT NULL,
  mined_at timestamp with time zone,
  mac text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loan_confirmations_basis_check CHECK ((basis <> ''::text)),
  CONSTRAINT loan_confirmations_transaction_id_check CHECK ((transaction_id <> ''::text)),
  CONSTRAINT loan_confirmations_sending_id_fkey FOREIGN KEY (sending_id) REFERENCES loan_sendings(id),
  CONSTRAINT loan_confirmations_pkey PRIMARY KEY (sending_id)
);
COMMENT ON TABLE loan_confirmations IS 'Reserved loans whose coins a deep block has. The job of loans begins each. None changes.';
COMMENT ON COLUMN loan_confirmations.output IS 'NULL for the own coin of an EVM network.';
COMMENT ON COLUMN loan_confirmations.basis IS 'The facts of the chain, in words.';
COMMENT ON COLUMN loan_confirmations.mined_at IS 'The time of the block. NULL where the network tells none.';
COMMENT ON COLUMN loan_confirmations.mac IS 'MAC of the row, by a key that the database never holds: a node was asked.';

CREATE TABLE loan_defaults (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  defaulted_on date NOT NULL,
  reason text NOT NULL,
  days_past_due integer NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  stopped_number smallint,
  stopped_interest bigint,
  CONSTRAINT loan_defaults_days_past_due_check CHECK ((days_past_due >= 0)),
  CONSTRAINT loan_defaults_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_defaults_principal_check CHECK ((principal > 0)),
  CONSTRAINT loan_defaults_reason_check CHECK ((reason = ANY (ARRAY['daysPastDue'::text, 'unlikelyToPay'::text]))),
  CONSTRAINT loan_defaults_stopped CHECK (((stopped_number IS NULL) = (stopped_interest IS NULL))),
  CONSTRAINT loan_defaults_stopped_interest_check CHECK ((stopped_interest >= 0)),
  CONSTRAINT loan_defaults_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_defaults_pkey PRIMARY KEY (id),
  CONSTRAINT loan_defaults_loan_id_key UNIQUE (loan_id)
);
COMMENT ON TABLE loan_defaults IS 'Defaults, by days past due or by a proposal of two people, whose id it has. They stay.';
COMMENT ON COLUMN loan_defaults.defaulted_on IS 'The day that made it so: the 91st past due, however late it was counted, or that of the second person.';
COMMENT ON COLUMN loan_defaults.interest IS 'Cents that were owed by that day and not paid. With the principal they are the exposure.';
COMMENT ON COLUMN loan_defaults.stopped_number IS 'The first line due after that day. NULL where all were due. It owes interest up to that day alone.';
COMMENT ON COLUMN loan_defaults.stopped_interest IS 'Cents of that interest, the paid ones too. Later lines owe none.';

CREATE TABLE loan_disbursements (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  principal bigint NOT NULL,
  disbursed_on date NOT NULL,
  network_name text NOT NULL,
  evidence text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  capital bigint NOT NULL,
  output integer,
  sent boolean NOT NULL DEFAULT false,
  CONSTRAINT loan_disbursements_check CHECK (((capital >= 0) AND (capital <= principal))),
  CONSTRAINT loan_disbursements_principal_check CHECK ((principal > 0)),
  CONSTRAINT loan_disbursements_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT loan_disbursements_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_disbursements_pkey PRIMARY KEY (id),
  CONSTRAINT loan_disbursements_evidence_once UNIQUE NULLS NOT DISTINCT (network_name, evidence, output),
  CONSTRAINT loan_disbursements_loan_id_key UNIQUE (loan_id)
);
COMMENT ON TABLE loan_disbursements IS 'Loans paid out, each by a proposal of two people.';
COMMENT ON COLUMN loan_disbursements.evidence IS 'The transaction that paid it out.';
COMMENT ON COLUMN loan_disbursements.capital IS 'The part of the principal that left the reserve.';
COMMENT ON COLUMN loan_disbursements.output IS 'The output that paid it, as payments.output counts. NULL where it was by hand, or by the own coin of an EVM network.';
COMMENT ON COLUMN loan_disbursements.sent IS 'True where a batch paid what was reserved in loan_sendings.';

CREATE TABLE loan_documents (
  id uuid NOT NULL,
  borrower_id uuid,
  loan_id uuid,
  title text NOT NULL,
  sha256 text NOT NULL,
  link text NOT NULL,
  recorded_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  withdrawn_for text,
  withdrawn_by uuid,
  withdrawn_at timestamp with time zone,
  CONSTRAINT loan_documents_link_check CHECK ((link ~ '^https://'::text)),
  CONSTRAINT loan_documents_of_one CHECK ((num_nonnulls(borrower_id, loan_id) = 1)),
  CONSTRAINT loan_documents_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT loan_documents_title_check CHECK ((title <> ''::text)),
  CONSTRAINT loan_documents_withdrawn CHECK ((num_nonnulls(withdrawn_for, withdrawn_by, withdrawn_at) = ANY (ARRAY[0, 3]))),
  CONSTRAINT loan_documents_withdrawn_for_check CHECK ((withdrawn_for <> ''::text)),
  CONSTRAINT loan_documents_borrower_id_fkey FOREIGN KEY (borrower_id) REFERENCES borrowers(id),
  CONSTRAINT loan_documents_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_documents_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  CONSTRAINT loan_documents_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES users(id),
  CONSTRAINT loan_documents_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loan_documents IS 'Documents of a borrower or a loan, by digest and link. A wrong one is withdrawn, and stays.';
COMMENT ON COLUMN loan_documents.sha256 IS 'The digest of the file. The file itself is elsewhere.';

CREATE TABLE loan_instalments (
  loan_id uuid NOT NULL,
  number smallint NOT NULL,
  due_on date NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  principal_paid bigint NOT NULL DEFAULT 0,
  interest_paid bigint NOT NULL DEFAULT 0,
  replaced boolean NOT NULL DEFAULT false,
  CONSTRAINT loan_instalments_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_instalments_interest_within CHECK (((interest_paid >= 0) AND (interest_paid <= interest))),
  CONSTRAINT loan_instalments_number_check CHECK ((number > 0)),
  CONSTRAINT loan_instalments_principal_check CHECK ((principal >= 0)),
  CONSTRAINT loan_instalments_principal_within CHECK (((principal_paid >= 0) AND (principal_paid <= principal))),
  CONSTRAINT loan_instalments_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_instalments_pkey PRIMARY KEY (loan_id, number)
);
COMMENT ON TABLE loan_instalments IS 'The schedules of each loan from its disbursement, and what is paid. New lines go on counting.';
COMMENT ON COLUMN loan_instalments.replaced IS 'True for a line that a restructuring ended. What is unpaid of it is owed by the new lines.';

CREATE TABLE loan_moves (
  loan_id uuid NOT NULL,
  number integer NOT NULL,
  bucket text NOT NULL,
  moved_on date NOT NULL,
  days_past_due integer NOT NULL,
  outstanding bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loan_moves_bucket_check CHECK ((bucket = ANY (ARRAY['current'::text, 'late1'::text, 'late31'::text, 'late61'::text, 'late91'::text]))),
  CONSTRAINT loan_moves_days_past_due_check CHECK ((days_past_due >= 0)),
  CONSTRAINT loan_moves_number_check CHECK ((number > 0)),
  CONSTRAINT loan_moves_outstanding_check CHECK ((outstanding >= 0)),
  CONSTRAINT loan_moves_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_moves_pkey PRIMARY KEY (loan_id, number)
);
COMMENT ON TABLE loan_moves IS 'Moves of loans between buckets of days past due. A loan without one is current.';
COMMENT ON COLUMN loan_moves.moved_on IS 'The day by due dates and value dates. created_at tells when the product knew.';

CREATE TABLE loan_repayment_parts (
  repayment_id uuid NOT NULL,
  number smallint NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  CONSTRAINT loan_repayment_parts_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_repayment_parts_principal_check CHECK ((principal >= 0)),
  CONSTRAINT loan_repayment_parts_repayment_id_fkey FOREIGN KEY (repayment_id) REFERENCES loan_repayments(id),
  CONSTRAINT loan_repayment_parts_pkey PRIMARY KEY (repayment_id, number)
);
COMMENT ON TABLE loan_repayment_parts IS 'The part of each repayment that paid an instalment.';

CREATE TABLE loan_repayments (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  value_on date NOT NULL,
  reference text NOT NULL,
  recorded_by uuid NOT NULL,
  reversed boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  recovered bigint NOT NULL DEFAULT 0,
  capital bigint NOT NULL,
  kept bigint NOT NULL,
  agreed_id uuid,
  CONSTRAINT loan_repayments_check CHECK ((((principal + interest) + recovered) > 0)),
  CONSTRAINT loan_repayments_check1 CHECK (((capital >= 0) AND (capital <= principal))),
  CONSTRAINT loan_repayments_check2 CHECK (((kept >= 0) AND (kept <= recovered))),
  CONSTRAINT loan_repayments_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_repayments_principal_check CHECK ((principal >= 0)),
  CONSTRAINT loan_repayments_recover_alone CHECK (((recovered = 0) OR ((principal + interest) = 0))),
  CONSTRAINT loan_repayments_recovered_check CHECK ((recovered >= 0)),
  CONSTRAINT loan_repayments_reference_check CHECK ((reference <> ''::text)),
  CONSTRAINT loan_repayments_agreed_id_fkey FOREIGN KEY (agreed_id) REFERENCES proposals(id),
  CONSTRAINT loan_repayments_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_repayments_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  CONSTRAINT loan_repayments_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loan_repayments IS 'Repayments of borrowers, split by the oldest instalment.';
COMMENT ON COLUMN loan_repayments.value_on IS 'The day on which it arrived.';
COMMENT ON COLUMN loan_repayments.reversed IS 'True once a row of loan_reversals took it back.';
COMMENT ON COLUMN loan_repayments.recovered IS 'Cents that came after the loan was written off.';
COMMENT ON COLUMN loan_repayments.capital IS 'The part of the principal that went back into the reserve.';
COMMENT ON COLUMN loan_repayments.kept IS 'The part of what was recovered that went to the reserve. The rest went to those who had borne the loss.';
COMMENT ON COLUMN loan_repayments.agreed_id IS 'The proposal of two people that it rests on. NULL where one person recorded it, and of recoveries.';

CREATE TABLE loan_restructurings (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  starts_on date NOT NULL,
  starts_as smallint,
  first_number smallint NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  distressed boolean NOT NULL,
  rate_basis_points integer NOT NULL,
  schedule text NOT NULL,
  period text NOT NULL,
  day_count text NOT NULL,
  instalments smallint NOT NULL,
  due_day smallint NOT NULL,
  first_due_on date NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loan_restructurings_check CHECK ((first_due_on > starts_on)),
  CONSTRAINT loan_restructurings_day_count_check CHECK ((day_count = ANY (ARRAY['act365'::text, '30e360'::text]))),
  CONSTRAINT loan_restructurings_due_day_check CHECK (((due_day >= 1) AND (due_day <= 31))),
  CONSTRAINT loan_restructurings_first_number_check CHECK ((first_number > 1)),
  CONSTRAINT loan_restructurings_instalments_check CHECK (((instalments >= 1) AND (instalments <= 600))),
  CONSTRAINT loan_restructurings_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_restructurings_period_check CHECK ((period = ANY (ARRAY['weekly'::text, 'halfMonthly'::text, 'monthly'::text, 'quarterly'::text]))),
  CONSTRAINT loan_restructurings_principal_check CHECK ((principal > 0)),
  CONSTRAINT loan_restructurings_rate_basis_points_check CHECK (((rate_basis_points >= 0) AND (rate_basis_points <= 10000))),
  CONSTRAINT loan_restructurings_schedule_check CHECK ((schedule = ANY (ARRAY['annuity'::text, 'equalPrincipal'::text, 'interestOnly'::text]))),
  CONSTRAINT loan_restructurings_starts_as_check CHECK (((starts_as >= 1) AND (starts_as <= 31))),
  CONSTRAINT loan_restructurings_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT loan_restructurings_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_restructurings_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loan_restructurings IS 'New terms of loans, each by a proposal of two people.';
COMMENT ON COLUMN loan_restructurings.starts_as IS 'Day of the month that the first day stands for, as a due day before. NULL where it stands for itself.';
COMMENT ON COLUMN loan_restructurings.first_number IS 'Its lines count from here.';
COMMENT ON COLUMN loan_restructurings.interest IS 'Cents of interest up to that day that were not paid. Its first line owes them.';

CREATE TABLE loan_reversals (
  id uuid NOT NULL,
  repayment_id uuid NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  reason text NOT NULL,
  reversed_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  recovered bigint NOT NULL DEFAULT 0,
  capital bigint NOT NULL,
  agreed_id uuid,
  CONSTRAINT loan_reversals_check CHECK (((capital >= 0) AND (capital <= principal))),
  CONSTRAINT loan_reversals_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_reversals_principal_check CHECK ((principal >= 0)),
  CONSTRAINT loan_reversals_reason_check CHECK ((reason <> ''::text)),
  CONSTRAINT loan_reversals_recovered_check CHECK ((recovered >= 0)),
  CONSTRAINT loan_reversals_agreed_id_fkey FOREIGN KEY (agreed_id) REFERENCES proposals(id),
  CONSTRAINT loan_reversals_repayment_id_fkey FOREIGN KEY (repayment_id) REFERENCES loan_repayments(id),
  CONSTRAINT loan_reversals_reversed_by_fkey FOREIGN KEY (reversed_by) REFERENCES users(id),
  CONSTRAINT loan_reversals_pkey PRIMARY KEY (id),
  CONSTRAINT loan_reversals_repayment_id_key UNIQUE (repayment_id)
);
COMMENT ON TABLE loan_reversals IS 'Repayments taken back, each once.';
COMMENT ON COLUMN loan_reversals.capital IS 'The part of the principal that left the reserve again. Repayments in between may make it a cent more or less than the repayment had.';
COMMENT ON COLUMN loan_reversals.agreed_id IS 'The proposal of two people that it rests on. NULL where one person reversed it.';

CREATE TABLE loan_sendings (
  id uuid NOT NULL,
  proposal_id uuid NOT NULL,
  loan_id uuid NOT NULL,
  principal bigint NOT NULL,
  capital bigint NOT NULL,
  network_name text NOT NULL,
  address text NOT NULL,
  status text NOT NULL DEFAULT 'OPEN'::text,
  release_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loan_sendings_address_check CHECK ((address <> ''::text)),
  CONSTRAINT loan_sendings_check CHECK (((capital >= 0) AND (capital <= principal))),
  CONSTRAINT loan_sendings_principal_check CHECK ((principal > 0)),
  CONSTRAINT loan_sendings_released_by_two CHECK (((status = 'RELEASED'::text) = (release_id IS NOT NULL))),
  CONSTRAINT loan_sendings_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'PAID'::text, 'RELEASED'::text]))),
  CONSTRAINT loan_sendings_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_sendings_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(id),
  CONSTRAINT loan_sendings_release_id_fkey FOREIGN KEY (release_id) REFERENCES proposals(id),
  CONSTRAINT loan_sendings_pkey PRIMARY KEY (id),
  CONSTRAINT loan_sendings_proposal_id_key UNIQUE (proposal_id)
);
COMMENT ON TABLE loan_sendings IS 'Loans that are reserved for a batch, each by a proposal of two people. OPEN, PAID once the chain shows the coins, or RELEASED to the reserve.';
COMMENT ON COLUMN loan_sendings.capital IS 'The part of the principal that left the reserve.';
COMMENT ON COLUMN loan_sendings.address IS 'The address of the borrower that both people saw.';

CREATE TABLE loan_updates (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  text text NOT NULL,
  written_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loan_updates_text_check CHECK (((text <> ''::text) AND (length(text) <= 2000))),
  CONSTRAINT loan_updates_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_updates_written_by_fkey FOREIGN KEY (written_by) REFERENCES users(id),
  CONSTRAINT loan_updates_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loan_updates IS 'News of loans, as staff wrote them. None changes.';

CREATE TABLE loan_write_offs (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  principal bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  capital bigint NOT NULL,
  covered bigint NOT NULL DEFAULT 0,
  lost bigint NOT NULL DEFAULT 0,
  CONSTRAINT loan_write_offs_are_borne CHECK ((((capital + covered) + lost) = principal)),
  CONSTRAINT loan_write_offs_capital_check CHECK ((capital >= 0)),
  CONSTRAINT loan_write_offs_covered_check CHECK ((covered >= 0)),
  CONSTRAINT loan_write_offs_lost_check CHECK ((lost >= 0)),
  CONSTRAINT loan_write_offs_principal_check CHECK ((principal > 0)),
  CONSTRAINT loan_write_offs_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT loan_write_offs_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_write_offs_pkey PRIMARY KEY (id),
  CONSTRAINT loan_write_offs_loan_id_key UNIQUE (loan_id)
);
COMMENT ON TABLE loan_write_offs IS 'Loans that two super admins gave up.';
COMMENT ON COLUMN loan_write_offs.capital IS 'The part that the operator had lent.';
COMMENT ON COLUMN loan_write_offs.covered IS 'The part of investors'' principal that the free reserve bore.';
COMMENT ON COLUMN loan_write_offs.lost IS 'The rest of investors'' principal: a loss that is open until loss_covers bear it.';

CREATE TABLE loans (
  id uuid NOT NULL,
  borrower_id uuid NOT NULL,
  purpose text NOT NULL,
  principal bigint NOT NULL,
  rate_basis_points integer NOT NULL,
  schedule text NOT NULL,
  period text NOT NULL,
  day_count text NOT NULL,
  instalments smallint NOT NULL,
  due_day smallint NOT NULL,
  disburse_on date NOT NULL,
  first_due_on date NOT NULL,
  status text NOT NULL DEFAULT 'APPLIED'::text,
  outstanding bigint NOT NULL DEFAULT 0,
  recorded_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  written_off bigint NOT NULL DEFAULT 0,
  recovered bigint NOT NULL DEFAULT 0,
  refinances_id uuid,
  closed_for text,
  closed_by uuid,
  closed_at timestamp with time zone,
  from_investors bigint NOT NULL DEFAULT 0,
  taken_over_on date,
  CONSTRAINT loans_check CHECK ((first_due_on > disburse_on)),
  CONSTRAINT loans_check1 CHECK (((written_off >= 0) AND (written_off <= principal))),
  CONSTRAINT loans_closed CHECK ((num_nonnulls(closed_for, closed_by, closed_at) =
CASE
    WHEN (status = ANY (ARRAY['WITHDRAWN'::text, 'DECLINED'::text])) THEN 3
    ELSE 0
END)),
  CONSTRAINT loans_closed_for_check CHECK ((closed_for <> ''::text)),
  CONSTRAINT loans_day_count_check CHECK ((day_count = ANY (ARRAY['act365'::text, '30e360'::text]))),
  CONSTRAINT loans_due_day_check CHECK (((due_day >= 1) AND (due_day <= 31))),
  CONSTRAINT loans_from_investors_within CHECK (((from_investors >= 0) AND (from_investors <= principal))),
  CONSTRAINT loans_instalments_check CHECK (((instalments >= 1) AND (instalments <= 600))),
  CONSTRAINT loans_outstanding_within CHECK (((outstanding >= 0) AND (outstanding <= principal))),
  CONSTRAINT loans_owe_while_active CHECK (((status = ANY (ARRAY['ACTIVE'::text, 'DEFAULTED'::text])) = (outstanding > 0))),
  CONSTRAINT loans_period_check CHECK ((period = ANY (ARRAY['weekly'::text, 'halfMonthly'::text, 'monthly'::text, 'quarterly'::text]))),
  CONSTRAINT loans_principal_check CHECK ((principal > 0)),
  CONSTRAINT loans_rate_basis_points_check CHECK (((rate_basis_points >= 0) AND (rate_basis_points <= 10000))),
  CONSTRAINT loans_recovered_within CHECK (((recovered >= 0) AND (recovered <= written_off))),
  CONSTRAINT loans_schedule_check CHECK ((schedule = ANY (ARRAY['annuity'::text, 'equalPrincipal'::text, 'interestOnly'::text]))),
  CONSTRAINT loans_status_check CHECK ((status = ANY (ARRAY['APPLIED'::text, 'APPROVED'::text, 'SENDING'::text, 'ACTIVE'::text, 'DEFAULTED'::text, 'WRITTEN_OFF'::text, 'REPAID'::text, 'WITHDRAWN'::text, 'DECLINED'::text]))),
  CONSTRAINT loans_taken_over CHECK ((taken_over_on >= disburse_on)),
  CONSTRAINT loans_written_off CHECK (((status = 'WRITTEN_OFF'::text) = (written_off > 0))),
  CONSTRAINT loans_borrower_id_fkey FOREIGN KEY (borrower_id) REFERENCES borrowers(id),
  CONSTRAINT loans_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id),
  CONSTRAINT loans_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES users(id),
  CONSTRAINT loans_refinances_id_fkey FOREIGN KEY (refinances_id) REFERENCES loans(id),
  CONSTRAINT loans_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loans IS 'Loans and their terms. APPLIED, APPROVED by two, ACTIVE from the disbursement, REPAID; or DEFAULTED, then REPAID or WRITTEN_OFF. An application that was closed is WITHDRAWN or DECLINED.';
COMMENT ON COLUMN loans.rate_basis_points IS 'The yearly rate.';
COMMENT ON COLUMN loans.due_day IS 'Day of the month of instalments. Short months have their last.';
COMMENT ON COLUMN loans.disburse_on IS 'The planned day. loan_disbursements has the real one.';
COMMENT ON COLUMN loans.outstanding IS 'Cents of the principal that are disbursed, not repaid and not written off.';
COMMENT ON COLUMN loans.written_off IS 'Cents of the principal that two super admins gave up.';
COMMENT ON COLUMN loans.recovered IS 'Cents that came back of what was written off.';
COMMENT ON COLUMN loans.refinances_id IS 'The loan of the same borrower that this one replaces.';
COMMENT ON COLUMN loans.closed_for IS 'Why the application was withdrawn or declined.';
COMMENT ON COLUMN loans.from_investors IS 'Cents of the principal that are lent out of what investors put in. The rest is the capital of the operator.';
COMMENT ON COLUMN loans.taken_over_on IS 'The day on which the pool took over a loan that ran already. NULL for its own loans.';

CREATE TABLE login_throttles (
  key bytea NOT NULL,
  failures integer NOT NULL,
  last_at timestamp with time zone NOT NULL,
  succeeded_at timestamp with time zone,
  CONSTRAINT login_throttles_failures_check CHECK ((failures >= 0)),
  CONSTRAINT login_throttles_pkey PRIMARY KEY (key)
);
COMMENT ON TABLE login_throttles IS 'Failed sign-ins of all nodes by user, by IP and by both. Registrations by range of IPs, forgotten passwords by email and by range of IPs, links for emails by user, by email and by range of IPs, and guessed codes by user.';
COMMENT ON COLUMN login_throttles.key IS 'Digest of the counted user, IP or range.';
COMMENT ON COLUMN login_throttles.failures IS 'Number of failures, or of all registrations or forgotten passwords in an hour.';
COMMENT ON COLUMN login_throttles.last_at IS 'The last attempt, or the first registration of the hour.';
COMMENT ON COLUMN login_throttles.succeeded_at IS 'The last sign-in of this user from this IP. NULL in other rows.';

CREATE TABLE loss_announcements (
  id uuid NOT NULL,
  loss_id uuid NOT NULL,
  amount bigint NOT NULL,
  counts_at timestamp with time zone NOT NULL,
  mailed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loss_announcements_amount_check CHECK ((amount > 0)),
  CONSTRAINT loss_announcements_come_before CHECK ((counts_at >= created_at)),
  CONSTRAINT loss_announcements_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT loss_announcements_loss_id_fkey FOREIGN KEY (loss_id) REFERENCES loan_write_offs(id),
  CONSTRAINT loss_announcements_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loss_announcements IS 'Open losses that all investments are to share, each by a proposal of two super admins. The operator''s capital can bear such a loss instead until it counts.';
COMMENT ON COLUMN loss_announcements.loss_id IS 'A write-off of the open loss. With the amount it names the loss.';
COMMENT ON COLUMN loss_announcements.counts_at IS 'The moment from which it is booked.';
COMMENT ON COLUMN loss_announcements.mailed_at IS 'The moment at which all mails of it were queued.';

CREATE TABLE loss_covers (
  id uuid NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loss_covers_amount_check CHECK ((amount > 0)),
  CONSTRAINT loss_covers_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT loss_covers_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loss_covers IS 'Open losses that the operator bore, each by a proposal of two super admins.';

CREATE TABLE loss_sharings (
  id uuid NOT NULL,
  amount bigint NOT NULL,
  invested bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loss_sharings_amount_check CHECK ((amount > 0)),
  CONSTRAINT loss_sharings_are_borne CHECK ((invested >= amount)),
  CONSTRAINT loss_sharings_id_fkey FOREIGN KEY (id) REFERENCES loss_announcements(id),
  CONSTRAINT loss_sharings_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loss_sharings IS 'Open losses that all investments shared. The trigger loss_sharings_are_shared writes the parts.';
COMMENT ON COLUMN loss_sharings.invested IS 'The principal of all active investments, which bore the same share.';

CREATE TABLE losses_borne (
  write_off_id uuid NOT NULL,
  cover_id uuid,
  sharing_id uuid,
  CONSTRAINT losses_borne_by_one CHECK ((num_nonnulls(cover_id, sharing_id) = 1)),
  CONSTRAINT losses_borne_cover_id_fkey FOREIGN KEY (cover_id) REFERENCES loss_covers(id),
  CONSTRAINT losses_borne_sharing_id_fkey FOREIGN KEY (sharing_id) REFERENCES loss_sharings(id),
  CONSTRAINT losses_borne_write_off_id_fkey FOREIGN KEY (write_off_id) REFERENCES loan_write_offs(id),
  CONSTRAINT losses_borne_pkey PRIMARY KEY (write_off_id)
);
COMMENT ON TABLE losses_borne IS 'The cover or the sharing that ended the loss of each write-off. A trigger writes it.';

CREATE TABLE mail_deliveries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  mail_id uuid NOT NULL,
  attempted_at timestamp with time zone NOT NULL DEFAULT now(),
  outcome text NOT NULL,
  answer text NOT NULL,
  CONSTRAINT mail_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'deferred'::text, 'refused'::text]))),
  CONSTRAINT mail_deliveries_mail_id_fkey FOREIGN KEY (mail_id) REFERENCES mails(id) ON DELETE CASCADE,
  CONSTRAINT mail_deliveries_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE mail_deliveries IS 'The delivery log: every attempt to send a mail.';
COMMENT ON COLUMN mail_deliveries.answer IS 'The words of the mail server, or the fault.';

CREATE TABLE mails (
  id uuid NOT NULL,
  user_id uuid,
  template text NOT NULL,
  parameters jsonb NOT NULL,
  language text NOT NULL,
  recipient text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  cause uuid,
  CONSTRAINT mails_attempts_check CHECK ((attempts >= 0)),
  CONSTRAINT mails_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text]))),
  CONSTRAINT mails_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'KEPT'::text, 'DEAD'::text]))),
  CONSTRAINT mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT mails_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE mails IS 'The outbox. A mail is written in the transaction of its cause, and sent by a job.';
COMMENT ON COLUMN mails.user_id IS 'NULL for invites, whose reader has no account yet.';
COMMENT ON COLUMN mails.parameters IS 'Values for the template, without secrets: a link is derived when the mail is sent.';
COMMENT ON COLUMN mails.status IS 'WAITING to be sent; SENT; KEPT by a sandbox without SMTP; DEAD: refused, or given up.';
COMMENT ON COLUMN mails.attempts IS 'Also names the lease of a sender: a later attempt ends it.';
COMMENT ON COLUMN mails.next_attempt_at IS 'The next attempt, or the end of the lease of a sender.';
COMMENT ON COLUMN mails.expires_at IS 'The end of the link in it. A later mail would be of no use.';
COMMENT ON COLUMN mails.cause IS 'The notice that it tells of, once at most. NULL for other mails.';

CREATE TABLE migrations (
  number integer NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (number)
);

CREATE TABLE movements (
  reference_id uuid NOT NULL,
  name text NOT NULL,
  from_account_id bigint NOT NULL,
  to_account_id bigint NOT NULL,
  amount bigint NOT NULL,
  interest_from_account_id bigint,
  interest_to_account_id bigint,
  interest bigint,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT movements_amount_check CHECK ((amount > 0)),
  CONSTRAINT movements_between_two_accounts CHECK (((from_account_id <> to_account_id) AND (interest_from_account_id <> interest_to_account_id))),
  CONSTRAINT movements_interest_check CHECK ((interest > 0)),
  CONSTRAINT movements_interest_is_whole CHECK ((num_nulls(interest_from_account_id, interest_to_account_id, interest) = ANY (ARRAY[0, 3]))),
  CONSTRAINT movements_pkey PRIMARY KEY (reference_id, name)
) PARTITION BY RANGE (reference_id);
COMMENT ON TABLE movements IS 'Money moved between accounts, in one transfer or two. A transfer takes from one account what it gives to another, so the ledger sums to zero. Rows never change. Read them as transfers.';
COMMENT ON COLUMN movements.reference_id IS 'The transaction, investment or contribution that caused it.';
COMMENT ON COLUMN movements.name IS 'One of ledger/movements.ts.';
COMMENT ON COLUMN movements.from_account_id IS 'No account has a foreign key (docs/decisions/023). Accounts are never deleted, and the ledger check finds transfers of others.';
COMMENT ON COLUMN movements.amount IS 'Cents.';
COMMENT ON COLUMN movements.interest IS 'Cents of the second transfer, if there is one.';

CREATE TABLE network_fees (
  id uuid NOT NULL,
  movement_id uuid NOT NULL,
  amount bigint NOT NULL,
  status text NOT NULL DEFAULT 'PAID'::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  returned_at timestamp with time zone,
  CONSTRAINT network_fees_are_positive CHECK ((amount > 0)),
  CONSTRAINT network_fees_return_whole CHECK (((status = 'RETURNED'::text) = (returned_at IS NOT NULL))),
  CONSTRAINT network_fees_status_check CHECK ((status = ANY (ARRAY['PAID'::text, 'RETURNED'::text]))),
  CONSTRAINT network_fees_movement_id_fkey FOREIGN KEY (movement_id) REFERENCES coin_movements(id),
  CONSTRAINT network_fees_pkey PRIMARY KEY (id),
  CONSTRAINT network_fees_movement_id_key UNIQUE (movement_id)
);
COMMENT ON TABLE network_fees IS 'Fees and gas in dollars, as the ledger counts them.';
COMMENT ON COLUMN network_fees.movement_id IS 'The coins that the network took.';
COMMENT ON COLUMN network_fees.amount IS 'Cents, rounded up.';
COMMENT ON COLUMN network_fees.status IS 'RETURNED once the chain took the spending back.';

CREATE TABLE notes (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  author_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT notes_text_check CHECK (((length(text) >= 1) AND (length(text) <= 500))),
  CONSTRAINT notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT notes_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE notes IS 'Notes of staff about users. They are only added.';
COMMENT ON COLUMN notes.user_id IS 'The user that the note is about.';

CREATE TABLE notice_mailing (
  only_row boolean NOT NULL DEFAULT true,
  until timestamp with time zone NOT NULL,
  CONSTRAINT notice_mailing_only_row_check CHECK (only_row),
  CONSTRAINT notice_mailing_pkey PRIMARY KEY (only_row)
);
COMMENT ON TABLE notice_mailing IS 'The moment up to which notices were turned into mails. One row, which one job at a time locks.';

CREATE TABLE notice_settings (
  user_id uuid NOT NULL,
  read_until timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  mailed text[],
  morning boolean NOT NULL DEFAULT false,
  CONSTRAINT notice_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT notice_settings_pkey PRIMARY KEY (user_id)
);
COMMENT ON TABLE notice_settings IS 'Which notices users have read, and which they get by mail. Users without a row chose nothing.';
COMMENT ON COLUMN notice_settings.read_until IS 'Notices of this millisecond and earlier are read. Never goes back.';
COMMENT ON COLUMN notice_settings.mailed IS 'The chosen kinds of contract/notices.ts. NULL for the default ones.';
COMMENT ON COLUMN notice_settings.morning IS 'True for staff who get the day since yesterday began by mail each morning.';

CREATE TABLE own_addresses (
  id uuid NOT NULL,
  network_name text NOT NULL,
  address text NOT NULL,
  class text NOT NULL,
  key_id uuid,
  derivation_index integer,
  proposal_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT own_addresses_class_check CHECK ((class = ANY (ARRAY['CHANGE'::text, 'COLD'::text, 'SAFE'::text, 'PAYER'::text]))),
  CONSTRAINT own_addresses_have_a_source CHECK (
CASE
    WHEN (class = 'CHANGE'::text) THEN ((num_nonnulls(key_id, derivation_index) = 2) AND (proposal_id IS NULL))
    ELSE ((num_nonnulls(key_id, derivation_index) = 0) AND (proposal_id IS NOT NULL))
END),
  CONSTRAINT own_addresses_key_id_fkey FOREIGN KEY (key_id) REFERENCES address_keys(id),
  CONSTRAINT own_addresses_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(id),
  CONSTRAINT own_addresses_pkey PRIMARY KEY (id),
  CONSTRAINT own_addresses_once UNIQUE (network_name, address)
);
COMMENT ON TABLE own_addresses IS 'Addresses of the pool that no investor pays to. Those of investors are wallets.';
COMMENT ON COLUMN own_addresses.class IS 'CHANGE of our own transactions, COLD storage, a SAFE contract, or a PAYER: a plain key that pays and buys gas.';

CREATE TABLE pauses (
  name text NOT NULL,
  movement text NOT NULL,
  paused_at timestamp with time zone,
  paused_by text,
  reason text,
  reconciliation_id uuid,
  by_loss boolean NOT NULL DEFAULT false,
  by_wind_down boolean NOT NULL DEFAULT false,
  CONSTRAINT pauses_of_breaks CHECK (((reconciliation_id IS NULL) OR (paused_at IS NOT NULL))),
  CONSTRAINT pauses_of_losses CHECK (((NOT by_loss) OR (paused_at IS NOT NULL))),
  CONSTRAINT pauses_of_wind_downs CHECK (((NOT by_wind_down) OR (paused_at IS NOT NULL))),
  CONSTRAINT pauses_paused_with_a_reason CHECK ((num_nulls(paused_at, paused_by, reason) = ANY (ARRAY[0, 3]))),
  CONSTRAINT pauses_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT pauses_pkey PRIMARY KEY (name),
  CONSTRAINT pauses_movement_key UNIQUE (movement)
);
COMMENT ON TABLE pauses IS 'Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on.';
COMMENT ON COLUMN pauses.movement IS 'The movement that a pause refuses.';
COMMENT ON COLUMN pauses.paused_at IS 'NULL without a pause, like its actor and its reason.';
COMMENT ON COLUMN pauses.reconciliation_id IS 'The comparison whose break made the pause. Two people end such a pause.';
COMMENT ON COLUMN pauses.by_loss IS 'True while an open loss holds it. Nothing else ends it then.';
COMMENT ON COLUMN pauses.by_wind_down IS 'True while the pool winds down. Nothing else ends it then.';

CREATE TABLE payments (
  id uuid NOT NULL,
  network_name text NOT NULL,
  transaction_id text NOT NULL,
  output integer NOT NULL,
  address text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  decimals integer NOT NULL,
  state text NOT NULL,
  height bigint,
  block_hash text,
  inputs text[] NOT NULL DEFAULT '{}'::text[],
  is_coinbase boolean NOT NULL DEFAULT false,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  confirmed_at timestamp with time zone,
  dollars numeric,
  rate_source text,
  rate_at timestamp with time zone,
  deposit_id uuid,
  settled_as text,
  CONSTRAINT payments_are_positive CHECK ((units > (0)::numeric)),
  CONSTRAINT payments_confirmed_in_a_block CHECK (((state <> 'CONFIRMED'::text) OR (height IS NOT NULL))),
  CONSTRAINT payments_have_a_state CHECK ((state = ANY (ARRAY['SEEN'::text, 'CONFIRMED'::text, 'REPLACED'::text, 'DROPPED'::text, 'REVERSED'::text]))),
  CONSTRAINT payments_have_a_whole_block CHECK (((height IS NULL) = (block_hash IS NULL))),
  CONSTRAINT payments_have_a_whole_rate CHECK ((((dollars IS NULL) = (rate_at IS NULL)) AND (dollars > (0)::numeric))),
  CONSTRAINT payments_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES transactions(id),
  CONSTRAINT payments_pkey PRIMARY KEY (id),
  CONSTRAINT payments_once UNIQUE (network_name, transaction_id, output)
);
COMMENT ON TABLE payments IS 'Coins that paid an address of ours, as the node tells it. Nothing is credited by a row.';
COMMENT ON COLUMN payments.output IS 'The output of Bitcoin, the ordinal of the log in its receipt on EVM networks, -1 for their own coin, and from -2 down for their coin sent by a contract.';
COMMENT ON COLUMN payments.units IS 'In the smallest part of the asset.';
COMMENT ON COLUMN payments.inputs IS 'The outputs that the transaction spends, or on EVM networks its sender and nonce.';
COMMENT ON COLUMN payments.seen_at IS 'When it was first seen, or the time of its block if earlier.';
COMMENT ON COLUMN payments.dollars IS 'The rate at seen_at: dollars for one coin. NULL where none counted then.';
COMMENT ON COLUMN payments.rate_source IS 'NULL for one dollar, where the coin had no rate.';
COMMENT ON COLUMN payments.rate_at IS 'The moment of the rate.';
COMMENT ON COLUMN payments.deposit_id IS 'The decided deposit that rests on it. NULL while none does, so that it is read again.';
COMMENT ON COLUMN payments.settled_as IS 'Asset, units and address when deposit_id was noted. A reorganisation can change them.';

CREATE TABLE payout_addresses (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  address text NOT NULL,
  network_name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  usable_from timestamp with time zone NOT NULL,
  label text,
  CONSTRAINT payout_addresses_check CHECK ((usable_from >= created_at)),
  CONSTRAINT payout_addresses_label_check CHECK ((label <> ''::text)),
  CONSTRAINT payout_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT payout_addresses_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE payout_addresses IS 'Every payout address that an investor saved. Rows stay, and the newest usable one counts.';
COMMENT ON COLUMN payout_addresses.usable_from IS 'After created_at for a replacement, so that its owner can stop a thief.';
COMMENT ON COLUMN payout_addresses.label IS 'The owner''s own name for it.';

CREATE TABLE payout_alarms (
  id uuid NOT NULL,
  network_name text NOT NULL,
  kind text NOT NULL,
  batch_id uuid,
  position integer,
  spending_id uuid,
  found_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  settled_at timestamp with time zone,
  settled_by uuid,
  reason text,
  CONSTRAINT payout_alarms_have_a_kind CHECK ((kind = ANY (ARRAY['SHORT'::text, 'MORE'::text, 'TWICE'::text, 'OTHER'::text, 'LATE'::text, 'UNAPPROVED'::text, 'GIVEN_BACK'::text, 'REORGANISED'::text, 'UNEXPLAINED'::text]))),
  CONSTRAINT payout_alarms_settled_whole CHECK (((num_nonnulls(settled_at, settled_by, reason) = ANY (ARRAY[0, 3])) AND (reason <> ''::text))),
  CONSTRAINT payout_alarms_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id),
  CONSTRAINT payout_alarms_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES users(id),
  CONSTRAINT payout_alarms_spending_id_fkey FOREIGN KEY (spending_id) REFERENCES spendings(id),
  CONSTRAINT payout_alarms_pkey PRIMARY KEY (id),
  CONSTRAINT payout_alarms_once UNIQUE NULLS NOT DISTINCT (kind, batch_id, "position", spending_id)
);
COMMENT ON TABLE payout_alarms IS 'Payouts that went another way than their batch says, and spendings that no batch explains.';
COMMENT ON COLUMN payout_alarms.position IS 'The payout of the batch. NULL for the whole batch.';
COMMENT ON COLUMN payout_alarms.ended_at IS 'When the chain and the batches no longer showed it. NULL while they do.';
COMMENT ON COLUMN payout_alarms.reason IS 'The words of the member of staff who settled it.';

CREATE TABLE plans (
  id uuid NOT NULL,
  duration_days integer NOT NULL,
  rate_basis_points integer NOT NULL,
  least bigint NOT NULL,
  most bigint,
  capacity bigint,
  least_runway integer,
  is_open boolean NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  CONSTRAINT plans_check CHECK ((most >= "least")),
  CONSTRAINT plans_check1 CHECK ((capacity >= "least")),
  CONSTRAINT plans_duration_days_check CHECK (((duration_days >= 1) AND (duration_days <= 1825))),
  CONSTRAINT plans_least_check CHECK (("least" > 0)),
  CONSTRAINT plans_least_runway_check CHECK (((least_runway >= 1) AND (least_runway <= 3650))),
  CONSTRAINT plans_rate_basis_points_check CHECK (((rate_basis_points >= 1) AND (rate_basis_points <= 10000))),
  CONSTRAINT plans_pkey PRIMARY KEY (id),
  CONSTRAINT plans_start_once UNIQUE (duration_days, starts_at)
);
COMMENT ON TABLE plans IS 'Versions of plans. The newest that has started counts. None is changed or deleted.';
COMMENT ON COLUMN plans.id IS 'The proposal of two people that made it. Those of the first version have fixed ids.';
COMMENT ON COLUMN plans.rate_basis_points IS 'Interest over the whole term.';
COMMENT ON COLUMN plans.least IS 'The least principal in cents.';
COMMENT ON COLUMN plans.most IS 'The most principal in cents. NULL without a bound.';
COMMENT ON COLUMN plans.capacity IS 'The most cents of principal at work in the plan at once. NULL without a bound.';
COMMENT ON COLUMN plans.least_runway IS 'Closes it while the free reserve would last fewer days. NULL without a bound.';
COMMENT ON COLUMN plans.starts_at IS 'The moment from which it counts. -infinity of the first version.';

CREATE TABLE pool_figures (
  single boolean NOT NULL DEFAULT true,
  at timestamp with time zone NOT NULL,
  took_ms integer NOT NULL,
  mark text NOT NULL,
  form integer NOT NULL,
  figures jsonb NOT NULL,
  mac text NOT NULL,
  CONSTRAINT pool_figures_single_check CHECK (single),
  CONSTRAINT pool_figures_took_ms_check CHECK ((took_ms >= 0)),
  CONSTRAINT pool_figures_pkey PRIMARY KEY (single)
);
COMMENT ON TABLE pool_figures IS 'The newest figures that everybody reads, in one row.';
COMMENT ON COLUMN pool_figures.at IS 'The moment of the snapshot that they were counted in.';
COMMENT ON COLUMN pool_figures.took_ms IS 'The count rests for twenty times as long.';
COMMENT ON COLUMN pool_figures.mark IS 'It changes with what is counted, so that a count without news is left out.';
COMMENT ON COLUMN pool_figures.form IS 'The form of the figures. A release that reads another one counts again.';
COMMENT ON COLUMN pool_figures.mac IS 'Signature of moment, form and figures by a key of the product.';

CREATE TABLE pool_mode (
  only_row boolean NOT NULL DEFAULT true,
  mode text NOT NULL,
  set_at timestamp with time zone NOT NULL,
  mac text NOT NULL,
  CONSTRAINT pool_mode_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT pool_mode_only_row_check CHECK (only_row),
  CONSTRAINT pool_mode_pkey PRIMARY KEY (only_row)
);
COMMENT ON TABLE pool_mode IS 'The mode of the pool, set at its first start and kept for good. One row.';
COMMENT ON COLUMN pool_mode.mac IS 'Signs mode and moment by the key file (server/mode).';

CREATE TABLE pool_tapes (
  day date NOT NULL,
  loans integer NOT NULL,
  size bigint NOT NULL,
  digest text NOT NULL,
  file bytea NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  key_id text,
  signature text,
  CONSTRAINT pool_tapes_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT pool_tapes_loans_check CHECK ((loans >= 0)),
  CONSTRAINT pool_tapes_signature_check CHECK ((signature ~ '^[A-Za-z0-9_-]{86}$'::text)),
  CONSTRAINT pool_tapes_signed_by_a_key CHECK (((key_id IS NULL) = (signature IS NULL))),
  CONSTRAINT pool_tapes_size_check CHECK ((size > 0)),
  CONSTRAINT pool_tapes_key_id_fkey FOREIGN KEY (key_id) REFERENCES signing_keys(id),
  CONSTRAINT pool_tapes_pkey PRIMARY KEY (day)
);
COMMENT ON TABLE pool_tapes IS 'The file of all loans of each day. None is changed or deleted.';
COMMENT ON COLUMN pool_tapes.day IS 'In UTC.';
COMMENT ON COLUMN pool_tapes.digest IS 'SHA-256 of the file, in hex.';
COMMENT ON COLUMN pool_tapes.file IS 'The CSV, by gzip.';
COMMENT ON COLUMN pool_tapes.signature IS 'Ed25519 of name and digest, 64 bytes in base64url. NULL before files were signed.';

CREATE TABLE price_readings (
  coin text NOT NULL,
  at timestamp with time zone NOT NULL,
  problem text,
  prices jsonb NOT NULL,
  whole_at timestamp with time zone NOT NULL,
  CONSTRAINT price_readings_problem_check CHECK ((problem = ANY (ARRAY['few'::text, 'apart'::text]))),
  CONSTRAINT price_readings_pkey PRIMARY KEY (coin)
);
COMMENT ON TABLE price_readings IS 'The last reading of the price URLs of each coin.';
COMMENT ON COLUMN price_readings.whole_at IS 'The last reading that gave a rate. Before any, the first reading.';

CREATE TABLE proposals (
  id uuid NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  user_id uuid,
  payload jsonb NOT NULL,
  language text NOT NULL,
  reason text NOT NULL,
  asked_by uuid NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'OPEN'::text,
  alone boolean NOT NULL DEFAULT false,
  decided_by uuid,
  decided_at timestamp with time zone,
  rests_until timestamp with time zone,
  ended_at timestamp with time zone,
  by_staff boolean NOT NULL DEFAULT false,
  CONSTRAINT proposals_are_decided CHECK (
CASE
    WHEN (status = 'OPEN'::text) THEN (decided_at IS NULL)
    ELSE ((decided_at IS NOT NULL) OR (status = ANY (ARRAY['STOPPED'::text, 'EXPIRED'::text])))
END),
  CONSTRAINT proposals_end CHECK (((status = ANY (ARRAY['OPEN'::text, 'RESTING'::text])) = (ended_at IS NULL))),
  CONSTRAINT proposals_language_check CHECK ((language = ANY (ARRAY['en'::text, 'es'::text]))),
  CONSTRAINT proposals_name_a_role CHECK (((kind <> ALL (ARRAY['GRANT'::text, 'REVOKE'::text, 'INVITE'::text])) OR COALESCE(((payload ->> 'role'::text) = ANY (ARRAY['USER'::text, 'ADMIN'::text, 'AUDITOR'::text, 'SUPER_ADMIN'::text])), false))),
  CONSTRAINT proposals_name_a_user CHECK (((kind <> ALL (ARRAY['GRANT'::text, 'REVOKE'::text, 'SUSPEND'::text, 'RESUME'::text, 'RESET_FACTORS'::text])) OR (user_id IS NOT NULL))),
  CONSTRAINT proposals_need_two CHECK (
CASE
    WHEN ((decided_at IS NULL) OR alone) THEN (decided_by IS NULL)
    ELSE ((decided_by IS NOT NULL) AND ((decided_by = asked_by) = (status = 'WITHDRAWN'::text)))
END),
  CONSTRAINT proposals_reason_check CHECK (((length(reason) <= 500) AND ((length(reason) > 0) OR by_staff))),
  CONSTRAINT proposals_reset_factors_of_others CHECK (((kind <> 'RESET_FACTORS'::text) OR (status <> ALL (ARRAY['RESTING'::text, 'DONE'::text])) OR ((asked_by <> user_id) AND (decided_by IS DISTINCT FROM user_id)))),
  CONSTRAINT proposals_rest_first CHECK ((((status <> 'RESTING'::text) OR (rests_until IS NOT NULL)) AND ((status <> 'DONE'::text) OR (rests_until IS NULL) OR (ended_at >= rests_until)))),
  CONSTRAINT proposals_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'RESTING'::text, 'DONE'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'STOPPED'::text, 'EXPIRED'::text]))),
  CONSTRAINT proposals_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  CONSTRAINT proposals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  CONSTRAINT proposals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT proposals_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE proposals IS 'What a super admin asked for, and a second one decides about (server/proposals).';
COMMENT ON COLUMN proposals.subject IS 'What it is about. At most one of a kind stands for it.';
COMMENT ON COLUMN proposals.user_id IS 'The user concerned, if any.';
COMMENT ON COLUMN proposals.language IS 'That of the super admin who asked, for mails.';
COMMENT ON COLUMN proposals.status IS 'RESTING: approved, without effect before rests_until. STOPPED: ended before its effect, though nobody rejected it. EXPIRED: void, and a later one took its place.';
COMMENT ON COLUMN proposals.alone IS 'True if the only super admin asked, so nobody else decided.';
COMMENT ON COLUMN proposals.ended_at IS 'The moment of its effect, or of its end without one.';
COMMENT ON COLUMN proposals.by_staff IS 'True if any member of staff may ask and decide. Otherwise super admins do.';

CREATE TABLE quotes (
  deposit_id uuid NOT NULL,
  coin text NOT NULL,
  units numeric NOT NULL,
  dollars numeric NOT NULL,
  source text,
  at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT quotes_dollars_check CHECK ((dollars > (0)::numeric)),
  CONSTRAINT quotes_end_later CHECK ((ends_at > created_at)),
  CONSTRAINT quotes_source_check CHECK ((source = ANY (ARRAY['SET'::text, 'MEDIAN'::text]))),
  CONSTRAINT quotes_units_check CHECK (((units > (0)::numeric) AND (scale(units) = 0))),
  CONSTRAINT quotes_deposit_id_fkey FOREIGN KEY (deposit_id) REFERENCES transactions(id),
  CONSTRAINT quotes_pkey PRIMARY KEY (deposit_id)
);
COMMENT ON TABLE quotes IS 'The coins that an investor was told to send for a deposit, and the rate of that moment.';
COMMENT ON COLUMN quotes.units IS 'Smallest units of the coin on the chain of the deposit''s wallet.';
COMMENT ON COLUMN quotes.dollars IS 'The rate: dollars for one coin.';
COMMENT ON COLUMN quotes.source IS 'NULL for one dollar, where the coin had no rate.';
COMMENT ON COLUMN quotes.at IS 'The moment of the rate.';

CREATE TABLE rates (
  id uuid NOT NULL,
  coin text NOT NULL,
  dollars numeric NOT NULL,
  source text NOT NULL,
  at timestamp with time zone NOT NULL,
  set_by uuid,
  prices jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT rates_dollars_check CHECK (((dollars > (0)::numeric) AND (dollars < (1000000000)::numeric) AND (scale(dollars) <= 12))),
  CONSTRAINT rates_name_their_source CHECK ((((source = 'SET'::text) = (set_by IS NOT NULL)) AND ((source = 'MEDIAN'::text) = (prices IS NOT NULL)))),
  CONSTRAINT rates_source_check CHECK ((source = ANY (ARRAY['SET'::text, 'MEDIAN'::text]))),
  CONSTRAINT rates_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id),
  CONSTRAINT rates_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE rates IS 'The dollars that one coin counts as. The newest row of a coin is in force.';
COMMENT ON COLUMN rates.at IS 'The moment of the price. That of the request, where people set it.';
COMMENT ON COLUMN rates.set_by IS 'The person who asked for it.';
COMMENT ON COLUMN rates.prices IS 'The price of each source, by host.';

CREATE TABLE reading_keys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  made_at timestamp with time zone NOT NULL DEFAULT now(),
  ends_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  mac text NOT NULL,
  CONSTRAINT reading_keys_check CHECK (((ends_at > made_at) AND (ends_at <= (made_at + '366 days'::interval)))),
  CONSTRAINT reading_keys_name_check CHECK (((name <> ''::text) AND (length(name) <= 60))),
  CONSTRAINT reading_keys_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  CONSTRAINT reading_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT reading_keys_pkey PRIMARY KEY (id),
  CONSTRAINT reading_keys_token_hash_key UNIQUE (token_hash)
);
COMMENT ON TABLE reading_keys IS 'Living keys for reading. An ended one is deleted.';
COMMENT ON COLUMN reading_keys.token_hash IS 'SHA-256 of the key, which is stored nowhere.';
COMMENT ON COLUMN reading_keys.mac IS 'By the key file, over hash, user and both moments: SQL alone makes no key and prolongs none.';

CREATE TABLE reconciled_coins (
  reconciliation_id uuid NOT NULL,
  network_name text NOT NULL,
  asset text NOT NULL,
  decimals integer NOT NULL,
  unexplained numeric(78,0) NOT NULL,
  uncovered numeric(78,0) NOT NULL,
  difference numeric(79,0) NOT NULL,
  accepted numeric(79,0) NOT NULL,
  dollars numeric,
  CONSTRAINT reconciled_coins_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT reconciled_coins_pkey PRIMARY KEY (reconciliation_id, network_name, asset)
);
COMMENT ON TABLE reconciled_coins IS 'A coin of a network: its break in units.';
COMMENT ON COLUMN reconciled_coins.unexplained IS 'Units that left by transactions that nothing explains.';
COMMENT ON COLUMN reconciled_coins.uncovered IS 'Units of capital in the books that no payment covers.';
COMMENT ON COLUMN reconciled_coins.difference IS 'The break: what the chain has, without what the books and named differences say. Below zero coins are missing.';
COMMENT ON COLUMN reconciled_coins.accepted IS 'The part of it that two people accepted, for as long as it stays.';
COMMENT ON COLUMN reconciled_coins.dollars IS 'The newest rate of any age: dollars for one coin.';

CREATE TABLE reconciled_lines (
  reconciliation_id uuid NOT NULL,
  network_name text NOT NULL,
  asset text NOT NULL,
  account text NOT NULL,
  chain numeric(78,0) NOT NULL,
  booked numeric(79,0) NOT NULL,
  pending numeric(79,0) NOT NULL,
  unopened numeric(78,0) NOT NULL,
  CONSTRAINT reconciled_lines_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT reconciled_lines_pkey PRIMARY KEY (reconciliation_id, network_name, asset, account)
);
COMMENT ON TABLE reconciled_lines IS 'Units of a coin on addresses of one class.';
COMMENT ON COLUMN reconciled_lines.pending IS 'By transactions in a block that are not confirmed yet.';
COMMENT ON COLUMN reconciled_lines.unopened IS 'Coins of a class that was never whole and has no opening balance on record.';

CREATE TABLE reconciled_networks (
  reconciliation_id uuid NOT NULL,
  network_name text NOT NULL,
  height bigint,
  block_hash text,
  addresses integer,
  problem text,
  CONSTRAINT reconciled_networks_at_a_block CHECK ((num_nonnulls(height, block_hash, addresses) =
CASE
    WHEN (problem IS NULL) THEN 3
    ELSE 0
END)),
  CONSTRAINT reconciled_networks_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT reconciled_networks_pkey PRIMARY KEY (reconciliation_id, network_name)
);
COMMENT ON TABLE reconciled_networks IS 'The block at which a network was compared.';
COMMENT ON COLUMN reconciled_networks.problem IS 'A code of the reason, if it was not compared.';

CREATE TABLE reconciliations (
  id uuid NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  break_cents bigint NOT NULL,
  is_unpriced boolean NOT NULL,
  is_whole boolean NOT NULL,
  limit_cents bigint NOT NULL,
  is_pausing boolean NOT NULL,
  custody_cents bigint NOT NULL,
  typed_cents bigint NOT NULL,
  coins_cents bigint NOT NULL,
  CONSTRAINT reconciliations_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE reconciliations IS 'Comparisons of our coins on the chains with the coin movements.';
COMMENT ON COLUMN reconciliations.break_cents IS 'Dollars of all breaks beyond those that two people accepted, shortages and surpluses added up.';
COMMENT ON COLUMN reconciliations.is_unpriced IS 'True if a break is of a coin that never had a rate.';
COMMENT ON COLUMN reconciliations.is_whole IS 'True without any break.';
COMMENT ON COLUMN reconciliations.is_pausing IS 'True if it paused withdrawals.';
COMMENT ON COLUMN reconciliations.custody_cents IS 'Dollars that the ledger counts in custody.';
COMMENT ON COLUMN reconciliations.typed_cents IS 'The part of them that people typed and no node showed.';
COMMENT ON COLUMN reconciliations.coins_cents IS 'Coins on the chain at the rates of that moment.';

CREATE TABLE recovery_codes (
  digest bytea NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (digest)
);
COMMENT ON TABLE recovery_codes IS 'Codes in place of a lost factor. Each works once.';
COMMENT ON COLUMN recovery_codes.digest IS 'SHA-256 of the user''s id and the code, which has 120 random bits and is not stored.';
COMMENT ON COLUMN recovery_codes.created_at IS 'The moment of its making. A freeze is lifted by codes from before it alone.';

CREATE TABLE rehearsals (
  is_one boolean NOT NULL DEFAULT true,
  default_percent smallint,
  began_at timestamp with time zone,
  moment timestamp with time zone,
  opening jsonb,
  defaulting jsonb,
  ended_at timestamp with time zone,
  CONSTRAINT rehearsals_begin_whole CHECK ((num_nulls(default_percent, began_at, moment, opening, defaulting) = ANY (ARRAY[0, 5]))),
  CONSTRAINT rehearsals_default_percent_check CHECK (((default_percent >= 0) AND (default_percent <= 100))),
  CONSTRAINT rehearsals_is_one_check CHECK (is_one),
  CONSTRAINT rehearsals_pkey PRIMARY KEY (is_one)
);
COMMENT ON TABLE rehearsals IS 'One row in a database in which a wind-down is rehearsed. A restored copy of a live pool has it before, and is never served.';
COMMENT ON COLUMN rehearsals.default_percent IS 'So many percent of the outstanding principal are asked to default at its begin.';
COMMENT ON COLUMN rehearsals.moment IS 'The clock of the rehearsal. One that was stopped goes on from it.';
COMMENT ON COLUMN rehearsals.opening IS 'Cents at the begin, by account.';
COMMENT ON COLUMN rehearsals.defaulting IS 'Cents outstanding at the begin, by the id of each loan that pays nothing from then on.';

CREATE TABLE repayment_files (
  proposal_id uuid NOT NULL,
  csv text NOT NULL,
  posted_at timestamp with time zone,
  CONSTRAINT repayment_files_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposals(id),
  CONSTRAINT repayment_files_pkey PRIMARY KEY (proposal_id)
);
COMMENT ON TABLE repayment_files IS 'Files of repayments that take two people, as they were sent. Their SHA-256 is in the proposal.';
COMMENT ON COLUMN repayment_files.posted_at IS 'The moment since which each of its lines is recorded.';

CREATE TABLE routines (
  digest text NOT NULL,
  objects jsonb NOT NULL
);

CREATE TABLE sent_coins (
  spending_id uuid NOT NULL,
  output integer NOT NULL,
  address text,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  decimals integer NOT NULL,
  CONSTRAINT sent_coins_spending_id_fkey FOREIGN KEY (spending_id) REFERENCES spendings(id) ON DELETE CASCADE,
  CONSTRAINT sent_coins_pkey PRIMARY KEY (spending_id, output)
);
COMMENT ON TABLE sent_coins IS 'Who received the coins of a spending, addresses of ours among them.';
COMMENT ON COLUMN sent_coins.output IS 'As payments.output counts.';
COMMENT ON COLUMN sent_coins.address IS 'NULL for an output that no address has, such as data.';

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  factor_at timestamp with time zone,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  ip text NOT NULL DEFAULT ''::text,
  user_agent text NOT NULL DEFAULT ''::text,
  mac text NOT NULL,
  factor_mac text,
  CONSTRAINT sessions_user_agent_is_short CHECK ((length(user_agent) <= 200)),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sessions_id_key UNIQUE (id)
) WITH (fillfactor=70);
COMMENT ON TABLE sessions IS 'Sessions of signed-in users. Deleted when they end.';
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the token. The token is not stored, so reading this table gives no access.';
COMMENT ON COLUMN sessions.last_used_at IS 'Written every 30 seconds of use. Has no index, so that the row is rewritten on its page.';
COMMENT ON COLUMN sessions.factor_at IS 'The last proof of a second factor in this session.';
COMMENT ON COLUMN sessions.id IS 'Its public name. The hash of the token is not sent.';
COMMENT ON COLUMN sessions.ip IS 'The IP address of the sign-in. Empty where none is known.';
COMMENT ON COLUMN sessions.user_agent IS 'As the browser named itself, cut at 200 characters.';
COMMENT ON COLUMN sessions.mac IS 'Signs token, user and start by the key file (server/base/sessions).';
COMMENT ON COLUMN sessions.factor_mac IS 'Signs the proof at factor_at in the same way.';

CREATE TABLE signing_keys (
  id text NOT NULL,
  public_key text NOT NULL,
  published_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT signing_keys_id_check CHECK ((id ~ '^[0-9a-f]{8}$'::text)),
  CONSTRAINT signing_keys_public_key_check CHECK ((public_key ~ '^[A-Za-z0-9_-]{43}$'::text)),
  CONSTRAINT signing_keys_pkey PRIMARY KEY (id),
  CONSTRAINT signing_keys_public_key_key UNIQUE (public_key)
);
COMMENT ON TABLE signing_keys IS 'Public keys of the pool. The key file has the private ones, and decides which of these count.';
COMMENT ON COLUMN signing_keys.public_key IS 'Ed25519, 32 bytes in base64url.';

CREATE TABLE spendings (
  id uuid NOT NULL,
  network_name text NOT NULL,
  transaction_id text NOT NULL,
  state text NOT NULL,
  height bigint,
  block_hash text,
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  confirmed_at timestamp with time zone,
  fee_units numeric(78,0) NOT NULL,
  fee_asset text NOT NULL,
  batch_id uuid,
  settled_at timestamp with time zone,
  settled_by uuid,
  reason text,
  inputs text[] NOT NULL DEFAULT '{}'::text[],
  settlement_id uuid,
  CONSTRAINT spendings_confirmed_in_a_block CHECK (((state <> 'CONFIRMED'::text) OR (height IS NOT NULL))),
  CONSTRAINT spendings_fee_not_negative CHECK ((fee_units >= (0)::numeric)),
  CONSTRAINT spendings_have_a_state CHECK ((state = ANY (ARRAY['SEEN'::text, 'CONFIRMED'::text, 'REPLACED'::text, 'DROPPED'::text, 'REVERSED'::text]))),
  CONSTRAINT spendings_have_a_whole_block CHECK (((height IS NULL) = (block_hash IS NULL))),
  CONSTRAINT spendings_settled_whole CHECK (((num_nonnulls(settled_at, settled_by, reason) = ANY (ARRAY[0, 3])) AND (reason <> ''::text))),
  CONSTRAINT spendings_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id),
  CONSTRAINT spendings_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES users(id),
  CONSTRAINT spendings_settlement_id_fkey FOREIGN KEY (settlement_id) REFERENCES proposals(id),
  CONSTRAINT spendings_pkey PRIMARY KEY (id),
  CONSTRAINT spendings_once UNIQUE (network_name, transaction_id)
);
COMMENT ON TABLE spendings IS 'Transactions that spend coins of addresses of ours, as the node tells it. Lives as a payment does.';
COMMENT ON COLUMN spendings.fee_units IS 'What our addresses paid to the network. 0 where others paid it.';
COMMENT ON COLUMN spendings.batch_id IS 'The batch that explains it. NULL for a move between addresses of ours, or where nothing does.';
COMMENT ON COLUMN spendings.reason IS 'The words of the member of staff who settled one that nothing explains.';
COMMENT ON COLUMN spendings.inputs IS 'The outputs that the transaction spends, or on EVM networks its sender and nonce. No other one spends them.';
COMMENT ON COLUMN spendings.settlement_id IS 'The proposal by which two super admins settled it.';

CREATE TABLE spent_coins (
  spending_id uuid NOT NULL,
  position integer NOT NULL,
  address text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  decimals integer NOT NULL,
  input text,
  CONSTRAINT spent_coins_are_positive CHECK ((units > (0)::numeric)),
  CONSTRAINT spent_coins_spending_id_fkey FOREIGN KEY (spending_id) REFERENCES spendings(id) ON DELETE CASCADE,
  CONSTRAINT spent_coins_pkey PRIMARY KEY (spending_id, "position")
);
COMMENT ON TABLE spent_coins IS 'Coins that left an address of ours, without the network''s fee on EVM networks.';
COMMENT ON COLUMN spent_coins.position IS 'The number of the input on Bitcoin, else as payments.output counts.';
COMMENT ON COLUMN spent_coins.input IS 'Bitcoin: the output that was spent, as TRANSACTION:NUMBER. Else NULL.';

CREATE TABLE tallies (
  noun text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  slot smallint NOT NULL,
  rows bigint NOT NULL,
  cents bigint NOT NULL,
  interest bigint NOT NULL,
  CONSTRAINT tallies_pkey PRIMARY KEY (noun, day, kind, status, slot)
) WITH (fillfactor=50);
COMMENT ON TABLE tallies IS 'Numbers of rows and their sums. Changed in the transaction that changes the rows.';
COMMENT ON COLUMN tallies.noun IS 'A table, or decisions and maturities, which are rows by their last day.';
COMMENT ON COLUMN tallies.day IS 'In UTC. -infinity holds all days together.';
COMMENT ON COLUMN tallies.kind IS 'A type, network or action, or the days of an investment. Empty where rows have none.';
COMMENT ON COLUMN tallies.status IS 'Empty where rows have none.';
COMMENT ON COLUMN tallies.slot IS 'Concurrent transactions write to different slots, so that none waits. A tally sums its slots.';
COMMENT ON COLUMN tallies.cents IS 'The sum of amounts, or of principals.';
COMMENT ON COLUMN tallies.interest IS 'Cents, of investments.';

CREATE TABLE transactions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  amount bigint NOT NULL,
  status text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  wallet_id uuid,
  destination_address text NOT NULL DEFAULT ''::text,
  investment_id uuid,
  reason text NOT NULL DEFAULT ''::text,
  decided_by uuid,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  destination_network text NOT NULL DEFAULT ''::text,
  approvals_needed smallint NOT NULL DEFAULT 1,
  evidence_network text,
  evidence text,
  payee_address text,
  rate_basis_points integer,
  interest bigint,
  duration_days integer,
  matures_at timestamp with time zone,
  investment_status text,
  sent_at timestamp with time zone,
  sent_by uuid,
  sent_network text,
  sent_evidence text,
  completed_at timestamp with time zone,
  completed_by uuid,
  requested_amount bigint,
  ending text,
  basis text,
  evidence_output integer,
  sent_output integer,
  unannounced boolean NOT NULL DEFAULT false,
  claim_id uuid,
  returned_at timestamp with time zone,
  return_id uuid,
  sent_basis text,
  completed_basis text,
  plan_id uuid,
  borne bigint NOT NULL DEFAULT 0,
  sharing_id uuid,
  repayment_id uuid,
  fee bigint NOT NULL DEFAULT 0,
  CONSTRAINT transactions_amount_check CHECK ((amount > 0)),
  CONSTRAINT transactions_approvals_needed_check CHECK ((approvals_needed > 0)),
  CONSTRAINT transactions_basis_check CHECK ((basis <> ''::text)),
  CONSTRAINT transactions_decided_by_another CHECK ((decided_by <> user_id)),
  CONSTRAINT transactions_deposit_has_wallet CHECK (((type = 'deposit'::text) = (wallet_id IS NOT NULL))),
  CONSTRAINT transactions_duration_days_check CHECK ((duration_days > 0)),
  CONSTRAINT transactions_ending_check CHECK ((ending = ANY (ARRAY['decided'::text, 'cancelled'::text, 'expired'::text, 'automatic'::text]))),
  CONSTRAINT transactions_evidence_on_a_network CHECK (((evidence IS NULL) = (evidence_network IS NULL))),
  CONSTRAINT transactions_interest_check CHECK ((interest >= 0)),
  CONSTRAINT transactions_investment_status_check CHECK ((investment_status = ANY (ARRAY['ACTIVE'::text, 'COMPLETED'::text]))),
  CONSTRAINT transactions_payout_of_an_investment CHECK (((type = 'payout'::text) = (investment_id IS NOT NULL))),
  CONSTRAINT transactions_plan_of_an_investment CHECK (((plan_id IS NULL) OR (type = 'investment'::text))),
  CONSTRAINT transactions_rate_basis_points_check CHECK ((rate_basis_points >= 0)),
  CONSTRAINT transactions_sent_by_another CHECK (((sent_by <> user_id) AND (completed_by <> user_id))),
  CONSTRAINT transactions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'COMPLETED'::text, 'PROCESSING'::text, 'EXPIRED'::text, 'REVERSED'::text, 'RETURNED'::text]))),
  CONSTRAINT transactions_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'investment'::text, 'payout'::text, 'reversal'::text, 'loss'::text, 'recovery'::text]))),
  CONSTRAINT transactions_completed_by_fkey FOREIGN KEY (completed_by) REFERENCES users(id),
  CONSTRAINT transactions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  CONSTRAINT transactions_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES users(id),
  CONSTRAINT transactions_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  CONSTRAINT transactions_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE transactions IS 'Requests and receipts of an investor. PENDING, then decided once. An approved withdrawal is then sent and completed, or given back. An investment is one row: ACTIVE, then COMPLETED once.';
COMMENT ON COLUMN transactions.user_id IS 'Has no foreign key (docs/decisions/023). The trigger transactions_begin_whole checks all new owners at once.';
COMMENT ON COLUMN transactions.amount IS 'Cents. Of an investment, the principal. Of a confirmed deposit, what was received.';
COMMENT ON COLUMN transactions.wallet_id IS 'Deposit: the wallet that receives it.';
COMMENT ON COLUMN transactions.destination_address IS 'Withdrawal: the text that the investor wrote.';
COMMENT ON COLUMN transactions.investment_id IS 'Payout: the investment, of the same owner (trigger transactions_begin_whole).';
COMMENT ON COLUMN transactions.reason IS 'The reason of a rejection, or of a withdrawal given back, else empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while pending, and after an expiry.';
COMMENT ON COLUMN transactions.updated_at IS 'The moment of the decision, or of the maturity of an investment, once there is one.';
COMMENT ON COLUMN transactions.destination_network IS 'Withdrawal: the network that the investor named, else the only one that the address fits, else empty.';
COMMENT ON COLUMN transactions.approvals_needed IS 'Number of people who must decide. Becomes 2 when a limit demands it.';
COMMENT ON COLUMN transactions.evidence_network IS 'The network of the evidence.';
COMMENT ON COLUMN transactions.evidence IS 'On-chain transaction that the confirmation of a deposit rests on.';
COMMENT ON COLUMN transactions.payee_address IS 'The address that a withdrawal was approved for, else NULL.';
COMMENT ON COLUMN transactions.rate_basis_points IS 'Interest for the whole duration, in hundredths of a percent of the principal.';
COMMENT ON COLUMN transactions.interest IS 'Cents, set aside in the reserve when the investment was opened.';
COMMENT ON COLUMN transactions.investment_status IS 'ACTIVE or COMPLETED. The status of an opened investment is COMPLETED as a transaction.';
COMMENT ON COLUMN transactions.sent_at IS 'Withdrawal: the moment it was marked as sent.';
COMMENT ON COLUMN transactions.sent_network IS 'The network that it was sent on.';
COMMENT ON COLUMN transactions.sent_evidence IS 'The transaction on the chain that paid it. One such transaction may pay several addresses.';
COMMENT ON COLUMN transactions.completed_at IS 'Withdrawal: the moment it was marked as completed.';
COMMENT ON COLUMN transactions.requested_amount IS 'Deposit: the cents that were asked for, where another amount was received. Else NULL.';
COMMENT ON COLUMN transactions.ending IS 'How a request ended: staff decided, its owner cancelled it, it expired, or the product decided by itself. NULL while pending, and for investments and payouts.';
COMMENT ON COLUMN transactions.basis IS 'What a decision of the product rests on, in words. NULL for every other ending.';
COMMENT ON COLUMN transactions.evidence_output IS 'The number of the output that paid the deposit, where staff named it. NULL is what the wallet was paid.';
COMMENT ON COLUMN transactions.sent_output IS 'The number of the output that paid the withdrawal, where staff named it.';
COMMENT ON COLUMN transactions.unannounced IS 'True for a deposit that the product opened, since its payment had no request.';
COMMENT ON COLUMN transactions.claim_id IS 'Reversal: the claim that it pays, of the same owner (trigger transactions_begin_whole).';
COMMENT ON COLUMN transactions.returned_at IS 'Withdrawal: the moment it was given back.';
COMMENT ON COLUMN transactions.return_id IS 'Withdrawal: the proposal of two people that gave it back (trigger withdrawals_return_by_two).';
COMMENT ON COLUMN transactions.sent_basis IS 'Withdrawal: what the chain showed when the product marked it as sent. NULL where staff did.';
COMMENT ON COLUMN transactions.completed_basis IS 'Withdrawal: what the chain showed when the product completed it. NULL where staff did.';
COMMENT ON COLUMN transactions.plan_id IS 'Investment: the version of its plan.';
COMMENT ON COLUMN transactions.borne IS 'Investment: cents of its principal that shared losses took. The rest is paid at maturity.';
COMMENT ON COLUMN transactions.sharing_id IS 'Loss or recovery: the shared loss of which it is a part.';
COMMENT ON COLUMN transactions.repayment_id IS 'Recovery: what came back of the loan, of which it is a part.';
COMMENT ON COLUMN transactions.fee IS 'Withdrawals: cents of the network''s fee that the investor bears beside the amount. It comes back with the amount.';

CREATE TABLE unseen_arrivals (
  id uuid NOT NULL,
  network_name text NOT NULL,
  address text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  decimals integer NOT NULL,
  above bigint NOT NULL,
  height bigint NOT NULL,
  found_at timestamp with time zone NOT NULL DEFAULT now(),
  settled_at timestamp with time zone,
  settled_by uuid,
  reason text,
  CONSTRAINT unseen_arrivals_are_positive CHECK (((units > (0)::numeric) AND (height > above))),
  CONSTRAINT unseen_arrivals_settled_whole CHECK (((num_nonnulls(settled_at, settled_by, reason) = ANY (ARRAY[0, 3])) AND (reason <> ''::text))),
  CONSTRAINT unseen_arrivals_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES users(id),
  CONSTRAINT unseen_arrivals_pkey PRIMARY KEY (id),
  CONSTRAINT unseen_arrivals_once UNIQUE (network_name, address, asset, above)
);
COMMENT ON TABLE unseen_arrivals IS 'Coins by which the balance of an address grew beyond its payments. At least that much arrived.';
COMMENT ON COLUMN unseen_arrivals.above IS 'They arrived above this block, and up to height.';
COMMENT ON COLUMN unseen_arrivals.reason IS 'The words of the member of staff who settled it.';

CREATE TABLE used_challenges (
  digest bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_challenges_pkey PRIMARY KEY (digest)
);
COMMENT ON TABLE used_challenges IS 'Challenges that a passkey has signed. Unused ones are stored nowhere.';

CREATE TABLE user_roles (
  user_id uuid NOT NULL,
  role text NOT NULL,
  granted_at timestamp with time zone NOT NULL DEFAULT now(),
  alone_by uuid,
  CONSTRAINT user_roles_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text, 'AUDITOR'::text, 'SUPER_ADMIN'::text]))),
  CONSTRAINT user_roles_alone_by_fkey FOREIGN KEY (alone_by) REFERENCES users(id),
  CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT user_roles_pkey PRIMARY KEY (user_id, role)
);
COMMENT ON TABLE user_roles IS 'Roles of users. A revoked role is deleted.';
COMMENT ON COLUMN user_roles.alone_by IS 'The only super admin, who gave this role of staff alone. NULL when two people or the operator did.';

CREATE TABLE users (
  id uuid NOT NULL,
  username text NOT NULL,
  password_hash text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  country text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  suspended_at timestamp with time zone,
  withdrawals_rest_until timestamp with time zone,
  frozen_at timestamp with time zone,
  frozen_since timestamp with time zone,
  email_confirmed_at timestamp with time zone,
  closed_at timestamp with time zone,
  taken_back_at timestamp with time zone,
  CONSTRAINT users_frozen_since_a_moment CHECK ((num_nulls(frozen_at, frozen_since) = ANY (ARRAY[0, 2]))),
  CONSTRAINT users_username_is_lower_case CHECK ((username = lower(username))),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_username_key UNIQUE (username)
);
COMMENT ON TABLE users IS 'People who can sign in, and closed accounts without personal data. Rows stay and keep their ids.';
COMMENT ON COLUMN users.username IS 'The email address, in lower case. Of a closed account, closed- and its id.';
COMMENT ON COLUMN users.password_hash IS 'Argon2id, in the PHC format.';
COMMENT ON COLUMN users.country IS 'Two letters, as registration sent them.';
COMMENT ON COLUMN users.suspended_at IS 'Moment of the suspension. NULL when the user may sign in.';
COMMENT ON COLUMN users.withdrawals_rest_until IS 'No withdrawal can be requested before. Set when a mailed link replaced the password or the email, and when lost second factors were reset.';
COMMENT ON COLUMN users.frozen_at IS 'Moment at which the owner froze the account by a mailed link. NULL when it is not frozen.';
COMMENT ON COLUMN users.frozen_since IS 'Moment of the mail with that link. Only factors and recovery codes from before it lift the freeze, and those from after it go then.';
COMMENT ON COLUMN users.email_confirmed_at IS 'Moment at which the user proved to read the mails of this address. NULL before.';
COMMENT ON COLUMN users.closed_at IS 'Moment at which the owner closed the account, for good. NULL before.';
COMMENT ON COLUMN users.taken_back_at IS 'Moment at which the owner last took the account back (server/recovery). Staff see a flag on withdrawals of before. NULL before the first.';

CREATE TABLE wallet_assignments (
  source bytea NOT NULL,
  assigned_at timestamp with time zone NOT NULL
);
COMMENT ON TABLE wallet_assignments IS 'New assignments of wallets, counted by the limits. Kept for a day, without owners.';
COMMENT ON COLUMN wallet_assignments.source IS 'Digest of the requesting range of IP addresses.';

CREATE TABLE wallets (
  id uuid NOT NULL,
  address text NOT NULL,
  network_name text NOT NULL,
  owner_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  used_at timestamp with time zone,
  archived_at timestamp with time zone,
  proposal_id uuid,
  key_id uuid,
  derivation_index integer,
  CONSTRAINT wallets_archived_are_assigned CHECK (((archived_at IS NULL) OR (owner_id IS NOT NULL))),
  CONSTRAINT wallets_derived_are_numbered CHECK ((((key_id IS NULL) = (derivation_index IS NULL)) AND (derivation_index >= 0))),
  CONSTRAINT wallets_waiting_are_free CHECK (((proposal_id IS NULL) OR (owner_id IS NULL))),
  CONSTRAINT wallets_derive_from_a_key FOREIGN KEY (key_id) REFERENCES address_keys(id),
  CONSTRAINT wallets_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  CONSTRAINT wallets_wait_for_a_proposal FOREIGN KEY (proposal_id) REFERENCES proposals(id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT wallets_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE wallets IS 'Addresses that investors send deposits to.';
COMMENT ON COLUMN wallets.owner_id IS 'The investor that it is assigned to, for good. NULL when available. All wallets of an address have one owner (trigger unite_owners).';
COMMENT ON COLUMN wallets.used_at IS 'The moment when its investor got it, or chose it after another. The latest is the default.';
COMMENT ON COLUMN wallets.archived_at IS 'The moment when staff archived its address, which takes no new deposits. NULL when in use.';
COMMENT ON COLUMN wallets.proposal_id IS 'The proposal that must be approved before the address is given out. NULL once it is.';
COMMENT ON COLUMN wallets.key_id IS 'The key that its address is derived from. NULL if staff named it.';

CREATE TABLE wind_downs (
  id uuid NOT NULL,
  last_maturity_at timestamp with time zone NOT NULL,
  mailed_at timestamp with time zone,
  called_off_id uuid,
  called_off_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT wind_downs_end_by_proposal CHECK (((called_off_id IS NULL) = (called_off_at IS NULL))),
  CONSTRAINT wind_downs_end_later CHECK ((last_maturity_at >= created_at)),
  CONSTRAINT wind_downs_called_off_id_fkey FOREIGN KEY (called_off_id) REFERENCES proposals(id),
  CONSTRAINT wind_downs_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT wind_downs_pkey PRIMARY KEY (id),
  CONSTRAINT wind_downs_called_off_id_key UNIQUE (called_off_id)
);
COMMENT ON TABLE wind_downs IS 'The pool winds down since this row, by a proposal of two super admins, until two call it off.';
COMMENT ON COLUMN wind_downs.last_maturity_at IS 'The moment at which the last investment matures, as no new one is opened.';
COMMENT ON COLUMN wind_downs.mailed_at IS 'The moment at which all mails of it were queued.';
COMMENT ON COLUMN wind_downs.called_off_id IS 'The proposal of two super admins that called it off.';

CREATE TABLE write_offs (
  id uuid NOT NULL,
  claim_id uuid NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT write_offs_amount_check CHECK ((amount > 0)),
  CONSTRAINT write_offs_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES claims(deposit_id),
  CONSTRAINT write_offs_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT write_offs_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE write_offs IS 'Claims that the reserve paid, each by a proposal of two people.';
COMMENT ON COLUMN write_offs.amount IS 'Cents.';

CREATE TYPE tally_change AS (
  noun text,
  day date,
  kind text,
  status text,
  rows bigint,
  cents bigint,
  interest bigint
);
COMMENT ON TYPE tally_change IS 'An addition to a tally, negative for rows that go.';

CREATE UNIQUE INDEX address_keys_one_per_network ON public.address_keys USING btree (network_name) WHERE (ended_at IS NULL);

CREATE INDEX audit_entries_as_notices ON public.audit_entries USING btree (owner_id, created_at, nonce) WHERE ((owner_id IS NOT NULL) AND (action <> ALL ('{session.started,session.refused,session.ended,factor.refused}'::text[])));

CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, created_at, id);

CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (lower(actor) text_pattern_ops);

CREATE INDEX audit_entries_by_age ON public.audit_entries USING btree (created_at, id);

CREATE INDEX audit_entries_by_owner ON public.audit_entries USING btree (owner_id) WHERE (owner_id IS NOT NULL);

CREATE INDEX audit_entries_by_subject ON public.audit_entries USING btree (subject_id);

CREATE INDEX audit_entries_not_about_users ON public.audit_entries USING btree (created_at, id) WHERE (subject_type <> 'user'::text);

CREATE UNIQUE INDEX batch_inputs_locked_once ON public.batch_inputs USING btree (network_name, input) WHERE is_open;

CREATE INDEX batch_payouts_on_the_chain ON public.batch_payouts USING btree (transaction_id) WHERE (transaction_id IS NOT NULL);

CREATE UNIQUE INDEX batch_payouts_pay_loans_once ON public.batch_payouts USING btree (sending_id) WHERE is_open;

CREATE UNIQUE INDEX batch_payouts_pay_once ON public.batch_payouts USING btree (withdrawal_id) WHERE is_open;

CREATE INDEX batches_by_age ON public.batches USING btree (made_at, id);

CREATE UNIQUE INDEX batches_use_a_nonce_once ON public.batches USING btree (network_name, payer, nonce) WHERE ((format = 'SAFE'::text) AND (state <> 'GIVEN_UP'::text));

CREATE INDEX block_skips_by_network ON public.block_skips USING btree (network_name, agreed_at);

CREATE UNIQUE INDEX block_skips_wait_once ON public.block_skips USING btree (network_name) WHERE ((skipped_at IS NULL) AND (ended_at IS NULL));

CREATE INDEX borrowers_by_age ON public.borrowers USING btree (created_at, id);

CREATE INDEX borrowers_by_lower_name ON public.borrowers USING btree (lower((name COLLATE "und-x-icu")), id);

CREATE INDEX borrowers_by_name ON public.borrowers USING btree (name, id);

CREATE INDEX claims_open ON public.claims USING btree (user_id) WHERE (open > 0);

CREATE INDEX coin_movements_by_age ON public.coin_movements USING btree (at, id);

CREATE INDEX coin_movements_by_transaction ON public.coin_movements USING btree (network_name, transaction_id);

CREATE INDEX coin_movements_of_fees ON public.coin_movements USING btree (id) WHERE (to_account = 'network'::text);

CREATE UNIQUE INDEX contributions_typed_once ON public.contributions USING btree (network_name, lower(evidence)) WHERE (source = 'TYPED'::text);

CREATE INDEX factors_by_user ON public.factors USING btree (user_id);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING brin (created_at);

CREATE INDEX investments_by_status ON public.transactions USING btree (created_at DESC, id DESC) WHERE (investment_status = 'COMPLETED'::text);

CREATE INDEX investments_maturing ON public.transactions USING btree (matures_at, id) INCLUDE (amount, interest, borne) WHERE (investment_status = 'ACTIVE'::text);

CREATE INDEX links_by_address ON public.links USING btree (address);

CREATE INDEX links_by_user ON public.links USING btree (user_id);

CREATE UNIQUE INDEX links_invite_once ON public.links USING btree (address) WHERE ((kind = 'INVITE'::text) AND (ended_at IS NULL));

CREATE INDEX loan_collateral_by_loan ON public.loan_collateral USING btree (loan_id);

CREATE INDEX loan_documents_by_borrower ON public.loan_documents USING btree (borrower_id) WHERE (borrower_id IS NOT NULL);

CREATE INDEX loan_documents_by_loan ON public.loan_documents USING btree (loan_id) WHERE (loan_id IS NOT NULL);

CREATE INDEX loan_instalments_open ON public.loan_instalments USING btree (due_on, loan_id) WHERE (((principal_paid < principal) OR (interest_paid < interest)) AND (NOT replaced));

CREATE INDEX loan_repayments_alone ON public.loan_repayments USING btree (created_at) WHERE (agreed_id IS NULL);

CREATE INDEX loan_repayments_by_loan ON public.loan_repayments USING btree (loan_id);

CREATE INDEX loan_repayments_by_transaction ON public.loan_repayments USING btree (regexp_replace(lower(reference), '^0x|:.*$'::text, ''::text, 'g'::text)) WHERE (NOT reversed);

CREATE UNIQUE INDEX loan_repayments_reference_once ON public.loan_repayments USING btree (lower(reference)) WHERE (NOT reversed);

CREATE INDEX loan_restructurings_by_loan ON public.loan_restructurings USING btree (loan_id, first_number DESC);

CREATE INDEX loan_reversals_alone ON public.loan_reversals USING btree (created_at) WHERE (agreed_id IS NULL);

CREATE UNIQUE INDEX loan_sendings_open_once ON public.loan_sendings USING btree (loan_id) WHERE (status = 'OPEN'::text);

CREATE INDEX loan_updates_by_loan ON public.loan_updates USING btree (loan_id, created_at);

CREATE INDEX loans_by_age ON public.loans USING btree (created_at, id);

CREATE INDEX loans_by_borrower ON public.loans USING btree (borrower_id);

CREATE INDEX loans_of_investors ON public.loans USING btree (id) WHERE ((from_investors > 0) AND (outstanding > 0));

CREATE INDEX loans_owing ON public.loans USING btree (id) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'DEFAULTED'::text]));

CREATE UNIQUE INDEX loans_refinance_once ON public.loans USING btree (refinances_id) WHERE (status <> ALL (ARRAY['WITHDRAWN'::text, 'DECLINED'::text]));

CREATE INDEX login_throttles_by_age ON public.login_throttles USING btree (last_at);

CREATE INDEX losses_borne_by_sharing ON public.losses_borne USING btree (sharing_id) WHERE (sharing_id IS NOT NULL);

CREATE INDEX mail_deliveries_by_mail ON public.mail_deliveries USING btree (mail_id, id);

CREATE INDEX mails_by_age ON public.mails USING btree (created_at, id);

CREATE INDEX mails_dead ON public.mails USING btree (created_at) WHERE (status = 'DEAD'::text);

CREATE UNIQUE INDEX mails_once_per_cause ON public.mails USING btree (cause) WHERE (cause IS NOT NULL);

CREATE INDEX mails_to_send ON public.mails USING btree (next_attempt_at) WHERE (status = 'WAITING'::text);

CREATE INDEX notes_by_user ON public.notes USING btree (user_id, created_at);

CREATE INDEX own_addresses_by_lower_case ON public.own_addresses USING btree (network_name, lower(address));

CREATE UNIQUE INDEX own_addresses_derived_once ON public.own_addresses USING btree (key_id, derivation_index);

CREATE INDEX payments_by_address ON public.payments USING btree (address);

CREATE INDEX payments_by_age ON public.payments USING btree (seen_at, id);

CREATE INDEX payments_by_deposit ON public.payments USING btree (deposit_id) WHERE (deposit_id IS NOT NULL);

CREATE INDEX payments_by_height ON public.payments USING btree (network_name, height) WHERE (height IS NOT NULL);

CREATE INDEX payments_gone ON public.payments USING btree (network_name) WHERE (state = ANY (ARRAY['REPLACED'::text, 'DROPPED'::text, 'REVERSED'::text]));

CREATE INDEX payments_open ON public.payments USING btree (network_name) WHERE (state = 'SEEN'::text);

CREATE INDEX payments_unsettled ON public.payments USING btree (network_name) WHERE ((state = 'CONFIRMED'::text) AND (deposit_id IS NULL));

CREATE INDEX payments_unsure ON public.payments USING btree (network_name, transaction_id) WHERE ((state <> 'CONFIRMED'::text) AND (confirmed_at IS NOT NULL));

CREATE INDEX payout_addresses_in_use ON public.payout_addresses USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX payout_addresses_of_all ON public.payout_addresses USING btree (lower(address), user_id, created_at);

CREATE INDEX payout_alarms_by_age ON public.payout_alarms USING btree (found_at, id);

CREATE INDEX payout_alarms_open ON public.payout_alarms USING btree (network_name) WHERE ((ended_at IS NULL) AND (settled_at IS NULL));

CREATE UNIQUE INDEX proposals_stand_once ON public.proposals USING btree (kind, subject) WHERE (ended_at IS NULL);

CREATE INDEX rates_newest ON public.rates USING btree (coin, created_at DESC, id DESC);

CREATE INDEX reading_keys_by_user ON public.reading_keys USING btree (user_id, made_at);

CREATE INDEX reconciliations_by_age ON public.reconciliations USING btree (at, id);

CREATE INDEX recovery_codes_by_user ON public.recovery_codes USING btree (user_id);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX spendings_by_age ON public.spendings USING btree (seen_at, id);

CREATE INDEX spendings_by_height ON public.spendings USING btree (network_name, height) WHERE (height IS NOT NULL);

CREATE INDEX spendings_of_batches ON public.spendings USING btree (batch_id) WHERE (batch_id IS NOT NULL);

CREATE INDEX spendings_open ON public.spendings USING btree (network_name) WHERE (state = 'SEEN'::text);

CREATE INDEX spent_coins_by_input ON public.spent_coins USING btree (input);

CREATE INDEX transactions_by_claim ON public.transactions USING btree (claim_id) WHERE (claim_id IS NOT NULL);

CREATE INDEX transactions_by_destination ON public.transactions USING btree (lower(destination_address), user_id, created_at) WHERE (type = 'withdrawal'::text);

CREATE INDEX transactions_by_payment ON public.transactions USING btree (sent_network, sent_evidence) WHERE (sent_evidence IS NOT NULL);

CREATE INDEX transactions_by_status ON public.transactions USING btree (type, status, created_at DESC, id DESC) WHERE (type = ANY (ARRAY['deposit'::text, 'withdrawal'::text]));

CREATE INDEX transactions_by_type ON public.transactions USING btree (type, created_at DESC, id DESC);

CREATE INDEX transactions_by_user ON public.transactions USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX transactions_completed_alone ON public.transactions USING btree (completed_at) WHERE (completed_by IS NOT NULL);

CREATE INDEX transactions_decided_alone ON public.transactions USING btree (updated_at) INCLUDE (decided_by, user_id, amount) WHERE ((ending = ANY (ARRAY['decided'::text, 'automatic'::text])) AND (status <> 'REJECTED'::text) AND (approvals_needed = 1));

CREATE UNIQUE INDEX transactions_evidence_once ON public.transactions USING btree (evidence_network, evidence, COALESCE((evidence_output)::text, (wallet_id)::text)) WHERE ((evidence IS NOT NULL) AND (status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text])));

CREATE UNIQUE INDEX transactions_once_per_investment ON public.transactions USING btree (investment_id) WHERE (type = 'payout'::text);

CREATE INDEX transactions_open_deposits ON public.transactions USING btree (user_id) WHERE ((type = 'deposit'::text) AND (status = 'PENDING'::text));

CREATE UNIQUE INDEX transactions_recover_once ON public.transactions USING btree (repayment_id, user_id) WHERE (type = 'recovery'::text);

CREATE INDEX transactions_recovered ON public.transactions USING btree (sharing_id, user_id) WHERE (type = 'recovery'::text);

CREATE INDEX transactions_requests ON public.transactions USING btree (user_id, created_at) WHERE (type = ANY (ARRAY['deposit'::text, 'withdrawal'::text]));

CREATE UNIQUE INDEX transactions_share_once ON public.transactions USING btree (sharing_id, user_id) WHERE (type = 'loss'::text);

CREATE INDEX transactions_unannounced ON public.transactions USING btree (evidence_network, evidence) WHERE unannounced;

CREATE INDEX transactions_with_fees ON public.transactions USING btree (status, fee) WHERE (fee > 0);

CREATE INDEX unseen_arrivals_by_age ON public.unseen_arrivals USING btree (found_at, id);

CREATE INDEX unseen_arrivals_open ON public.unseen_arrivals USING btree (found_at, id) WHERE (settled_at IS NULL);

CREATE INDEX used_challenges_by_expiry ON public.used_challenges USING btree (expires_at);

CREATE INDEX user_roles_by_role ON public.user_roles USING btree (role, user_id);

CREATE INDEX user_roles_given_alone ON public.user_roles USING btree (granted_at) WHERE (alone_by IS NOT NULL);

CREATE INDEX users_by_age ON public.users USING btree (created_at, id);

CREATE INDEX users_by_name ON public.users USING btree (lower((((first_name || ' '::text) || last_name) COLLATE "und-x-icu")), id);

CREATE INDEX wallet_assignments_by_age ON public.wallet_assignments USING btree (assigned_at);

CREATE INDEX wallet_assignments_by_source ON public.wallet_assignments USING btree (source, assigned_at);

CREATE UNIQUE INDEX wallets_address_key ON public.wallets USING btree (lower(address), network_name);

CREATE INDEX wallets_archived ON public.wallets USING btree (created_at, id) WHERE (archived_at IS NOT NULL);

CREATE INDEX wallets_available ON public.wallets USING btree (created_at, id) WHERE ((owner_id IS NULL) AND (proposal_id IS NULL));

CREATE INDEX wallets_available_by_network ON public.wallets USING btree (network_name, created_at, id) WHERE ((owner_id IS NULL) AND (proposal_id IS NULL));

CREATE INDEX wallets_by_age ON public.wallets USING btree (created_at, id);

CREATE INDEX wallets_by_network ON public.wallets USING btree (network_name, created_at, id);

CREATE UNIQUE INDEX wallets_derived ON public.wallets USING btree (key_id, derivation_index) WHERE (key_id IS NOT NULL);

CREATE INDEX wallets_derived_ahead ON public.wallets USING btree (key_id, derivation_index) WHERE ((key_id IS NOT NULL) AND (owner_id IS NULL));

CREATE UNIQUE INDEX wallets_one_per_owner_and_network ON public.wallets USING btree (owner_id, network_name) WHERE (archived_at IS NULL);

CREATE INDEX wallets_waiting ON public.wallets USING btree (proposal_id, created_at, id) WHERE (proposal_id IS NOT NULL);

CREATE UNIQUE INDEX wind_downs_are_one ON public.wind_downs USING btree ((true)) WHERE (called_off_at IS NULL);

CREATE INDEX write_offs_by_claim ON public.write_offs USING btree (claim_id);
