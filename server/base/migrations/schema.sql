-- The schema after all migrations. Written by `npm run schema:dump`, compared by a test. Never edit it.


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
  CONSTRAINT accounts_balance_not_negative CHECK ((balance >= 0)),
  CONSTRAINT accounts_closed_are_empty CHECK (((closed_at IS NULL) OR (balance = 0))),
  CONSTRAINT accounts_guarded CHECK (((balance IS NULL) = (kind = ANY (ARRAY['custody'::text, 'operator'::text, 'claims'::text, 'loans'::text, 'loss'::text])))),
  CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['available'::text, 'held'::text, 'invested'::text, 'custody'::text, 'operator'::text, 'reserve'::text, 'committed'::text, 'claims'::text, 'outgoing'::text, 'loans'::text, 'deployed'::text, 'loss'::text, 'sending'::text]))),
  CONSTRAINT accounts_of_the_pool CHECK (((owner_id = '00000000-0000-0000-0000-000000000000'::uuid) = (kind = ANY (ARRAY['custody'::text, 'operator'::text, 'reserve'::text, 'committed'::text, 'claims'::text, 'outgoing'::text, 'loans'::text, 'deployed'::text, 'loss'::text, 'sending'::text])))),
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind)
) WITH (fillfactor=70);
COMMENT ON TABLE accounts IS 'The accounts of the double-entry ledger: three of each investor, ten of the pool.';
COMMENT ON COLUMN accounts.owner_id IS 'An investor, or the nil UUID for the pool.';
COMMENT ON COLUMN accounts.balance IS 'Cents, written only by the trigger movements_change_balances. NULL if it may go below zero. Such a balance is the sum of its transfers, so no posting locks the row.';
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
  nonce uuid,
  mac text,
  CONSTRAINT audit_entries_are_signed CHECK ((num_nulls(nonce, mac) = 0)) NOT VALID,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_nonce_key UNIQUE (nonce)
);
COMMENT ON TABLE audit_entries IS 'The audit trail: actor, moment, source and changes of each act, in its transaction. Final.';
COMMENT ON COLUMN audit_entries.actor_id IS 'NULL unless the actor is a signed-in user.';
COMMENT ON COLUMN audit_entries.actor IS 'A username, ''system'', or the operator.';
COMMENT ON COLUMN audit_entries.owner_id IS 'The user that the entry concerns, if any.';
COMMENT ON COLUMN audit_entries.source IS 'An IP address, ''operator'' or ''job''.';
COMMENT ON COLUMN audit_entries.nonce IS 'Makes the entry unique, so that a copy is refused.';
COMMENT ON COLUMN audit_entries.mac IS 'MAC by a key that the database never holds. NULL in entries older than signing.';

CREATE TABLE audit_seals (
  position bigint NOT NULL,
  entry_id bigint NOT NULL,
  hash bytea NOT NULL,
  key_id text,
  CONSTRAINT audit_seals_name_their_key CHECK ((key_id IS NOT NULL)) NOT VALID,
  CONSTRAINT audit_seals_position_check CHECK (("position" > 0)),
  CONSTRAINT audit_seals_pkey PRIMARY KEY ("position"),
  CONSTRAINT audit_seals_entry_id_key UNIQUE (entry_id)
);
COMMENT ON TABLE audit_seals IS 'Hash chain over the entries, in its own order, since ids do not commit in order.';
COMMENT ON COLUMN audit_seals.entry_id IS 'Has no foreign key, whose check would need the right to change entries. `audit:check` looks.';
COMMENT ON COLUMN audit_seals.hash IS 'HMAC-SHA-256 of the previous hash and of the entry. SHA-256 without a key.';
COMMENT ON COLUMN audit_seals.key_id IS 'Id of the key. NULL in seals older than signing.';

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
  capital bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT capital_withdrawals_amount_check CHECK ((amount >= 0)),
  CONSTRAINT capital_withdrawals_capital_check CHECK ((capital >= 0)),
  CONSTRAINT capital_withdrawals_move CHECK (((amount + capital) > 0)),
  CONSTRAINT capital_withdrawals_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT capital_withdrawals_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE capital_withdrawals IS 'What the operator took out of the reserve of a pool that winds down, each by a proposal of two super admins.';
COMMENT ON COLUMN capital_withdrawals.amount IS 'What left the reserve.';
COMMENT ON COLUMN capital_withdrawals.capital IS 'What it settles of the capital put in. The whole of it where the reserve is empty then.';

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
  CONSTRAINT contributions_amount_check CHECK ((amount > 0)),
  CONSTRAINT contributions_contributed_by_check CHECK ((contributed_by <> ''::text)),
  CONSTRAINT contributions_note_check CHECK ((note <> ''::text)),
  CONSTRAINT contributions_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE contributions IS 'Capital that the operator put into the reserve.';
COMMENT ON COLUMN contributions.amount IS 'Cents.';
COMMENT ON COLUMN contributions.contributed_by IS 'The operator''s name for themselves.';

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
COMMENT ON COLUMN liability_leaves.place IS 'In files of version 1 the place of the leaf, from the left. In version 2 a number that leads to the places of the parts.';
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
  CONSTRAINT liability_trees_are_files CHECK (((file ~ '^\{\n  "version": (1|2),\n  "day": "\d{4}-\d\d-\d\d",\n  "at": "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",\n  "root": "[0-9a-f]{64}",\n  "total": "(0|[1-9]\d{0,18})",\n  "leaves": [1-9]\d{0,9},(\n  "parts": [248],)?\n  "coins": "-?\d{1,19}",\n  "loans": "(0|[1-9]\d{0,18})"\n\}\n$'::text) AND ((file ~ '\n  "version": 2,'::text) = (file ~ '\n  "parts": '::text)) AND (substr(file, 29, 10) = to_char((day)::timestamp with time zone, 'YYYY-MM-DD'::text)))) NOT VALID,
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

CREATE TABLE loan_defaults (
  id uuid NOT NULL,
  loan_id uuid NOT NULL,
  defaulted_on date NOT NULL,
  reason text NOT NULL,
  days_past_due integer NOT NULL,
  principal bigint NOT NULL,
  interest bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT loan_defaults_days_past_due_check CHECK ((days_past_due >= 0)),
  CONSTRAINT loan_defaults_interest_check CHECK ((interest >= 0)),
  CONSTRAINT loan_defaults_principal_check CHECK ((principal > 0)),
  CONSTRAINT loan_defaults_reason_check CHECK ((reason = ANY (ARRAY['daysPastDue'::text, 'unlikelyToPay'::text]))),
  CONSTRAINT loan_defaults_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_defaults_pkey PRIMARY KEY (id),
  CONSTRAINT loan_defaults_loan_id_key UNIQUE (loan_id)
);
COMMENT ON TABLE loan_defaults IS 'Defaults, by days past due or by a proposal of two people, whose id it has. They stay.';
COMMENT ON COLUMN loan_defaults.interest IS 'Cents that were due and not paid. With the principal they are the exposure.';

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
  CONSTRAINT loan_restructurings_id_fkey FOREIGN KEY (id) REFERENCES proposals(id),
  CONSTRAINT loan_restructurings_loan_id_fkey FOREIGN KEY (loan_id) REFERENCES loans(id),
  CONSTRAINT loan_restructurings_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE loan_restructurings IS 'New terms of loans, each by a proposal of two people.';
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
  CONSTRAINT notice_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT notice_settings_pkey PRIMARY KEY (user_id)
);
COMMENT ON TABLE notice_settings IS 'Which notices users have read, and which they get by mail. Users without a row chose nothing.';
COMMENT ON COLUMN notice_settings.read_until IS 'Notices of this millisecond and earlier are read. Never goes back.';
COMMENT ON COLUMN notice_settings.mailed IS 'The chosen kinds of contract/notices.ts. NULL for the default ones.';

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
  CONSTRAINT payout_addresses_check CHECK ((usable_from >= created_at)),
  CONSTRAINT payout_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT payout_addresses_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE payout_addresses IS 'Every payout address that an investor saved. Rows stay, and the newest usable one counts.';
COMMENT ON COLUMN payout_addresses.usable_from IS 'After created_at for a replacement, so that its owner can stop a thief.';

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
  is_open boolean NOT NULL,
  starts_at timestamp with time zone NOT NULL,
  CONSTRAINT plans_check CHECK ((most >= "least")),
  CONSTRAINT plans_check1 CHECK ((capacity >= "least")),
  CONSTRAINT plans_duration_days_check CHECK (((duration_days >= 1) AND (duration_days <= 1825))),
  CONSTRAINT plans_least_check CHECK (("least" > 0)),
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
COMMENT ON COLUMN plans.starts_at IS 'The moment from which it counts. -infinity of the first version.';

CREATE TABLE pool_figures (
  single boolean NOT NULL DEFAULT true,
  at timestamp with time zone NOT NULL,
  took_ms integer NOT NULL,
  mark text NOT NULL,
  form integer NOT NULL,
  figures jsonb NOT NULL,
  mac text,
  CONSTRAINT pool_figures_single_check CHECK (single),
  CONSTRAINT pool_figures_took_ms_check CHECK ((took_ms >= 0)),
  CONSTRAINT pool_figures_pkey PRIMARY KEY (single)
);
COMMENT ON TABLE pool_figures IS 'The newest figures that everybody reads, in one row.';
COMMENT ON COLUMN pool_figures.at IS 'The moment of the snapshot that they were counted in.';
COMMENT ON COLUMN pool_figures.took_ms IS 'The count rests for twenty times as long.';
COMMENT ON COLUMN pool_figures.mark IS 'It changes with what is counted, so that a count without news is left out.';
COMMENT ON COLUMN pool_figures.form IS 'The form of the figures. A release that reads another one counts again.';
COMMENT ON COLUMN pool_figures.mac IS 'Signature of moment, form and figures by a key of the product. NULL where an earlier release counted them.';

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
  difference numeric(79,0) NOT NULL,
  accepted numeric(79,0) NOT NULL,
  dollars numeric,
  CONSTRAINT reconciled_coins_reconciliation_id_fkey FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(id),
  CONSTRAINT reconciled_coins_pkey PRIMARY KEY (reconciliation_id, network_name, asset)
);
COMMENT ON TABLE reconciled_coins IS 'A coin of a network: its break in units.';
COMMENT ON COLUMN reconciled_coins.unexplained IS 'Units that left by transactions that nothing explains.';
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
  coins_cents bigint NOT NULL,
  CONSTRAINT reconciliations_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE reconciliations IS 'Comparisons of our coins on the chains with the coin movements.';
COMMENT ON COLUMN reconciliations.break_cents IS 'Dollars of all breaks beyond those that two people accepted, shortages and surpluses added up.';
COMMENT ON COLUMN reconciliations.is_unpriced IS 'True if a break is of a coin that never had a rate.';
COMMENT ON COLUMN reconciliations.is_whole IS 'True without any break.';
COMMENT ON COLUMN reconciliations.is_pausing IS 'True if it paused withdrawals.';
COMMENT ON COLUMN reconciliations.custody_cents IS 'Dollars that the ledger counts in custody.';
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
  ended_at timestamp with time zone,
  CONSTRAINT rehearsals_begin_whole CHECK ((num_nulls(default_percent, began_at, moment, opening) = ANY (ARRAY[0, 4]))),
  CONSTRAINT rehearsals_default_percent_check CHECK (((default_percent >= 0) AND (default_percent <= 100))),
  CONSTRAINT rehearsals_is_one_check CHECK (is_one),
  CONSTRAINT rehearsals_pkey PRIMARY KEY (is_one)
);
COMMENT ON TABLE rehearsals IS 'One row in a database in which a wind-down is rehearsed. A restored copy of a live pool has it before, and is never served.';
COMMENT ON COLUMN rehearsals.default_percent IS 'So many of a hundred borrowers pay nothing from its begin on.';
COMMENT ON COLUMN rehearsals.moment IS 'The clock of the rehearsal. One that was stopped goes on from it.';
COMMENT ON COLUMN rehearsals.opening IS 'Cents at the begin, by account.';

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
  mac text,
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
COMMENT ON COLUMN sessions.mac IS 'Signs token, user and start by the key file (server/sessions). NULL in rows of nodes of 1.0.0.';
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
  outgoing boolean NOT NULL DEFAULT false,
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
COMMENT ON COLUMN transactions.outgoing IS 'True for a withdrawal whose amount lies in `outgoing` from its approval until it is completed or given back; false for those approved by older releases, whose amount left at the approval.';
COMMENT ON COLUMN transactions.returned_at IS 'Withdrawal: the moment it was given back.';
COMMENT ON COLUMN transactions.return_id IS 'Withdrawal: the proposal of two people that gave it back (trigger withdrawals_return_by_two).';
COMMENT ON COLUMN transactions.sent_basis IS 'Withdrawal: what the chain showed when the product marked it as sent. NULL where staff did.';
COMMENT ON COLUMN transactions.completed_basis IS 'Withdrawal: what the chain showed when the product completed it. NULL where staff did.';
COMMENT ON COLUMN transactions.plan_id IS 'Investment: the version of its plan. NULL for those opened by older releases.';
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
  CONSTRAINT wallets_derived_are_numbered CHECK ((((key_id IS NULL) = (derivation_index IS NULL)) AND (derivation_index >= 0))) NOT VALID,
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

CREATE INDEX audit_entries_as_notices ON public.audit_entries USING btree (owner_id, created_at, nonce) WHERE ((owner_id IS NOT NULL) AND (nonce IS NOT NULL) AND (action <> ALL ('{session.started,session.refused,session.ended,factor.refused}'::text[])));

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

CREATE VIEW email_links AS
 SELECT id,
    user_id,
    kind,
    address AS email,
    token_digest,
    created_at,
    expires_at,
    ended_at AS used_at
   FROM links
  WHERE (kind = ANY (ARRAY['CONFIRM'::text, 'CHANGE'::text]));

CREATE VIEW freeze_links AS
 SELECT id,
    user_id,
    kind,
        CASE
            WHEN (kind = 'GIVE_BACK'::text) THEN address
            ELSE NULL::text
        END AS email,
    token_digest,
    created_at,
    expires_at,
    ended_at AS used_at
   FROM links
  WHERE (kind = ANY (ARRAY['FREEZE'::text, 'GIVE_BACK'::text]));

CREATE VIEW investments AS
 SELECT id,
    user_id,
    amount AS principal,
    rate_basis_points,
    interest,
    duration_days,
    investment_status AS status,
    matures_at,
    created_at,
    updated_at,
    borne,
    (amount - borne) AS returned
   FROM transactions
  WHERE (type = 'investment'::text);

CREATE VIEW movement_months AS
 SELECT (c.relname)::text AS name,
    (b.bound[1])::uuid AS begins,
    (b.bound[2])::uuid AS ends
   FROM (((pg_inherits i
     JOIN pg_class c ON ((c.oid = i.inhrelid)))
     CROSS JOIN LATERAL regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''?([^'']+)''?\) TO \(''?([^'']+)''?\)'::text) found(bounds))
     CROSS JOIN LATERAL ( SELECT array_replace(array_replace(found.bounds, 'MINVALUE'::text, NULL::text), 'MAXVALUE'::text, NULL::text) AS array_replace) b(bound))
  WHERE (i.inhparent = ('movements'::regclass)::oid);

CREATE VIEW password_resets AS
 SELECT id,
    user_id,
    kind,
    address AS email,
    token_digest,
    created_at,
    expires_at,
    ended_at AS used_at
   FROM links
  WHERE (kind = 'RESET'::text);

CREATE VIEW recounted AS
 SELECT 'transactions'::text AS noun,
    utc_day(transactions.created_at) AS day,
    transactions.type AS kind,
    transactions.status,
    count(*) AS rows,
    sum(transactions.amount) AS cents,
    (0)::numeric AS interest
   FROM transactions
  GROUP BY (utc_day(transactions.created_at)), transactions.type, transactions.status
UNION ALL
 SELECT 'decisions'::text AS noun,
    utc_day(transactions.updated_at) AS day,
    transactions.type AS kind,
    'APPROVED'::text AS status,
    count(*) AS rows,
    sum(transactions.amount) AS cents,
    0 AS interest
   FROM transactions
  WHERE is_approved(transactions.type, transactions.status)
  GROUP BY (utc_day(transactions.updated_at)), transactions.type
UNION ALL
 SELECT 'fees'::text AS noun,
    utc_day(transactions.created_at) AS day,
    ''::text AS kind,
    transactions.status,
    count(*) AS rows,
    sum(transactions.fee) AS cents,
    0 AS interest
   FROM transactions
  WHERE (transactions.fee > 0)
  GROUP BY (utc_day(transactions.created_at)), transactions.status
UNION ALL
 SELECT 'investments'::text AS noun,
    utc_day(investments.created_at) AS day,
    (investments.duration_days)::text AS kind,
    investments.status,
    count(*) AS rows,
    sum(investments.returned) AS cents,
    sum(investments.interest) AS interest
   FROM investments
  GROUP BY (utc_day(investments.created_at)), investments.duration_days, investments.status
UNION ALL
 SELECT 'maturities'::text AS noun,
    utc_day(investments.updated_at) AS day,
    ''::text AS kind,
    investments.status,
    count(*) AS rows,
    sum(investments.returned) AS cents,
    sum(investments.interest) AS interest
   FROM investments
  WHERE (investments.status = 'COMPLETED'::text)
  GROUP BY (utc_day(investments.updated_at)), investments.status
UNION ALL
 SELECT 'users'::text AS noun,
    utc_day(users.created_at) AS day,
    ''::text AS kind,
    ''::text AS status,
    count(*) AS rows,
    0 AS cents,
    0 AS interest
   FROM users
  GROUP BY (utc_day(users.created_at))
UNION ALL
 SELECT 'wallets'::text AS noun,
    utc_day(wallets.created_at) AS day,
    wallets.network_name AS kind,
    wallet_status(wallets.owner_id, wallets.archived_at, wallets.proposal_id) AS status,
    count(*) AS rows,
    0 AS cents,
    0 AS interest
   FROM wallets
  GROUP BY (utc_day(wallets.created_at)), wallets.network_name, (wallet_status(wallets.owner_id, wallets.archived_at, wallets.proposal_id))
UNION ALL
 SELECT 'loans'::text AS noun,
    utc_day(loans.created_at) AS day,
    ''::text AS kind,
    loans.status,
    count(*) AS rows,
    0 AS cents,
    0 AS interest
   FROM loans
  GROUP BY (utc_day(loans.created_at)), loans.status
UNION ALL
 SELECT 'audit'::text AS noun,
    utc_day(audit_entries.created_at) AS day,
    audit_entries.action AS kind,
    ''::text AS status,
    count(*) AS rows,
    0 AS cents,
    0 AS interest
   FROM audit_entries
  GROUP BY (utc_day(audit_entries.created_at)), audit_entries.action;

CREATE VIEW transfers AS
 SELECT movements.reference_id,
    movements.name AS movement,
    1 AS place,
    movements.from_account_id,
    movements.to_account_id,
    movements.amount,
    movements.created_at
   FROM movements
UNION ALL
 SELECT movements.reference_id,
    movements.name AS movement,
    2 AS place,
    movements.interest_from_account_id AS from_account_id,
    movements.interest_to_account_id AS to_account_id,
    movements.interest AS amount,
    movements.created_at
   FROM movements
  WHERE (movements.interest IS NOT NULL);

CREATE OR REPLACE FUNCTION public.accounts_of(owned uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM user_roles WHERE alone_by IS NOT NULL AND granted_at > now() - interval '24 hours') THEN
    RETURN ARRAY[owned];
  END IF;
  RETURN ARRAY(
    SELECT owned
    UNION
    SELECT b.account FROM same_people() AS a JOIN same_people() AS b USING (person) WHERE a.account = owned
    ORDER BY 1);
END
$function$
;

CREATE OR REPLACE FUNCTION public.acts_as_staff(account uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (
    SELECT FROM users AS u JOIN user_roles AS r ON r.user_id = u.id AND r.role IN ('ADMIN', 'SUPER_ADMIN')
    WHERE u.id = account AND u.suspended_at IS NULL AND u.frozen_at IS NULL)
$function$
;

CREATE OR REPLACE FUNCTION public.acts_as_super_admin(account uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (
    SELECT FROM users AS u JOIN user_roles AS r ON r.user_id = u.id AND r.role = 'SUPER_ADMIN'
    WHERE u.id = account AND u.suspended_at IS NULL AND u.frozen_at IS NULL)
$function$
;

CREATE OR REPLACE FUNCTION public.add_link_by_old_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO links (id, kind, user_id, address, token_digest, expires_at)
  SELECT NEW.id, CASE TG_TABLE_NAME WHEN 'email_links' THEN NEW.kind WHEN 'password_resets' THEN 'RESET'
      ELSE CASE WHEN NEW.email IS NULL THEN 'FREEZE' ELSE 'GIVE_BACK' END END,
    u.id, coalesce(NEW.email, u.username), NEW.token_digest, NEW.expires_at
  FROM users AS u WHERE u.id = NEW.user_id;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.admit_login(pair bytea, username bytea, ip bytea)
 RETURNS integer
 LANGUAGE sql
AS $function$
  SELECT admit_sign_in(pair, username, ip, NULL)
$function$
;

CREATE OR REPLACE FUNCTION public.admit_registration(source bytea, most integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  SELECT admit_within(source, most, interval '1 hour')
$function$
;

CREATE OR REPLACE FUNCTION public.admit_sign_in(pair bytea, username bytea, ip bytea, wider bytea)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  counted   bytea[];
  waits_for timestamptz;
BEGIN
  PERFORM lock_sign_in(ARRAY[username, ip, wider]);
  counted := counted_of(pair, username, ip, wider);
  SELECT max(CASE key
      WHEN pair THEN next_login_at(t, 10, interval '1 hour')
      WHEN username THEN next_login_at(t, 20, interval '1 hour')
      WHEN ip THEN next_login_at(t, 50, interval '15 minutes')
      ELSE next_login_at(t, 100, interval '15 minutes') END)
    INTO waits_for FROM login_throttles AS t WHERE key = ANY (counted);
  IF waits_for > clock_timestamp() THEN RETURN ceil(extract(epoch FROM waits_for - clock_timestamp())); END IF;

  INSERT INTO login_throttles AS t (key, failures, last_at) SELECT k, 1, clock_timestamp() FROM unnest(counted) AS k ORDER BY k
  ON CONFLICT (key) DO UPDATE SET last_at = clock_timestamp(),
    failures = CASE WHEN t.last_at < clock_timestamp() - interval '1 day' THEN 1 ELSE t.failures + 1 END;
  RETURN 0;
END $function$
;

CREATE OR REPLACE FUNCTION public.admit_within(source bytea, most integer, span interval)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  began timestamptz;
BEGIN
  DELETE FROM login_throttles
  WHERE key = source AND last_at NOT BETWEEN clock_timestamp() - span AND clock_timestamp() + interval '1 minute';

  INSERT INTO login_throttles AS t (key, failures, last_at) VALUES (source, 1, clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = t.failures + 1 WHERE t.failures < most;
  IF FOUND THEN RETURN 0; END IF;

  SELECT last_at INTO STRICT began FROM login_throttles WHERE key = source;
  RETURN greatest(1, ceil(extract(epoch FROM began + span - clock_timestamp())));
END $function$
;

CREATE OR REPLACE FUNCTION public.announced_sharing()
 RETURNS SETOF loss_announcements
 LANGUAGE sql
 STABLE
AS $function$
  SELECT a.* FROM loss_announcements AS a
  WHERE is_open_loss(a.loss_id) AND a.amount = (
    SELECT sum(w.lost) FROM loan_write_offs AS w WHERE w.lost > 0 AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = w.id))
  ORDER BY a.created_at LIMIT 1
$function$
;

CREATE OR REPLACE FUNCTION public.apply_movements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE accounts SET balance = balance + change.amount
  FROM (
    SELECT account_id, sum(side.amount)::bigint AS amount
    FROM posted CROSS JOIN LATERAL (VALUES
      (from_account_id, -posted.amount), (to_account_id, posted.amount),
      (interest_from_account_id, -interest), (interest_to_account_id, interest)
    ) AS side (account_id, amount)
    WHERE account_id IS NOT NULL GROUP BY account_id ORDER BY account_id
  ) AS change
  WHERE accounts.id = change.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.assign_wallets(owners uuid[], sources bytea[], per_ip integer[], per_hour integer[])
 RETURNS jsonb[]
 LANGUAGE sql
AS $function$
  SELECT assign_wallets(owners, array_fill(NULL::text, ARRAY[cardinality(owners)]), sources, per_ip, per_hour)
$function$
;

CREATE OR REPLACE FUNCTION public.assign_wallets(owners uuid[], wanted text[], sources bytea[], per_ip integer[], per_hour integer[])
 RETURNS jsonb[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  needy   bigint[]; -- the first requests for a new wallet, by investor and network
  held    jsonb := '{}';
  this    record;
  answers jsonb[];
  changed uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(7031992, number)
  FROM (SELECT DISTINCT hashtext(owner::text) AS number FROM unnest(owners) AS owner ORDER BY 1) AS asking;
  -- A request for a network without free wallets does not count against the pace.
  needy := ARRAY(
    SELECT at FROM (
      SELECT min(at) AS at, network, count(network) OVER (PARTITION BY owner) AS named
      FROM numbered_requests(owners, wanted)
      WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = owner AND archived_at IS NULL AND (network IS NULL OR network_name = network))
        AND (network IS NULL OR EXISTS (SELECT FROM wallets WHERE owner_id IS NULL AND proposal_id IS NULL AND network_name = network))
        AND number <= 20
      GROUP BY owner, network
    ) AS asking
    -- A request for any network takes what the investor's other requests get.
    WHERE network IS NOT NULL OR named = 0 ORDER BY at);
  IF cardinality(needy) > 0 THEN
    PERFORM pg_advisory_xact_lock(7031990);
    held := hold_newcomers(owners, wanted, sources, per_ip, per_hour, needy);
    FOR this IN
      SELECT owners[at] AS investor, wanted[at] AS network FROM unnest(needy) AS at
      WHERE NOT held ? concat_ws(' ', owners[at], wanted[at]) ORDER BY wanted[at] IS NULL, at
    LOOP
      PERFORM take_wallet(this.investor, this.network);
    END LOOP;
  END IF;

  answers := ARRAY(
    SELECT CASE
      WHEN w.id IS NULL AND held ? concat_ws(' ', owner, network) THEN held -> concat_ws(' ', owner, network)
      WHEN number > 20 THEN '{"refused": "tooManyOpenDeposits"}'
      WHEN w.id IS NULL AND network IS NULL THEN '{"refused": "noWalletAvailable"}'
      WHEN w.id IS NULL THEN jsonb_build_object('refused', 'noWalletOnNetwork', 'network', network)
      ELSE jsonb_build_object('walletId', w.id, 'address', w.address, 'networkName', w.network_name)
    END
    FROM numbered_requests(owners, wanted)
    LEFT JOIN LATERAL (
      SELECT id, address, network_name FROM wallets WHERE owner_id = owner AND archived_at IS NULL AND (network IS NULL OR network_name = network)
      ORDER BY used_at DESC NULLS LAST, created_at, id LIMIT 1
    ) AS w ON true
    ORDER BY at);

  -- The wallet of the last request becomes the default. Most investors use the same one again.
  changed := ARRAY(
    SELECT used FROM (
      SELECT DISTINCT ON (owner) owner, (answer ->> 'walletId')::uuid AS used
      FROM unnest(owners, answers) WITH ORDINALITY AS a (owner, answer, at) WHERE answer ? 'walletId' ORDER BY owner, at DESC
    ) AS last
    WHERE used <> (SELECT id FROM wallets WHERE owner_id = owner AND archived_at IS NULL ORDER BY used_at DESC NULLS LAST, created_at, id LIMIT 1));
  IF cardinality(changed) > 0 THEN UPDATE wallets SET used_at = clock_timestamp() WHERE id = ANY (changed); END IF;
  RETURN answers;
END $function$
;

CREATE OR REPLACE FUNCTION public.audit_content(entry audit_entries)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
AS $function$
  SELECT jsonb_build_object(
    'id', entry.id, 'created_at', entry.created_at, 'actor_id', entry.actor_id, 'actor', entry.actor, 'action', entry.action,
    'subject_type', entry.subject_type, 'subject_id', entry.subject_id, 'owner_id', entry.owner_id, 'source', entry.source,
    'before', entry.before, 'after', entry.after, 'reason', entry.reason)::text
$function$
;

CREATE OR REPLACE FUNCTION public.available_at(owner uuid, moment timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT a.balance - coalesce((
    SELECT sum(CASE WHEN t.to_account_id = a.id THEN t.amount ELSE -t.amount END)
    FROM (
      SELECT id FROM transactions WHERE user_id = owner AND type IN ('deposit', 'withdrawal') AND updated_at > moment
      UNION
      SELECT coalesce(investment_id, id) FROM transactions WHERE user_id = owner AND created_at > moment
    ) AS later JOIN transfers AS t ON t.reference_id = later.id
    WHERE t.created_at > moment AND a.id IN (t.from_account_id, t.to_account_id)), 0)::bigint
  FROM accounts AS a WHERE a.owner_id = owner AND a.kind = 'available'
$function$
;

CREATE OR REPLACE FUNCTION public.bear_losses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  total bigint;
BEGIN
  WITH named AS (
    INSERT INTO losses_borne (write_off_id, cover_id, sharing_id)
    SELECT w.id, CASE TG_TABLE_NAME WHEN 'loss_covers' THEN NEW.id END, CASE TG_TABLE_NAME WHEN 'loss_sharings' THEN NEW.id END
    FROM loan_write_offs AS w WHERE w.lost > 0 AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = w.id)
    RETURNING write_off_id
  )
  SELECT coalesce(sum(w.lost), 0) INTO total FROM named JOIN loan_write_offs AS w ON w.id = named.write_off_id;
  IF total <> NEW.amount THEN
    RAISE EXCEPTION '% bears % cents of an open loss of %', NEW.id, NEW.amount, total USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.bearers_of(sharing uuid)
 RETURNS TABLE(user_id uuid, cents bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT l.user_id, (l.amount - coalesce((
    SELECT sum(r.amount) FROM transactions AS r WHERE r.type = 'recovery' AND r.sharing_id = l.sharing_id AND r.user_id = l.user_id), 0))::bigint
  FROM transactions AS l JOIN users AS u ON u.id = l.user_id
  WHERE l.type = 'loss' AND l.sharing_id = sharing AND u.closed_at IS NULL
$function$
;

CREATE OR REPLACE FUNCTION public.claims_until(wind_down wind_downs)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT wind_down.last_maturity_at + interval '90 days' + coalesce((
    SELECT sum(ended_at - greatest(began_at, wind_down.last_maturity_at)) FROM ended_pauses
    WHERE name = 'withdrawals' AND ended_at > wind_down.last_maturity_at
  ), interval '0')
$function$
;

CREATE OR REPLACE FUNCTION public.close_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE accounts SET closed_at = NEW.closed_at WHERE owner_id = NEW.id;
  IF EXISTS (SELECT FROM transactions WHERE user_id = NEW.id AND type IN ('deposit', 'withdrawal')
    AND (status = 'PENDING' OR type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING')))
    OR EXISTS (SELECT FROM claims WHERE user_id = NEW.id AND open > 0) THEN
    RAISE EXCEPTION 'a closed account has no open requests' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'users_closed_without_requests';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.codes_digest(owner uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT left(encode(sha256(string_agg(digest, ''::bytea ORDER BY digest)), 'hex'), 32) FROM recovery_codes WHERE user_id = owner
$function$
;

CREATE OR REPLACE FUNCTION public.coin_account(network text, paid text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(
    (SELECT lower(class) FROM own_addresses WHERE network_name = network AND lower(address) = lower(paid) LIMIT 1),
    (SELECT 'deposit' FROM wallets WHERE lower(address) = lower(paid) LIMIT 1))
$function$
;

CREATE OR REPLACE FUNCTION public.confirms_repayments(payload jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(payload #>> '{repayments,mark}', encode(sha256(''), 'hex')) = mark_of_repayments()
$function$
;

CREATE OR REPLACE FUNCTION public.counted_of(pair bytea, username bytea, ip bytea, wider bytea)
 RETURNS bytea[]
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days')
    THEN ARRAY[pair] ELSE array_remove(ARRAY[pair, username, ip, wider], NULL) END
$function$
;

CREATE OR REPLACE FUNCTION public.current_wind_down()
 RETURNS SETOF wind_downs
 LANGUAGE sql
 STABLE
AS $function$
  SELECT * FROM wind_downs WHERE called_off_at IS NULL
$function$
;

CREATE OR REPLACE FUNCTION public.decided_alone()
 RETURNS TABLE(approver uuid, investor uuid, amount bigint)
 LANGUAGE sql
 STABLE
AS $function$
  WITH known AS MATERIALIZED (SELECT account, person FROM same_people()),
  requests AS (
    SELECT coalesce(s.person, t.decided_by) AS person, t.user_id, t.amount
    FROM transactions AS t LEFT JOIN known AS s ON s.account = t.decided_by
    WHERE t.ending IN ('decided', 'automatic') AND t.status <> 'REJECTED' AND t.approvals_needed = 1 AND t.updated_at > now() - interval '24 hours'
  ), completions AS (
    SELECT coalesce(s.person, t.completed_by) AS person, coalesce(d.person, t.decided_by) AS decider, t.user_id, t.amount,
      t.approvals_needed = 1 AND t.updated_at > now() - interval '24 hours' AS counted
    FROM transactions AS t LEFT JOIN known AS s ON s.account = t.completed_by LEFT JOIN known AS d ON d.account = t.decided_by
    WHERE t.completed_by IS NOT NULL AND t.completed_at > now() - interval '24 hours' AND t.outgoing
  ), loans AS (
    SELECT r.recorded_by AS account, l.borrower_id, r.principal + r.interest AS amount
    FROM loan_repayments AS r JOIN loans AS l ON l.id = r.loan_id
    WHERE r.agreed_id IS NULL AND r.recovered = 0 AND r.created_at > now() - interval '24 hours'
    UNION ALL
    SELECT v.reversed_by, l.borrower_id, v.principal + v.interest + v.recovered
    FROM loan_reversals AS v JOIN loan_repayments AS r ON r.id = v.repayment_id JOIN loans AS l ON l.id = r.loan_id
    WHERE v.agreed_id IS NULL AND v.created_at > now() - interval '24 hours'
      -- The same person's repayment of the day counts.
      AND NOT (r.recorded_by = v.reversed_by AND r.agreed_id IS NULL AND r.recovered = 0 AND r.created_at > now() - interval '24 hours')
  )
  SELECT a.person, a.about, sum(a.amount)::bigint FROM (
    SELECT person, user_id AS about, amount FROM requests
    UNION ALL
    SELECT person, CASE WHEN NOT counted THEN user_id END, amount FROM completions WHERE NOT counted OR person IS DISTINCT FROM decider
    UNION ALL
    SELECT coalesce(s.person, l.account), l.borrower_id, l.amount FROM loans AS l LEFT JOIN known AS s ON s.account = l.account
  ) AS a GROUP BY 1, 2
$function$
;

CREATE OR REPLACE FUNCTION public.decider_of(transaction transactions)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT CASE transaction.ending WHEN 'cancelled' THEN transaction.user_id ELSE transaction.decided_by END
$function$
;

CREATE OR REPLACE FUNCTION public.factor_digest(factor factors)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT left(encode(sha256(convert_to(concat_ws(' ', factor.id, factor.user_id, factor.kind, factor.key_id,
    encode(factor.credential_id, 'hex'), encode(factor.public_key, 'hex')), 'UTF8')), 'hex'), 32)
$function$
;

CREATE OR REPLACE FUNCTION public.first_id(month date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT (lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$function$
;

CREATE OR REPLACE FUNCTION public.hold_deposits(investor uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7031987);
  PERFORM pg_advisory_xact_lock(7031992, hashtext(investor::text));
  PERFORM pg_advisory_xact_lock(7031990);
END $function$
;

CREATE OR REPLACE FUNCTION public.hold_newcomers(owners uuid[], wanted text[], sources bytea[], per_ip integer[], per_hour integer[], needy bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  few      CONSTANT integer := 3; -- per hour, always allowed
  held     jsonb := '{}';
  refused  jsonb;
  moment   timestamptz;
  recent   timestamptz[]; -- assignments of the last hour
  own      timestamptz[]; -- assignments of the last day over one connection
  free     integer;
  most     integer;
  again_at timestamptz;
  seconds  numeric;
  this     record;
BEGIN
  FOR this IN
    SELECT o.* FROM unnest(owners, wanted, sources, per_ip, per_hour) WITH ORDINALITY AS o (asker, network, source, per_ip, per_hour, at)
    WHERE o.at = ANY (needy) AND o.source IS NOT NULL ORDER BY o.at
  LOOP
    IF moment IS NULL THEN
      moment := clock_timestamp();
      recent := ARRAY(
        SELECT assigned_at FROM wallet_assignments
        WHERE assigned_at > moment - interval '1 hour' AND assigned_at <= moment ORDER BY assigned_at);
      -- More than the limit of an hour need not be counted. An address has at most three wallets.
      SELECT count(DISTINCT lower(address)) INTO free
      FROM (SELECT address FROM wallets WHERE owner_id IS NULL AND proposal_id IS NULL LIMIT 3 * this.per_hour) AS available;
    END IF;
    EXIT WHEN free = 0;

    own := ARRAY(
      SELECT assigned_at FROM wallet_assignments
      WHERE source = this.source AND assigned_at > moment - interval '1 day' AND assigned_at <= moment ORDER BY assigned_at);
    -- An hour takes at most 3/4 of the stock. After half of it, a connection that got one today
    -- gets no more.
    most := least(this.per_hour, greatest(few, 3 * free));
    -- A key gives any number of addresses.
    IF EXISTS (SELECT FROM address_keys WHERE ended_at IS NULL AND (this.network IS NULL OR network_name = this.network)) THEN most := this.per_hour;
    ELSIF cardinality(own) > 0 THEN most := least(most, greatest(few, least(this.per_hour / 2, free))); END IF;

    IF cardinality(own) >= this.per_ip THEN
      again_at := own[cardinality(own) - this.per_ip + 1] + interval '1 day';
    ELSIF cardinality(recent) >= most THEN
      again_at := recent[cardinality(recent) - most + 1] + interval '1 hour';
    ELSE
      INSERT INTO wallet_assignments (source, assigned_at) VALUES (this.source, moment);
      recent := recent || moment;
      free := free - 1;
      CONTINUE;
    END IF;
    seconds := ceil(extract(epoch FROM again_at - moment));
    refused := CASE WHEN cardinality(own) >= this.per_ip
      THEN jsonb_build_object('refused', 'tooManyNewWallets', 'hours', ceil(seconds / 3600))
      ELSE jsonb_build_object('refused', 'walletsInDemand', 'minutes', ceil(seconds / 60)) END;
    -- The investor's requests for any network wait, too.
    held := held || jsonb_build_object(concat_ws(' ', this.asker, this.network), refused, this.asker, refused);
  END LOOP;
  RETURN held;
END $function$
;

CREATE OR REPLACE FUNCTION public.is_approved(type text, status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT status = 'APPROVED' OR type = 'withdrawal' AND status IN ('PROCESSING', 'COMPLETED', 'RETURNED') OR status = 'REVERSED'
$function$
;

CREATE OR REPLACE FUNCTION public.is_backed(proposal proposals)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT may_decide(proposal.asked_by, proposal)
    AND (proposal.decided_by IS NULL OR may_decide(proposal.decided_by, proposal))
$function$
;

CREATE OR REPLACE FUNCTION public.is_frozen(account uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7031987);
  RETURN EXISTS (SELECT FROM users WHERE id = account AND frozen_at IS NOT NULL);
END $function$
;

CREATE OR REPLACE FUNCTION public.is_living(session sessions)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT session.last_used_at > now() - interval '15 minutes' AND session.created_at > now() - interval '12 hours'
    AND session.last_used_at <= now() + interval '1 minute'
$function$
;

CREATE OR REPLACE FUNCTION public.is_open_invite(link links)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT link.kind = 'INVITE' AND link.ended_at IS NULL AND link.expires_at > now()
    AND EXISTS (SELECT FROM proposals AS p WHERE p.id = link.id AND p.status = 'DONE' AND is_backed(p))
$function$
;

CREATE OR REPLACE FUNCTION public.is_open_loss(write_off uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT FROM loan_write_offs WHERE id = write_off AND lost > 0)
    AND NOT EXISTS (SELECT FROM losses_borne WHERE write_off_id = write_off)
$function$
;

CREATE OR REPLACE FUNCTION public.is_same_person(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT one = other OR other = ANY (accounts_of(one))
$function$
;

CREATE OR REPLACE FUNCTION public.is_standing(proposal proposals)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT proposal.ended_at IS NULL AND is_backed(proposal)
    AND (proposal.status = 'RESTING' OR proposal.asked_at > now() - CASE proposal.kind
      WHEN 'SET_RATE' THEN interval '1 hour' ELSE interval '7 days' END)
    AND (proposal.kind <> 'PLAN' OR (proposal.payload ->> 'startsAt')::timestamptz > now())
$function$
;

CREATE OR REPLACE FUNCTION public.keep_ended_pause()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO ended_pauses (name, began_at, ended_at) VALUES (OLD.name, OLD.paused_at, greatest(OLD.paused_at, now()));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.keep_grade()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO borrower_grades (borrower_id, number, grade, reason, graded_by, graded_at)
  VALUES (NEW.id, coalesce((SELECT max(number) FROM borrower_grades WHERE borrower_id = NEW.id), 0) + 1,
    NEW.grade, NEW.grade_reason, coalesce(NEW.graded_by, NEW.recorded_by), coalesce(NEW.graded_at, NEW.created_at));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.keep_wind_down_pause()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM current_wind_down()) THEN
    RAISE EXCEPTION 'the pool winds down, so % stay paused', OLD.name USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.lock_sign_in(keys bytea[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(7, n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(keys) AS k WHERE k IS NOT NULL ORDER BY n) AS numbers;
END $function$
;

CREATE OR REPLACE FUNCTION public.login_succeeded(pair bytea, username bytea, ip bytea)
 RETURNS void
 LANGUAGE sql
AS $function$
  SELECT sign_in_succeeded(pair, username, ip, NULL)
$function$
;

CREATE OR REPLACE FUNCTION public.make_months()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '1s'
AS $function$
DECLARE
  wanted CONSTANT date := date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months';
  month  date := month_of((SELECT begins FROM movement_months WHERE ends IS NULL));
  name   text;
  made   integer := 0;
BEGIN
  IF month > wanted OR NOT pg_try_advisory_xact_lock(7031993) THEN RETURN 0; END IF;
  -- Another node may have made them since.
  month := month_of((SELECT begins FROM movement_months WHERE ends IS NULL));
  IF month > wanted THEN RETURN 0; END IF;
  -- A detached table has no triggers, so its rows can be moved.
  ALTER TABLE movements DETACH PARTITION movements_later;
  -- At most two years at once, for the case of a clock that jumped.
  WHILE month <= wanted AND made < 24 LOOP
    name := 'movements_' || to_char(month, 'YYYY_MM');
    EXECUTE format('CREATE TABLE %I PARTITION OF movements FOR VALUES FROM (%L) TO (%L)',
      name, first_id(month), first_id((month + interval '1 month')::date));
    month := month + interval '1 month';
    EXECUTE format('WITH moved AS (DELETE FROM movements_later WHERE reference_id < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      first_id(month), name);
    made := made + 1;
  END LOOP;
  EXECUTE format('ALTER TABLE movements ATTACH PARTITION movements_later FOR VALUES FROM (%L) TO (MAXVALUE)', first_id(month));
  RETURN made;
END $function$
;

CREATE OR REPLACE FUNCTION public.mark_explains(spending uuid, place integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((SELECT worth <= marked * 1.01 + 100 FROM marked_worth(spending, place)), false)
$function$
;

CREATE OR REPLACE FUNCTION public.mark_of_repayments()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT encode(sha256(coalesce(string_agg(id::text, ',' ORDER BY id), '')::bytea), 'hex') FROM repayments_to_confirm()
$function$
;

CREATE OR REPLACE FUNCTION public.mark_pays(spending uuid, place integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce((SELECT worth BETWEEN marked * 0.99 - 100 AND marked * 1.01 + 100 FROM marked_worth(spending, place)), false)
$function$
;

CREATE OR REPLACE FUNCTION public.marked_worth(spending uuid, place integer)
 RETURNS TABLE(worth numeric, marked numeric)
 LANGUAGE sql
 STABLE
AS $function$
  WITH coin AS (
    SELECT s.id, s.network_name, s.transaction_id, s.batch_id, s.seen_at, c.address
    FROM spendings AS s JOIN sent_coins AS c ON c.spending_id = s.id WHERE s.id = spending AND c.output = place
  ), marks AS MATERIALIZED (
    SELECT t.amount, t.sent_output AS output
    FROM coin AS c JOIN transactions AS t ON t.sent_network = c.network_name AND t.sent_evidence = c.transaction_id
    WHERE t.type = 'withdrawal' AND t.status IN ('PROCESSING', 'COMPLETED') AND t.sent_by IS NOT NULL
      -- A sandbox, and releases before payees, approved without an address.
      AND (coalesce(t.payee_address, '') = '' OR lower(t.payee_address) = lower(c.address))
      -- A batch paid it, so the mark pays for nothing more.
      AND NOT EXISTS (SELECT FROM batch_payouts AS p WHERE p.withdrawal_id = t.id AND p.transaction_id IS NOT NULL)
  ), paid AS (
    SELECT o.output, EXISTS (SELECT FROM marks AS m WHERE m.output = o.output) AS named, o.units * 100 / 10::numeric ^ o.decimals
      * CASE WHEN o.asset IN ('USDC', 'USDT') THEN 1 ELSE (
        SELECT r.dollars FROM rates AS r WHERE r.coin = o.asset AND r.created_at <= c.seen_at ORDER BY r.created_at DESC, r.id DESC LIMIT 1) END AS worth
    FROM coin AS c JOIN sent_coins AS o ON o.spending_id = c.id AND lower(o.address) = lower(c.address)
    WHERE EXISTS (SELECT FROM marks)
      AND NOT EXISTS (SELECT FROM batch_payouts AS p WHERE p.batch_id = c.batch_id AND p.transaction_id = c.transaction_id AND p.output = o.output)
  )
  -- Marks that name this output cover it alone, the others the outputs that no mark names.
  SELECT sum(p.worth), max(most.amount)
  FROM paid AS p JOIN (SELECT bool_or(m.output = place) AS named, sum(m.amount) AS amount FROM marks AS m
      WHERE m.output = place OR m.output IS NULL AND NOT EXISTS (SELECT FROM marks AS n WHERE n.output = place)) AS most
    ON CASE WHEN most.named THEN p.output = place ELSE NOT p.named AND p.output <= place END
  HAVING bool_or(p.output = place) AND bool_and(p.worth IS NOT NULL)
$function$
;

CREATE OR REPLACE FUNCTION public.may_decide(account uuid, proposal proposals)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN proposal.by_staff THEN acts_as_staff(account) ELSE acts_as_super_admin(account) END
$function$
;

CREATE OR REPLACE FUNCTION public.month_of(id uuid)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT date_trunc('month', timestamp 'epoch' + ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint * interval '1 millisecond')::date
$function$
;

CREATE OR REPLACE FUNCTION public.name_ending()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.ending := CASE WHEN NEW.decided_by IS NOT NULL THEN 'decided'
    WHEN NEW.status = 'EXPIRED' THEN 'expired' ELSE 'cancelled' END;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
AS $function$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send(floor(extract(epoch FROM now()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$function$
;

CREATE OR REPLACE FUNCTION public.next_login_at(throttle login_throttles, free integer, longest interval)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE WHEN throttle.failures < free OR throttle.last_at < clock_timestamp() - interval '1 day'
      OR throttle.last_at > clock_timestamp() + interval '1 minute' THEN '-infinity'
    ELSE throttle.last_at + least(longest, interval '1 minute' * power(2, least(throttle.failures - free, 20))) END
$function$
;

CREATE OR REPLACE FUNCTION public.note_batch_coins()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT network_name, transaction_id FROM spendings
  WHERE state = 'CONFIRMED' AND (batch_id IN (NEW.batch_id, OLD.batch_id)
    OR transaction_id IN (to_jsonb(NEW) ->> 'transaction_id', to_jsonb(OLD) ->> 'transaction_id'));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.note_changed_facts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT DISTINCT c.network_name, c.transaction_id FROM changed AS c JOIN before AS b USING (id)
  WHERE to_jsonb(c) - '{changed_at,confirmed_at,deposit_id,settled_as}'::text[]
      IS DISTINCT FROM to_jsonb(b) - '{changed_at,confirmed_at,deposit_id,settled_as}'::text[];
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.note_coins_of_spendings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT network_name, transaction_id FROM spendings
  WHERE id IN (SELECT spending_id FROM changed) AND state = 'CONFIRMED';
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.note_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT network_name, transaction_id FROM spendings
  WHERE ((network_name, transaction_id) IN ((NEW.sent_network, NEW.sent_evidence), (OLD.sent_network, OLD.sent_evidence))
      OR transaction_id IN (SELECT transaction_id FROM batch_payouts WHERE withdrawal_id = NEW.id))
    AND state = 'CONFIRMED';
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.note_new_facts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO coin_facts_due (network_name, transaction_id)
  SELECT DISTINCT network_name, transaction_id FROM changed;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.number_withdrawals(owners uuid[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(7031994, number)
  FROM (SELECT DISTINCT hashtext((accounts_of(owner))[1]::text) AS number FROM unnest(owners) AS owner ORDER BY 1) AS asking;
  RETURN ARRAY(
    SELECT waiting.count + row_number() OVER (PARTITION BY own[1] ORDER BY at)
    FROM unnest(owners) WITH ORDINALITY AS o (owner, at)
    CROSS JOIN LATERAL (SELECT accounts_of(owner) AS own OFFSET 0) AS person
    CROSS JOIN LATERAL (
      SELECT count(*) FROM transactions
      WHERE user_id = ANY (own) AND type = 'withdrawal' AND (status = 'PENDING' OR status = 'APPROVED' AND outgoing)
    ) AS waiting
    ORDER BY at);
END $function$
;

CREATE OR REPLACE FUNCTION public.numbered_requests(owners uuid[], wanted text[])
 RETURNS TABLE(at bigint, owner uuid, network text, number bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT o.at, o.owner, o.network, open.deposits + row_number() OVER (PARTITION BY o.owner ORDER BY o.at)
  FROM unnest(owners, wanted) WITH ORDINALITY AS o (owner, network, at)
  CROSS JOIN LATERAL (
    SELECT count(*) AS deposits FROM transactions WHERE user_id = o.owner AND type = 'deposit' AND status = 'PENDING' AND NOT unannounced
  ) AS open
$function$
;

CREATE OR REPLACE FUNCTION public.owed_before_capital()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT ((SELECT coalesce(sum(balance), 0) FROM accounts WHERE kind IN ('held', 'invested', 'committed', 'outgoing')
      OR kind = 'available' AND (NOT EXISTS (SELECT FROM wind_downs AS w WHERE called_off_at IS NULL AND claims_until(w) <= now())
        OR EXISTS (SELECT FROM pauses WHERE name = 'withdrawals' AND paused_at IS NOT NULL)))
    + (SELECT coalesce(sum(open), 0) FROM claims)
    + (SELECT coalesce(sum(outstanding - (principal - from_investors) * outstanding / principal), 0) FROM loans WHERE from_investors > 0 AND outstanding > 0)
    + (SELECT coalesce(sum(principal), 0) FROM loans WHERE status = 'SENDING')
    + (SELECT coalesce(sum(lost), 0) FROM loan_write_offs)
    - (SELECT coalesce(sum(amount), 0) FROM loss_covers) - (SELECT coalesce(sum(amount), 0) FROM loss_sharings))::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.pay_matured(payouts uuid[], legs json, OUT matured integer, OUT paid bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  pool       CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
  pools      CONSTANT text[] := ARRAY(SELECT kind FROM accounts WHERE owner_id = pool);
  ids        uuid[];
  owners     uuid[];
  principals bigint[];
  interests  bigint[];
  posted     integer;
BEGIN
  SELECT array_agg(id), array_agg(user_id), array_agg(amount - borne), array_agg(interest), count(*), coalesce(sum(amount - borne + interest), 0)
  INTO ids, owners, principals, interests, matured, paid FROM (
    SELECT id, user_id, amount, borne, interest FROM transactions WHERE investment_status = 'ACTIVE' AND matures_at <= now()
    ORDER BY matures_at, id LIMIT cardinality(payouts) FOR NO KEY UPDATE SKIP LOCKED
  ) AS due;
  IF matured = 0 THEN RETURN; END IF;

  UPDATE transactions SET investment_status = 'COMPLETED', updated_at = now() WHERE id = ANY (ids);

  INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
  SELECT payouts[at], owner, 'payout', principal + interest, 'COMPLETED', id, now(), now()
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at)
  WHERE principal + interest > 0;

  PERFORM FROM (
    SELECT DISTINCT CASE WHEN kind = ANY (pools) THEN pool ELSE owner END AS owner_id, kind
    FROM unnest(owners) AS owner CROSS JOIN (
      SELECT "from" FROM json_to_recordset(legs) AS leg ("from" text) UNION SELECT "to" FROM json_to_recordset(legs) AS leg ("to" text)
    ) AS side (kind)
  ) AS named JOIN accounts AS a USING (owner_id, kind) ORDER BY a.id FOR NO KEY UPDATE OF a;

  INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest)
  SELECT due.id, 'investment_matured', CASE WHEN principal > 0 THEN source.id ELSE interest_source.id END,
    CASE WHEN principal > 0 THEN target.id ELSE interest_target.id END, CASE WHEN principal > 0 THEN principal ELSE interest END,
    CASE WHEN least(principal, interest) > 0 THEN interest_source.id END, CASE WHEN least(principal, interest) > 0 THEN interest_target.id END,
    CASE WHEN least(principal, interest) > 0 THEN interest END
  FROM unnest(ids, owners, principals, interests) AS due (id, owner, principal, interest)
  CROSS JOIN (SELECT legs -> 0 ->> 'from', legs -> 0 ->> 'to', legs -> 1 ->> 'from', legs -> 1 ->> 'to') AS leg (from_kind, to_kind, interest_from_kind, interest_to_kind)
  JOIN accounts AS source ON source.kind = from_kind AND source.owner_id = CASE WHEN from_kind = ANY (pools) THEN pool ELSE owner END
  JOIN accounts AS target ON target.kind = to_kind AND target.owner_id = CASE WHEN to_kind = ANY (pools) THEN pool ELSE owner END
  JOIN accounts AS interest_source ON interest_source.kind = interest_from_kind AND interest_source.owner_id = CASE WHEN interest_from_kind = ANY (pools) THEN pool ELSE owner END
  JOIN accounts AS interest_target ON interest_target.kind = interest_to_kind AND interest_target.owner_id = CASE WHEN interest_to_kind = ANY (pools) THEN pool ELSE owner END
  WHERE principal + interest > 0;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted <> (SELECT count(*) FROM unnest(principals, interests) AS due (principal, interest) WHERE principal + interest > 0) THEN
    RAISE EXCEPTION 'an investment has an owner without accounts' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'payouts_have_accounts';
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.payee_of(transaction transactions)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT CASE
    WHEN transaction.type <> 'withdrawal' THEN ''
    WHEN transaction.destination_address <> 'Default Address' THEN transaction.destination_address
    ELSE coalesce((
      SELECT address FROM payout_addresses WHERE user_id = transaction.user_id AND usable_from <= now()
      ORDER BY created_at DESC, id DESC LIMIT 1), transaction.destination_address)
  END
$function$
;

CREATE OR REPLACE FUNCTION public.payees_of(batch uuid)
 RETURNS TABLE(user_id uuid, first_due_on date)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(t.user_id, b.user_id), l.first_due_on
  FROM batch_payouts AS p LEFT JOIN transactions AS t ON t.id = p.withdrawal_id
    LEFT JOIN loan_sendings AS s ON s.id = p.sending_id LEFT JOIN loans AS l ON l.id = s.loan_id LEFT JOIN borrowers AS b ON b.id = l.borrower_id
  WHERE p.batch_id = batch
$function$
;

CREATE OR REPLACE FUNCTION public.pays_person(batch uuid, account uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT EXISTS (SELECT FROM payees_of(batch) WHERE user_id = ANY ((SELECT accounts_of(account))::uuid[]))
$function$
;

CREATE OR REPLACE FUNCTION public.queue_for_sealing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO audit_unsealed (entry_id) SELECT id FROM written;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.recount_tallies()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  LOCK TABLE transactions, users, wallets, loans, audit_entries, accounts, tallies IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM tallies;
  PERFORM tally(ARRAY(SELECT (noun, day, kind, status, rows, cents, interest)::tally_change FROM recounted));
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_batched()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
    WHERE NEW.id IN (p.withdrawal_id, p.sending_id)
      AND (p.is_open AND b.state IN ('WAITING', 'READY') OR p.sending_id IS NOT NULL AND p.transaction_id IS NOT NULL)) THEN
    RAISE EXCEPTION '% is in a batch', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, coalesce(pg_partition_root(TG_RELID)::text, TG_TABLE_NAME) USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_unless_closed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM users WHERE id = OLD.user_id AND closed_at IS NOT NULL) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_unless_unproven()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.usable_from > now() OR EXISTS (SELECT FROM users WHERE id = OLD.user_id AND (closed_at IS NOT NULL OR email_confirmed_at IS NULL)) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_future()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  moment timestamptz;
BEGIN
  -- A day begins in UTC, in a session of any zone.
  EXECUTE format('SELECT to_timestamp(extract(epoch FROM ($1).%I))', TG_ARGV[0]) INTO moment USING NEW;
  -- A demonstration has its own clock, which now() tells.
  IF moment > greatest(now(), clock_timestamp()) + interval '1 hour' THEN
    RAISE EXCEPTION '% of % is in the future', TG_ARGV[0], TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = 'moments_have_come';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_own_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM own_addresses WHERE network_name = NEW.network_name AND lower(address) = lower(NEW.address)) THEN
    RAISE EXCEPTION 'wallet % is an own address of the pool', NEW.address USING ERRCODE = 'unique_violation', CONSTRAINT = 'wallets_address_key';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_while_winding_down()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM current_wind_down()) THEN
    RAISE EXCEPTION 'the pool winds down, so no loan is paid out' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.repayments_to_confirm()
 RETURNS SETOF loan_repayments
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r.* FROM loan_repayments AS r JOIN wind_downs AS w ON r.created_at >= w.created_at - interval '30 days'
  WHERE NOT r.reversed AND w.called_off_at IS NULL
$function$
;

CREATE OR REPLACE FUNCTION public.require_agreed_skip()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.id = NEW.id AND p.kind = 'SKIP_BLOCKS' AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND p.payload ->> 'networkName' = NEW.network_name
      AND (p.payload ->> 'from')::bigint = NEW.from_height AND (p.payload ->> 'to')::bigint = NEW.to_height) THEN
    RAISE EXCEPTION 'the skip % takes two super admins', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_another()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  others uuid[] := array_remove(accounts_of(NEW.user_id), NEW.user_id);
BEGIN
  IF NEW.decided_by IS DISTINCT FROM OLD.decided_by AND NEW.decided_by = ANY (others)
    OR NEW.sent_by IS DISTINCT FROM OLD.sent_by AND NEW.sent_by = ANY (others)
    OR NEW.completed_by IS DISTINCT FROM OLD.completed_by AND NEW.completed_by = ANY (others) THEN
    RAISE EXCEPTION 'transaction % is decided about by another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_approvals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF (SELECT count(DISTINCT coalesce(s.person, approved_by))
      FROM approvals LEFT JOIN same_people() AS s ON s.account = approved_by
      WHERE transaction_id = NEW.id AND approved_by <> ALL (accounts_of(NEW.user_id)) AND payee_address = coalesce(NEW.payee_address, '')
        AND coalesce(amount, NEW.requested_amount, NEW.amount) = NEW.amount) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'transaction % needs % approvals', NEW.id, NEW.approvals_needed USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_fees()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  odd uuid := (
    SELECT p.reference_id FROM (
      SELECT reference_id, name = 'withdrawal_held' OR name = 'withdrawal_fee_borne' AS begins,
        count(*) FILTER (WHERE name NOT LIKE '%_fee_%') AS moves, coalesce(sum(amount) FILTER (WHERE name LIKE '%_fee_%'), 0) AS fee
      FROM posted
      WHERE name IN ('withdrawal_held', 'withdrawal_released', 'withdrawal_returned', 'withdrawal_fee_borne', 'withdrawal_fee_returned')
      GROUP BY 1, 2
    ) AS p LEFT JOIN transactions AS t ON t.id = p.reference_id
    WHERE p.fee <> coalesce(t.fee, 0) OR p.moves <> 1 LIMIT 1);
BEGIN
  IF odd IS NOT NULL THEN
    RAISE EXCEPTION 'withdrawal % moves without the share of its fee', odd USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_limits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    WITH fresh AS (
      SELECT come.* FROM come JOIN gone USING (id)
      WHERE gone.status = 'PENDING' AND come.status NOT IN ('PENDING', 'REJECTED', 'EXPIRED') AND come.approvals_needed = 1
    ), marked AS (
      SELECT come.completed_by, come.user_id FROM come JOIN gone USING (id)
      WHERE gone.completed_by IS NULL AND come.completed_by IS NOT NULL AND come.outgoing
    ), alone AS MATERIALIZED (SELECT * FROM decided_alone() WHERE EXISTS (SELECT FROM fresh UNION ALL SELECT FROM marked))
    SELECT FROM approval_limits AS l CROSS JOIN LATERAL (
      SELECT sum(amount), l.per_pool FROM alone WHERE investor IS NOT NULL
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY approver HAVING approver IN (
        SELECT coalesce(s.person, decided_by) FROM fresh LEFT JOIN same_people() AS s ON s.account = decided_by
        UNION ALL SELECT coalesce(s.person, completed_by) FROM marked LEFT JOIN same_people() AS s ON s.account = completed_by)
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY investor HAVING investor IN (SELECT user_id FROM fresh UNION ALL SELECT user_id FROM marked)
    ) AS s (total, most) WHERE s.total > s.most
    UNION ALL SELECT FROM fresh WHERE updated_at <> now() OR (decided_by IS NULL) <> (ending = 'automatic')
  ) THEN
    RAISE EXCEPTION 'one person may not decide about that much alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_lone_limits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (
    WITH fresh AS (
      SELECT f.*, r.loan_id, r.value_on, r.reference, l.borrower_id
      FROM (SELECT (c ->> 'agreed_id')::uuid AS agreed_id, coalesce(c ->> 'repayment_id', c ->> 'id')::uuid AS repayment_id, c ? 'repayment_id' AS reverses,
          coalesce(c ->> 'recorded_by', c ->> 'reversed_by')::uuid AS by, (c ->> 'created_at')::timestamptz AS created_at,
          (c ->> 'principal')::bigint + (c ->> 'interest')::bigint + (c ->> 'recovered')::bigint AS amount, (c ->> 'recovered')::bigint > 0 AS recovers
        FROM (SELECT to_jsonb(come) AS c FROM come) AS rows) AS f
      JOIN loan_repayments AS r ON r.id = f.repayment_id JOIN loans AS l ON l.id = r.loan_id
      -- Recoveries take two by a trigger of their own.
      WHERE f.reverses OR NOT f.recovers
    ), single AS (SELECT * FROM fresh WHERE agreed_id IS NULL),
    alone AS MATERIALIZED (SELECT * FROM decided_alone() WHERE EXISTS (SELECT FROM single))
    SELECT FROM approval_limits AS l CROSS JOIN LATERAL (
      SELECT sum(amount), l.per_pool FROM alone WHERE investor IS NOT NULL
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY approver HAVING approver IN (
        SELECT coalesce(s.person, by) FROM single LEFT JOIN same_people() AS s ON s.account = by)
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY investor HAVING investor IN (SELECT borrower_id FROM single)
    ) AS s (total, most) WHERE s.total > s.most
    UNION ALL SELECT FROM single WHERE created_at <> now() OR value_on < (now() AT TIME ZONE 'UTC')::date - 3
    UNION ALL SELECT FROM fresh AS f WHERE f.agreed_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM proposals AS p WHERE p.id = f.agreed_id AND p.status = 'DONE' AND NOT p.alone AND NOT is_same_person(p.asked_by, p.decided_by)
        AND CASE WHEN f.reverses THEN p.kind = 'REVERSE_REPAYMENT' AND p.payload ->> 'repaymentId' = f.repayment_id::text
          ELSE p.kind = 'IMPORT_REPAYMENTS' AND EXISTS (SELECT FROM repayment_files WHERE proposal_id = p.id)
            OR p.kind = 'REPAY_LOAN' AND p.subject = f.loan_id::text AND (p.payload ->> 'amount')::numeric * 100 = f.amount
              AND (p.payload ->> 'valueOn', p.payload ->> 'reference') = (f.value_on::text, f.reference) END)
  ) THEN
    RAISE EXCEPTION 'one person may not change that much of loans alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_movement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM movements WHERE reference_id = NEW.id
      AND name = CASE NEW.status WHEN 'COMPLETED' THEN 'withdrawal_completed' ELSE 'withdrawal_returned' END) THEN
    RAISE EXCEPTION 'withdrawal % is % without its movement', NEW.id, NEW.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_open_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM users WHERE id = NEW.user_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND AND EXISTS (SELECT FROM users WHERE id = NEW.user_id) THEN
    RAISE EXCEPTION 'the account is closed' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'accounts_are_open';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_opposite()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM coin_movements AS m WHERE m.id = NEW.takes_back AND m.takes_back IS NULL
      AND (m.network_name, m.asset, m.decimals, m.from_account, m.to_account, m.units, m.height, m.cause, m.cause_id)
        = (NEW.network_name, NEW.asset, NEW.decimals, NEW.to_account, NEW.from_account, NEW.units, NEW.height, NEW.cause, NEW.cause_id)) THEN
    RAISE EXCEPTION 'coin movement % is not the opposite of %', NEW.id, NEW.takes_back USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_others()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF is_same_person(NEW.user_id, (to_jsonb(NEW) ->> TG_ARGV[0])::uuid) THEN
    RAISE EXCEPTION 'proposal % takes another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_payable()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  batch batches;
BEGIN
  SELECT * INTO batch FROM batches WHERE id = NEW.batch_id;
  IF NEW.withdrawal_id IS NOT NULL THEN
    PERFORM FROM transactions WHERE id = NEW.withdrawal_id AND type = 'withdrawal' AND status = 'APPROVED' AND outgoing
      AND payee_address = NEW.address AND NOT is_same_person(user_id, batch.made_by) FOR NO KEY UPDATE;
  ELSE
    PERFORM FROM loan_sendings AS s WHERE id = NEW.sending_id AND status = 'OPEN' AND address = NEW.address
      AND EXISTS (SELECT FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE l.id = s.loan_id AND l.status = 'SENDING'
        AND (b.user_id IS NULL OR NOT is_same_person(b.user_id, batch.made_by)))
      AND network_name = batch.network_name FOR NO KEY UPDATE;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is not to be paid to %', coalesce(NEW.withdrawal_id, NEW.sending_id), NEW.address USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_payout()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id
      JOIN spendings AS s ON s.network_name = b.network_name AND s.transaction_id = p.transaction_id
    WHERE p.withdrawal_id = NEW.id AND b.network_name = NEW.sent_network AND p.transaction_id = NEW.sent_evidence
      AND (nullif(p.output, -1) IS NOT DISTINCT FROM NEW.sent_output OR NEW.sent_by IS NOT NULL AND NEW.sent_output IS NULL)
      AND (s.state = 'CONFIRMED' OR s.state = 'SEEN' AND NEW.completed_basis IS NULL))
  AND NOT (NEW.completed_basis IS NOT NULL AND NEW.sent_by IS NOT NULL AND (EXISTS (
    SELECT FROM spendings AS s JOIN sent_coins AS c ON c.spending_id = s.id
    WHERE s.network_name = NEW.sent_network AND s.transaction_id = NEW.sent_evidence AND s.state = 'CONFIRMED'
      AND lower(c.address) = lower(NEW.payee_address) AND c.output = coalesce(NEW.sent_output, c.output) AND mark_pays(s.id, c.output)
  ) OR EXISTS (
    SELECT FROM proposals AS p
    WHERE p.kind = 'COMPLETE_WITHDRAWAL' AND p.subject = NEW.id::text AND p.status = 'DONE' AND NOT p.alone AND NOT is_same_person(p.asked_by, p.decided_by)
      AND p.asked_by <> ALL (accounts_of(NEW.user_id)) AND p.decided_by <> ALL (accounts_of(NEW.user_id))
      AND (p.payload ->> 'networkName', p.payload ->> 'evidence') = (NEW.sent_network, NEW.sent_evidence || coalesce(':' || NEW.sent_output, '')))))
  THEN
    RAISE EXCEPTION 'withdrawal % has no payout on the chain', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_return()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals WHERE id = NEW.return_id AND kind = 'RETURN_WITHDRAWAL' AND subject = NEW.id::text
      AND status = 'DONE' AND NOT alone AND NEW.user_id NOT IN (asked_by, decided_by)) THEN
    RAISE EXCEPTION 'withdrawal % is given back by two people', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_second_payer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF is_same_person(NEW.made_by, NEW.approved_by) OR pays_person(NEW.id, NEW.approved_by) THEN
    RAISE EXCEPTION 'the batch % takes another person', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_settlement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  by_two boolean;
BEGIN
  IF TG_TABLE_NAME = 'spendings' THEN
    by_two := EXISTS (
      SELECT FROM proposals WHERE id = NEW.settlement_id AND kind = 'SETTLE_SPENDING' AND status = 'DONE' AND NOT alone
        AND subject = NEW.network_name || ' ' || NEW.transaction_id);
  ELSE
    by_two := EXISTS (SELECT FROM spendings WHERE id = NEW.spending_id AND settlement_id IS NOT NULL);
  END IF;
  IF NOT by_two THEN
    RAISE EXCEPTION 'row % of % is settled by two people', NEW.id, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_two_for_cover()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.id = NEW.id AND p.kind = 'COVER_LOSS' AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND (p.payload ->> 'amount')::numeric * 100 = NEW.amount
      AND is_open_loss((p.payload ->> 'lossId')::uuid)) THEN
    RAISE EXCEPTION 'the cover % of a loss takes two super admins', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_two_for_loan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  loan uuid := CASE TG_TABLE_NAME WHEN 'loans' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'loan_id')::uuid END;
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.kind = TG_ARGV[0] AND p.subject = loan::text AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND (TG_TABLE_NAME = 'loans' OR p.id = (to_jsonb(NEW) ->> coalesce(TG_ARGV[1], 'id'))::uuid)
      AND (TG_TABLE_NAME <> 'loan_repayments' OR (p.payload ->> 'amount')::numeric * 100 = (to_jsonb(NEW) ->> 'recovered')::numeric)
      AND (TG_ARGV[0] <> 'SEND_LOAN' OR TG_TABLE_NAME <> 'loan_sendings'
        OR (p.payload ->> 'networkName', p.payload ->> 'address') = (to_jsonb(NEW) ->> 'network_name', to_jsonb(NEW) ->> 'address')
          AND EXISTS (SELECT FROM loans AS l WHERE l.id = loan AND l.status = 'SENDING'))
      AND NOT EXISTS (
        SELECT FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id
        WHERE l.id = loan AND b.user_id IS NOT NULL AND CASE
          -- Its coins are gone, and roles may have changed since its money was reserved.
          WHEN TG_TABLE_NAME = 'loan_disbursements' AND TG_ARGV[0] = 'SEND_LOAN' THEN b.user_id IN (p.asked_by, p.decided_by)
          ELSE is_same_person(b.user_id, p.asked_by) OR is_same_person(b.user_id, p.decided_by) END)) THEN
    RAISE EXCEPTION 'loan % takes two people', loan USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_two_for_plan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.starts_at < now() OR NOT EXISTS (
    SELECT FROM proposals AS p, jsonb_to_record(p.payload)
      AS terms ("durationDays" integer, "rateBasisPoints" integer, least numeric, most numeric, capacity numeric, "isOpen" boolean, "startsAt" timestamptz)
    WHERE p.id = NEW.id AND p.kind = 'PLAN' AND p.status = 'DONE' AND p.decided_at = now() AND p.decided_by <> p.asked_by
      AND (terms."durationDays", terms."rateBasisPoints", terms.least * 100, terms.most * 100, terms.capacity * 100, terms."isOpen", terms."startsAt")
        IS NOT DISTINCT FROM (NEW.duration_days, NEW.rate_basis_points, NEW.least::numeric, NEW.most::numeric, NEW.capacity::numeric, NEW.is_open, NEW.starts_at)) THEN
    RAISE EXCEPTION 'plan % is not one that two people agreed on', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_two_for_share()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM proposals AS p
    WHERE p.id = NEW.id AND p.kind = 'SHARE_LOSS' AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by
      AND (p.payload ->> 'amount')::numeric * 100 = NEW.amount
      AND is_open_loss((p.payload ->> 'lossId')::uuid)
      AND CASE TG_TABLE_NAME
        WHEN 'loss_announcements' THEN p.payload ->> 'lossId' = to_jsonb(NEW) ->> 'loss_id'
        ELSE EXISTS (SELECT FROM loss_announcements WHERE id = p.id AND counts_at <= now()) END) THEN
    RAISE EXCEPTION 'the sharing % of a loss takes two super admins and its notice', NEW.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_two_for_wind_down()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  asked uuid := NEW.id;
  wanted text := 'WIND_DOWN';
  agreed proposals;
BEGIN
  IF TG_TABLE_NAME = 'capital_withdrawals' THEN wanted := 'WITHDRAW_CAPITAL';
  ELSIF TG_OP = 'UPDATE' THEN
    wanted := 'END_WIND_DOWN';
    asked := NEW.called_off_id;
  END IF;
  SELECT * INTO agreed FROM proposals AS p
  WHERE p.id = asked AND p.kind = wanted AND p.status = 'DONE' AND NOT p.alone AND p.decided_by <> p.asked_by;
  IF agreed.id IS NULL THEN
    RAISE EXCEPTION '% % takes two super admins', wanted, asked USING ERRCODE = 'restrict_violation';
  END IF;
  IF wanted = 'WITHDRAW_CAPITAL' THEN
    IF (agreed.payload ->> 'amount')::numeric * 100 <> (to_jsonb(NEW) ->> 'amount')::bigint
      OR NOT EXISTS (SELECT FROM current_wind_down() WHERE created_at <= agreed.decided_at)
      OR owed_before_capital() <> 0 OR NOT confirms_repayments(agreed.payload) THEN
      RAISE EXCEPTION 'capital leaves last, and this sum was not agreed or is not free' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF wanted = 'END_WIND_DOWN' AND EXISTS (SELECT FROM capital_withdrawals WHERE created_at >= OLD.created_at) THEN
    RAISE EXCEPTION 'a wind-down goes on once capital has left' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_whole()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  fault text := (
    SELECT CASE
      WHEN type IN ('investment', 'payout', 'reversal', 'loss', 'recovery') AND status <> 'COMPLETED' THEN 'needs nobody''s decision'
      WHEN num_nonnulls(rate_basis_points, interest, duration_days, matures_at, investment_status)
        <> CASE type WHEN 'investment' THEN 5 ELSE 0 END THEN 'is an investment in part'
      WHEN num_nonnulls(sent_by, sent_basis) > 1 OR num_nonnulls(sent_at, coalesce(sent_by::text, sent_basis), sent_network, sent_evidence)
        <> CASE WHEN type = 'withdrawal' AND (status IN ('PROCESSING', 'COMPLETED') OR status = 'RETURNED' AND sent_at IS NOT NULL) THEN 4 ELSE 0 END THEN 'is sent in part'
      WHEN num_nonnulls(completed_by, completed_basis) > 1 OR num_nonnulls(completed_at, coalesce(completed_by::text, completed_basis))
        <> CASE WHEN type = 'withdrawal' AND status = 'COMPLETED' THEN 2 ELSE 0 END THEN 'is completed in part'
      WHEN num_nonnulls(returned_at, return_id) <> CASE WHEN status = 'RETURNED' THEN 2 ELSE 0 END THEN 'is given back in part'
      WHEN status = 'RETURNED' AND NOT outgoing OR outgoing AND (type <> 'withdrawal' OR status NOT IN ('APPROVED', 'PROCESSING', 'COMPLETED', 'RETURNED'))
        THEN 'is on its way without an approval'
      WHEN evidence_output = -1 OR sent_output = -1 OR evidence_output IS NOT NULL AND evidence IS NULL OR sent_output IS NOT NULL AND sent_evidence IS NULL
        THEN 'has an output of no transaction'
      WHEN unannounced AND (type <> 'deposit' OR evidence IS NULL) THEN 'is unannounced without its payment'
      WHEN requested_amount <= 0 OR requested_amount = amount OR requested_amount IS NOT NULL AND (type, status) NOT IN (('deposit', 'APPROVED'), ('deposit', 'REVERSED'))
        THEN 'has a requested amount that is not another'
      WHEN status = 'REVERSED' AND type <> 'deposit' THEN 'is taken back and no deposit'
      WHEN (type = 'reversal') <> (claim_id IS NOT NULL) THEN 'is a reversal in part'
      WHEN (type IN ('loss', 'recovery')) <> (sharing_id IS NOT NULL) OR (type = 'recovery') <> (repayment_id IS NOT NULL) THEN 'is of a loss in part'
      WHEN fee < 0 OR fee <> 0 AND type <> 'withdrawal' THEN 'bears a fee of no withdrawal'
      WHEN borne <> 0 AND (type <> 'investment' OR borne < 0 OR borne > amount) THEN 'bears what it does not have'
      WHEN (ending = 'automatic') IS DISTINCT FROM (basis IS NOT NULL) AND num_nonnulls(ending, basis) > 0 OR ending = 'automatic' AND type <> 'deposit'
        THEN 'is decided by the product without a basis'
      WHEN TG_OP = 'INSERT' AND (SELECT id FROM users WHERE id = user_id AND closed_at IS NULL) IS NULL
        THEN 'names a user that does not exist or closed the account'
      WHEN TG_OP = 'INSERT' AND investment_id IS NOT NULL
        AND (SELECT user_id FROM investments WHERE id = come.investment_id) IS DISTINCT FROM user_id
        THEN 'names an investment that its owner does not have'
      WHEN TG_OP = 'INSERT' AND claim_id IS NOT NULL
        AND (SELECT user_id FROM claims WHERE deposit_id = claim_id) IS DISTINCT FROM come.user_id
        THEN 'names a claim that its owner does not have'
      END AS fault
    FROM come ORDER BY fault LIMIT 1);
BEGIN
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION '% row %', TG_TABLE_NAME, fault
      USING ERRCODE = CASE WHEN fault LIKE 'names %' THEN 'foreign_key_violation' ELSE 'check_violation' END;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.return_loss()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  sharing  CONSTANT uuid := (
    SELECT b.sharing_id FROM loan_write_offs AS w JOIN losses_borne AS b ON b.write_off_id = w.id WHERE w.loan_id = NEW.loan_id);
  wanted   CONSTANT bigint := NEW.recovered - NEW.kept;
  returned bigint;
BEGIN
  PERFORM FROM (SELECT DISTINCT user_id FROM bearers_of(sharing)) AS owner
  JOIN accounts AS a ON a.owner_id = owner.user_id AND a.kind = 'available' ORDER BY a.id FOR NO KEY UPDATE OF a;

  WITH owners AS MATERIALIZED (
    SELECT user_id, cents, sum(cents) OVER () AS of_all FROM bearers_of(sharing) WHERE cents > 0
  ), shares AS MATERIALIZED (
    SELECT user_id, least + CASE WHEN row_number() OVER (ORDER BY rest DESC, user_id) <= wanted - sum(least) OVER () THEN 1 ELSE 0 END AS share
    FROM (SELECT user_id, div(wanted * cents::numeric, of_all) AS least, mod(wanted * cents::numeric, of_all) AS rest FROM owners) AS parts
  ), told AS (
    INSERT INTO transactions (id, user_id, type, amount, status, sharing_id, repayment_id, created_at, updated_at)
    SELECT new_id(), user_id, 'recovery', share, 'COMPLETED', sharing, NEW.id, now(), now() FROM shares WHERE share > 0
    RETURNING id, user_id, amount
  ), moved AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
    SELECT told.id, 'loss_returned', custody.id, own.id, told.amount
    FROM told JOIN accounts AS own ON own.owner_id = told.user_id AND own.kind = 'available'
    JOIN accounts AS custody ON custody.owner_id = '00000000-0000-0000-0000-000000000000' AND custody.kind = 'custody'
    RETURNING amount
  )
  SELECT sum(amount) INTO returned FROM moved;
  IF returned IS DISTINCT FROM wanted THEN
    RAISE EXCEPTION 'of the recovery % went % of % cents to those who bore the loss', NEW.id, returned, wanted USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.same_people()
 RETURNS TABLE(account uuid, person uuid)
 LANGUAGE sql
 STABLE
AS $function$
  WITH RECURSIVE let_in AS MATERIALIZED (
    SELECT user_id, alone_by FROM user_roles WHERE alone_by IS NOT NULL AND granted_at > now() - interval '24 hours'
  ), linked (a, b) AS (
    SELECT user_id, alone_by FROM let_in UNION SELECT alone_by, user_id FROM let_in
  ), same (account, other) AS (
    SELECT a, a FROM linked
    UNION
    SELECT same.account, linked.b FROM same JOIN linked ON linked.a = same.other
  )
  SELECT account, (array_agg(other ORDER BY other))[1] FROM same GROUP BY account
$function$
;

CREATE OR REPLACE FUNCTION public.session_may_act(hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7031987);
  RETURN EXISTS (
    SELECT FROM sessions AS s JOIN users AS u ON u.id = s.user_id
    WHERE s.token_hash = hash AND u.suspended_at IS NULL AND is_living(s));
END $function$
;

CREATE OR REPLACE FUNCTION public.share_loss()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  shared bigint;
BEGIN
  -- Maturities under way end first; others wait. A statement without a parameter would keep its
  -- plan from when the tables were small.
  PERFORM FROM transactions WHERE investment_status = 'ACTIVE' AND NEW.amount > 0
  ORDER BY id FOR NO KEY UPDATE;
  PERFORM FROM (SELECT DISTINCT user_id FROM transactions WHERE investment_status = 'ACTIVE' AND NEW.amount > 0) AS owner
  JOIN accounts AS a ON a.owner_id = owner.user_id AND a.kind = 'invested' ORDER BY a.id FOR NO KEY UPDATE OF a;

  -- Windows alone: a join of these rows that is planned on empty tables compares each with all.
  WITH works AS (
    SELECT id, user_id, cents, own, div(NEW.amount * own, of_all) AS least, mod(NEW.amount * own, of_all) AS rest,
      row_number() OVER (PARTITION BY user_id ORDER BY id) = 1 AS is_first
    FROM (
      SELECT id, user_id, (amount - borne)::numeric AS cents, sum(amount - borne) OVER (PARTITION BY user_id) AS own, sum(amount - borne) OVER () AS of_all
      FROM transactions WHERE investment_status = 'ACTIVE' AND amount > borne
    ) AS active
  ), shares AS (
    SELECT id, user_id, is_first, cents, own,
      least + CASE WHEN dense_rank() OVER (ORDER BY rest DESC, user_id) <= NEW.amount - sum(least) FILTER (WHERE is_first) OVER () THEN 1 ELSE 0 END AS share
    FROM works
  ), parts AS MATERIALIZED (
    SELECT id, user_id, is_first, share::bigint,
      (least + CASE WHEN row_number() OVER (PARTITION BY user_id ORDER BY rest DESC, id) <= share - sum(least) OVER (PARTITION BY user_id) THEN 1 ELSE 0 END)::bigint AS part
    FROM (SELECT *, div(share * cents, own) AS least, mod(share * cents, own) AS rest FROM shares) AS each
  ), borne AS (
    UPDATE transactions AS t SET borne = t.borne + part FROM parts WHERE t.id = parts.id AND part > 0
  ), told AS (
    INSERT INTO transactions (id, user_id, type, amount, status, sharing_id, created_at, updated_at)
    SELECT new_id(), user_id, 'loss', share, 'COMPLETED', NEW.id, now(), now() FROM parts WHERE is_first AND share > 0
    RETURNING id, user_id, amount
  ), moved AS (
    INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount)
    SELECT told.id, 'loss_shared', own.id, loss.id, told.amount
    FROM told JOIN accounts AS own ON own.owner_id = told.user_id AND own.kind = 'invested'
    JOIN accounts AS loss ON loss.owner_id = '00000000-0000-0000-0000-000000000000' AND loss.kind = 'loss'
    RETURNING amount
  )
  SELECT sum(amount) INTO shared FROM moved;
  IF shared IS DISTINCT FROM NEW.amount THEN
    RAISE EXCEPTION 'the sharing % took % of % cents', NEW.id, shared, NEW.amount USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.sign_in_not_made(pair bytea, username bytea, ip bytea, wider bytea)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM lock_sign_in(ARRAY[username, ip, wider]);
  UPDATE login_throttles SET failures = greatest(failures - 1, 0), last_at = last_at - interval '1 hour'
  WHERE key = ANY (counted_of(pair, username, ip, wider));
END $function$
;

CREATE OR REPLACE FUNCTION public.sign_in_succeeded(pair bytea, username bytea, ip bytea, wider bytea)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM lock_sign_in(ARRAY[username, ip, wider]);
  UPDATE login_throttles SET failures = greatest(failures - 1, 0)
  WHERE key = ANY (counted_of(pair, username, ip, wider)) AND key <> pair;
  INSERT INTO login_throttles (key, failures, last_at, succeeded_at) VALUES (pair, 0, clock_timestamp(), clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = 0, last_at = excluded.last_at, succeeded_at = excluded.succeeded_at;
END $function$
;

CREATE OR REPLACE FUNCTION public.take_wallet(investor uuid, network text)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
BEGIN
  UPDATE wallets SET owner_id = investor, used_at = clock_timestamp(), updated_at = now()
  WHERE id = (
    SELECT id FROM wallets AS free
    WHERE owner_id IS NULL AND proposal_id IS NULL AND (network IS NULL OR network_name = network) AND NOT EXISTS (
      SELECT FROM wallets AS same JOIN wallets AS own ON own.owner_id = investor AND own.archived_at IS NULL AND own.network_name = same.network_name
      WHERE lower(same.address) = lower(free.address))
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED);
END $function$
;

CREATE OR REPLACE FUNCTION public.tally(changes tally_change[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  free integer := 0;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock(7031989, free) LOOP free := free + 1; END LOOP;
  INSERT INTO tallies AS t (noun, day, kind, status, slot, rows, cents, interest)
  SELECT noun, each.day, kind, status, free, sum(rows), sum(cents), sum(interest)
  FROM unnest(changes) AS change CROSS JOIN LATERAL (VALUES (change.day), ('-infinity')) AS each (day)
  GROUP BY noun, each.day, kind, status
  HAVING (sum(rows), sum(cents), sum(interest)) <> (0, 0, 0)
  ON CONFLICT (noun, day, kind, status, slot) DO UPDATE
    SET rows = t.rows + excluded.rows, cents = t.cents + excluded.cents, interest = t.interest + excluded.interest;
END $function$
;

CREATE OR REPLACE FUNCTION public.tally_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tally(ARRAY(SELECT ('audit', utc_day(created_at), action, '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at), action));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tally_loans()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('loans', utc_day(created_at), '', status, count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at), status);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(SELECT ('loans', utc_day(created_at), '', status, -count(*), 0, 0)::tally_change FROM gone GROUP BY utc_day(created_at), status);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tally_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  changes tally_change[] := ARRAY(
    SELECT change FROM (
      SELECT utc_day(created_at) AS began, utc_day(updated_at) AS changed, type, status, investment_status, duration_days::text AS days,
        count(*) AS rows, sum(amount) AS cents, sum(amount - borne) AS remains, sum(interest) AS interest,
        count(*) FILTER (WHERE fee > 0) AS bearing, sum(fee) AS fees
      FROM come GROUP BY utc_day(created_at), utc_day(updated_at), type, status, investment_status, duration_days
    ) AS alike CROSS JOIN LATERAL (VALUES
      (('transactions', began, type, status, rows, cents, 0)::tally_change, true),
      (('investments', began, days, investment_status, rows, remains, interest)::tally_change, type = 'investment'),
      (('fees', began, '', status, bearing, fees, 0)::tally_change, bearing <> 0),
      (('decisions', changed, type, 'APPROVED', rows, cents, 0)::tally_change, is_approved(type, status)),
      (('maturities', changed, '', investment_status, rows, remains, interest)::tally_change, investment_status = 'COMPLETED')
    ) AS each (change, counts) WHERE counts);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(
    SELECT change FROM (
      SELECT utc_day(created_at) AS began, utc_day(updated_at) AS changed, type, status, investment_status, duration_days::text AS days,
        -count(*) AS rows, -sum(amount) AS cents, -sum(amount - borne) AS remains, -sum(interest) AS interest,
        -count(*) FILTER (WHERE fee > 0) AS bearing, -sum(fee) AS fees
      FROM gone GROUP BY utc_day(created_at), utc_day(updated_at), type, status, investment_status, duration_days
    ) AS alike CROSS JOIN LATERAL (VALUES
      (('transactions', began, type, status, rows, cents, 0)::tally_change, true),
      (('investments', began, days, investment_status, rows, remains, interest)::tally_change, type = 'investment'),
      (('fees', began, '', status, bearing, fees, 0)::tally_change, bearing <> 0),
      (('decisions', changed, type, 'APPROVED', rows, cents, 0)::tally_change, is_approved(type, status)),
      (('maturities', changed, '', investment_status, rows, remains, interest)::tally_change, investment_status = 'COMPLETED')
    ) AS each (change, counts) WHERE counts);
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tally_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('users', utc_day(created_at), '', '', count(*), 0, 0)::tally_change FROM come GROUP BY utc_day(created_at));
BEGIN
  IF TG_OP = 'UPDATE' THEN
    changes := changes || ARRAY(SELECT ('users', utc_day(created_at), '', '', -count(*), 0, 0)::tally_change FROM gone GROUP BY utc_day(created_at));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tally_wallets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  changes tally_change[] := '{}';
BEGIN
  IF TG_OP <> 'DELETE' THEN
    changes := ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id), count(*), 0, 0)::tally_change
      FROM come GROUP BY utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id));
  END IF;
  IF TG_OP <> 'INSERT' THEN
    changes := changes || ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id), -count(*), 0, 0)::tally_change
      FROM gone GROUP BY utc_day(created_at), network_name, wallet_status(owner_id, archived_at, proposal_id));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_batches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY['[null,"batch"]']);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_changes(changes text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('changes', '[' || string_agg(change, ',') || ']')
  FROM unnest(changes) WITH ORDINALITY AS each (change, place) GROUP BY (place - 1) / 50
  ORDER BY (place - 1) / 50;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_claims()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    PERFORM tell_changes(ARRAY(
      SELECT '[null,"claim"]' UNION ALL SELECT DISTINCT format('["%s","claim"]', user_id) FROM changed));
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_moved_payouts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY(
    SELECT DISTINCT format('["%s","payment"]', t.user_id) FROM changed JOIN transactions AS t ON t.id = changed.withdrawal_id));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_new_block()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_payments(ARRAY(
    SELECT DISTINCT address FROM payments
    WHERE network_name = NEW.network_name AND state = 'SEEN' AND height IS NOT NULL));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_notice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY[format('["%s","notice"]', to_jsonb(NEW) ->> TG_ARGV[0])]);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_noun()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN PERFORM tell_changes(ARRAY[format('[null,"%s"]', TG_ARGV[0])]); END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_payments(addresses text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF addresses <> '{}' THEN
    PERFORM tell_changes(ARRAY(
      SELECT '[null,"payment"]'
      UNION ALL
      SELECT DISTINCT format('["%s","payment"]', owner_id) FROM wallets
      WHERE lower(address) = ANY (ARRAY(SELECT lower(paid) FROM unnest(addresses) AS paid))
        AND address = ANY (addresses) AND owner_id IS NOT NULL));
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT DISTINCT format('["%s","session"]', user_id) FROM changed));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_spendings(transactions text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF transactions <> '{}' THEN
    PERFORM tell_changes(ARRAY(
      SELECT '[null,"payment"]'
      UNION ALL
      SELECT DISTINCT format('["%s","payment"]', t.user_id) FROM batch_payouts AS p JOIN transactions AS t ON t.id = p.withdrawal_id
      WHERE p.transaction_id = ANY (transactions)));
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_spendings_deeper()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_spendings(ARRAY(
    SELECT transaction_id FROM spendings
    WHERE network_name = NEW.network_name AND state = 'SEEN' AND height IS NOT NULL));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY(
    SELECT format('["%s","transaction","%s","%s","%s",%s]', user_id, id, type, status, amount) FROM changed
    UNION ALL
    SELECT format('["%s","investment","%s","investment","%s",%s]', user_id, id, investment_status, amount) FROM changed WHERE type = 'investment'));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_written_payments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_payments(ARRAY(SELECT DISTINCT address FROM changed));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_written_spendings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_spendings(ARRAY(SELECT DISTINCT transaction_id FROM changed));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.unite_owners()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT FROM come JOIN gone USING (id) WHERE come.owner_id IS DISTINCT FROM gone.owner_id) THEN RETURN NULL; END IF;
  END IF;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'owners of wallets are changed in READ COMMITTED only' USING ERRCODE = 'invalid_transaction_state';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(7031987);
  PERFORM pg_advisory_xact_lock(7031990);
  -- An address that its owner knows need not wait.
  UPDATE wallets SET owner_id = owned.owner_id, archived_at = owned.archived_at, proposal_id = NULL, updated_at = now()
  FROM come JOIN wallets AS owned ON lower(owned.address) = lower(come.address) AND owned.owner_id IS NOT NULL
  WHERE lower(wallets.address) = lower(come.address) AND wallets.owner_id IS NULL;
  IF EXISTS (
    SELECT FROM come JOIN wallets AS same ON lower(same.address) = lower(come.address)
    GROUP BY lower(come.address) HAVING count(DISTINCT same.owner_id) > 1
  ) THEN
    RAISE EXCEPTION 'an address has one owner' USING ERRCODE = 'unique_violation', CONSTRAINT = 'wallets_one_owner_per_address';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.use_sessions(hashes bytea[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE sessions SET last_used_at = now() WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE token_hash = ANY (hashes) FOR NO KEY UPDATE SKIP LOCKED);
END $function$
;

CREATE OR REPLACE FUNCTION public.utc_day(moment timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT (moment AT TIME ZONE 'UTC')::date
$function$
;

CREATE OR REPLACE FUNCTION public.wait_for_groups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(7031987);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.wake_mail_sender()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF to_regnamespace('graphile_worker') IS NOT NULL THEN
    PERFORM graphile_worker.add_job('mails', queue_name => 'mails', max_attempts => 1);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.wallet_status(owner_id uuid, archived_at timestamp with time zone, proposal_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN proposal_id IS NOT NULL THEN 'waiting' WHEN owner_id IS NULL THEN 'available' WHEN archived_at IS NULL THEN 'assigned' ELSE 'archived' END
$function$
;

CREATE OR REPLACE FUNCTION public.write_entries(entries jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO audit_entries
    (actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason, nonce, mac)
  SELECT actor_id, actor, action, subject_type, subject_id, owner_id, source, before, after, reason, nonce, mac
  FROM jsonb_populate_recordset(NULL::audit_entries, entries)
$function$
;

CREATE TRIGGER accepted_breaks_are_final BEFORE DELETE OR UPDATE ON public.accepted_breaks FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accepted_breaks_have_come BEFORE INSERT OR UPDATE ON public.accepted_breaks FOR EACH ROW EXECUTE FUNCTION refuse_future('at');

CREATE TRIGGER accounts_are_kept BEFORE DELETE ON public.accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_are_not_truncated BEFORE TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_change_by_movement AFTER UPDATE ON public.accounts FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_close_once AFTER UPDATE OF closed_at ON public.accounts FOR EACH ROW WHEN ((old.closed_at IS NOT NULL)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_keep_their_names AFTER UPDATE OF id, owner_id, kind ON public.accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_open_empty BEFORE INSERT ON public.accounts FOR EACH ROW WHEN ((new.balance <> 0)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER address_keys_have_come BEFORE INSERT OR UPDATE ON public.address_keys FOR EACH ROW EXECUTE FUNCTION refuse_future('derived_at');

CREATE TRIGGER approvals_are_final BEFORE DELETE OR UPDATE ON public.approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER approvals_are_not_truncated BEFORE TRUNCATE ON public.approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_final BEFORE DELETE OR UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_not_truncated BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_of_now BEFORE INSERT ON public.audit_entries FOR EACH ROW WHEN ((new.created_at <> now())) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_sealed AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION queue_for_sealing();

CREATE TRIGGER audit_entries_tally_new AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();

CREATE TRIGGER audit_entries_tell_owner AFTER INSERT ON public.audit_entries FOR EACH ROW WHEN (((new.owner_id IS NOT NULL) AND (new.subject_type <> 'transaction'::text) AND (new.action <> ALL ('{session.started,session.refused,session.ended,factor.refused,note.added,access.asked,access.approved,access.rejected,access.withdrawn}'::text[])))) EXECUTE FUNCTION tell_notice('owner_id');

CREATE TRIGGER audit_seals_are_final BEFORE DELETE OR UPDATE ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_seals_are_not_truncated BEFORE TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER batch_inputs_stay_free BEFORE UPDATE ON public.batch_inputs FOR EACH ROW WHEN ((new.is_open AND (NOT old.is_open))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER batch_payouts_are_approved BEFORE INSERT ON public.batch_payouts FOR EACH ROW WHEN ((num_nonnulls(new.withdrawal_id, new.sending_id) > 0)) EXECUTE FUNCTION require_payable();

CREATE TRIGGER batch_payouts_note_coins AFTER UPDATE OF transaction_id, output ON public.batch_payouts FOR EACH ROW WHEN (((new.transaction_id IS DISTINCT FROM old.transaction_id) OR (new.output IS DISTINCT FROM old.output))) EXECUTE FUNCTION note_batch_coins();

CREATE TRIGGER batch_payouts_stay_free BEFORE UPDATE ON public.batch_payouts FOR EACH ROW WHEN ((new.is_open AND (NOT old.is_open))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER batch_payouts_tell_moved AFTER UPDATE ON public.batch_payouts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_moved_payouts();

CREATE TRIGGER batches_are_kept BEFORE DELETE ON public.batches FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER batches_move_on BEFORE UPDATE ON public.batches FOR EACH ROW WHEN (((old.state = 'GIVEN_UP'::text) OR ((new.state = 'WAITING'::text) AND (old.state <> 'WAITING'::text)) OR ((new.state = 'GIVEN_UP'::text) AND (old.state <> ALL (ARRAY['WAITING'::text, 'READY'::text]))) OR (((old.state = 'WAITING'::text) AND (new.state = 'READY'::text)) AND (new.approved_by IS NULL)) OR (((old.state <> 'WAITING'::text) OR (new.state <> 'READY'::text)) AND (new.approved_by IS DISTINCT FROM old.approved_by)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER batches_take_another_person BEFORE UPDATE ON public.batches FOR EACH ROW WHEN (((old.state = 'WAITING'::text) AND (new.state = 'READY'::text))) EXECUTE FUNCTION require_second_payer();

CREATE TRIGGER batches_tell_changed AFTER UPDATE ON public.batches FOR EACH STATEMENT EXECUTE FUNCTION tell_batches();

CREATE TRIGGER batches_tell_new AFTER INSERT ON public.batches FOR EACH STATEMENT EXECUTE FUNCTION tell_batches();

CREATE TRIGGER block_skips_are_kept BEFORE DELETE ON public.block_skips FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER block_skips_are_not_truncated BEFORE TRUNCATE ON public.block_skips FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER block_skips_stay BEFORE UPDATE ON public.block_skips FOR EACH ROW WHEN (((((((old.id IS DISTINCT FROM new.id) OR (old.network_name IS DISTINCT FROM new.network_name)) OR (old.from_height IS DISTINCT FROM new.from_height)) OR (old.to_height IS DISTINCT FROM new.to_height)) OR (old.agreed_at IS DISTINCT FROM new.agreed_at)) OR (old.ended_at IS NOT NULL) OR ((old.skipped_at IS NOT NULL) AND (old.skipped_at IS DISTINCT FROM new.skipped_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER block_skips_take_two BEFORE INSERT ON public.block_skips FOR EACH ROW EXECUTE FUNCTION require_agreed_skip();

CREATE TRIGGER borrower_grades_are_final BEFORE DELETE OR UPDATE ON public.borrower_grades FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER borrower_grades_are_not_truncated BEFORE TRUNCATE ON public.borrower_grades FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER borrowers_are_kept BEFORE DELETE ON public.borrowers FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER borrowers_are_not_truncated BEFORE TRUNCATE ON public.borrowers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER borrowers_keep_first_grade AFTER INSERT ON public.borrowers FOR EACH ROW EXECUTE FUNCTION keep_grade();

CREATE TRIGGER borrowers_keep_grade AFTER UPDATE ON public.borrowers FOR EACH ROW WHEN (((old.grade IS DISTINCT FROM new.grade) OR (old.grade_reason IS DISTINCT FROM new.grade_reason))) EXECUTE FUNCTION keep_grade();

CREATE TRIGGER borrowers_stay_recorded BEFORE UPDATE ON public.borrowers FOR EACH ROW WHEN ((((old.id IS DISTINCT FROM new.id) OR (old.recorded_by IS DISTINCT FROM new.recorded_by)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER borrowers_tell AFTER INSERT ON public.borrowers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER borrowers_tell_corrected AFTER UPDATE ON public.borrowers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER capital_withdrawals_are_final BEFORE DELETE OR UPDATE ON public.capital_withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER capital_withdrawals_are_not_truncated BEFORE TRUNCATE ON public.capital_withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER capital_withdrawals_take_two BEFORE INSERT ON public.capital_withdrawals FOR EACH ROW EXECUTE FUNCTION require_two_for_wind_down();

CREATE TRIGGER capital_withdrawals_tell AFTER INSERT ON public.capital_withdrawals REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');

CREATE TRIGGER chains_tell_new_block AFTER UPDATE ON public.chains FOR EACH ROW WHEN ((new.head_hash IS DISTINCT FROM old.head_hash)) EXECUTE FUNCTION tell_new_block();

CREATE TRIGGER chains_tell_spendings_deeper AFTER UPDATE ON public.chains FOR EACH ROW WHEN ((new.head_hash IS DISTINCT FROM old.head_hash)) EXECUTE FUNCTION tell_spendings_deeper();

CREATE TRIGGER claims_are_kept BEFORE DELETE ON public.claims FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER claims_are_not_truncated BEFORE TRUNCATE ON public.claims FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER claims_are_settled BEFORE UPDATE ON public.claims FOR EACH ROW WHEN (((new.open > old.open) OR ((((((new.deposit_id IS DISTINCT FROM old.deposit_id) OR (new.user_id IS DISTINCT FROM old.user_id)) OR (new.amount IS DISTINCT FROM old.amount)) OR (new.payment_id IS DISTINCT FROM old.payment_id)) OR (new.basis IS DISTINCT FROM old.basis)) OR (new.created_at IS DISTINCT FROM old.created_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER claims_tell_new AFTER INSERT ON public.claims REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_claims();

CREATE TRIGGER claims_tell_settled AFTER UPDATE ON public.claims REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_claims();

CREATE TRIGGER coin_movements_are_final BEFORE DELETE OR UPDATE ON public.coin_movements FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER coin_movements_are_not_truncated BEFORE TRUNCATE ON public.coin_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER coin_movements_are_opposite AFTER INSERT ON public.coin_movements FOR EACH ROW WHEN ((new.takes_back IS NOT NULL)) EXECUTE FUNCTION require_opposite();

CREATE TRIGGER contributions_are_final BEFORE DELETE OR UPDATE ON public.contributions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contributions_are_not_truncated BEFORE TRUNCATE ON public.contributions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER email_links_are_links INSTEAD OF INSERT ON public.email_links FOR EACH ROW EXECUTE FUNCTION add_link_by_old_name();

CREATE TRIGGER ended_pauses_are_final BEFORE DELETE OR UPDATE ON public.ended_pauses FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER ended_pauses_are_not_truncated BEFORE TRUNCATE ON public.ended_pauses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER ended_pauses_come_from_pauses BEFORE INSERT ON public.ended_pauses FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER factors_of_open_accounts BEFORE INSERT ON public.factors FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE TRIGGER freeze_links_are_links INSTEAD OF INSERT ON public.freeze_links FOR EACH ROW EXECUTE FUNCTION add_link_by_old_name();

CREATE TRIGGER liability_leaves_are_final BEFORE UPDATE ON public.liability_leaves FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER liability_leaves_are_not_truncated BEFORE TRUNCATE ON public.liability_leaves FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER liability_leaves_stay_for_30_days BEFORE DELETE ON public.liability_leaves FOR EACH ROW WHEN ((old.day >= (((now() AT TIME ZONE 'UTC'::text))::date - 30))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER liability_trees_are_final BEFORE DELETE OR UPDATE ON public.liability_trees FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER liability_trees_are_not_truncated BEFORE TRUNCATE ON public.liability_trees FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER liability_trees_have_come BEFORE INSERT OR UPDATE ON public.liability_trees FOR EACH ROW EXECUTE FUNCTION refuse_future('day');

CREATE TRIGGER links_end_once BEFORE UPDATE ON public.links FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) OR (new.expires_at > old.expires_at) OR ((((((old.id IS DISTINCT FROM new.id) OR (old.kind IS DISTINCT FROM new.kind)) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.address IS DISTINCT FROM new.address)) OR (old.token_digest IS DISTINCT FROM new.token_digest)) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_collateral_is_kept BEFORE DELETE ON public.loan_collateral FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_collateral_is_not_truncated BEFORE TRUNCATE ON public.loan_collateral FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_collateral_is_withdrawn BEFORE UPDATE ON public.loan_collateral FOR EACH ROW WHEN (((old.withdrawn_at IS NOT NULL) OR (((((((old.id IS DISTINCT FROM new.id) OR (old.loan_id IS DISTINCT FROM new.loan_id)) OR (old.description IS DISTINCT FROM new.description)) OR (old.value IS DISTINCT FROM new.value)) OR (old.valued_on IS DISTINCT FROM new.valued_on)) OR (old.recorded_by IS DISTINCT FROM new.recorded_by)) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_collateral_tells AFTER INSERT ON public.loan_collateral REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loan_collateral_tells_withdrawn AFTER UPDATE ON public.loan_collateral REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loan_defaults_are_final BEFORE DELETE OR UPDATE ON public.loan_defaults FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_defaults_are_not_truncated BEFORE TRUNCATE ON public.loan_defaults FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_defaults_take_two BEFORE INSERT ON public.loan_defaults FOR EACH ROW WHEN ((new.reason = 'unlikelyToPay'::text)) EXECUTE FUNCTION require_two_for_loan('DEFAULT_LOAN');

CREATE TRIGGER loan_disbursements_are_final BEFORE DELETE OR UPDATE ON public.loan_disbursements FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_disbursements_are_not_truncated BEFORE TRUNCATE ON public.loan_disbursements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_disbursements_stop_in_wind_down BEFORE INSERT ON public.loan_disbursements FOR EACH ROW WHEN ((NOT new.sent)) EXECUTE FUNCTION refuse_while_winding_down();

CREATE TRIGGER loans_are_disbursed_by_two BEFORE INSERT ON public.loan_disbursements FOR EACH ROW WHEN ((NOT new.sent)) EXECUTE FUNCTION require_two_for_loan('DISBURSE_LOAN');

CREATE TRIGGER loans_are_sent_by_two BEFORE INSERT ON public.loan_disbursements FOR EACH ROW WHEN (new.sent) EXECUTE FUNCTION require_two_for_loan('SEND_LOAN');

CREATE TRIGGER loan_documents_are_kept BEFORE DELETE ON public.loan_documents FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_documents_are_not_truncated BEFORE TRUNCATE ON public.loan_documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_documents_are_withdrawn BEFORE UPDATE ON public.loan_documents FOR EACH ROW WHEN (((old.withdrawn_at IS NOT NULL) OR ((((((((old.id IS DISTINCT FROM new.id) OR (old.borrower_id IS DISTINCT FROM new.borrower_id)) OR (old.loan_id IS DISTINCT FROM new.loan_id)) OR (old.title IS DISTINCT FROM new.title)) OR (old.sha256 IS DISTINCT FROM new.sha256)) OR (old.link IS DISTINCT FROM new.link)) OR (old.recorded_by IS DISTINCT FROM new.recorded_by)) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_documents_tell AFTER INSERT ON public.loan_documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loan_documents_tell_withdrawn AFTER UPDATE ON public.loan_documents REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loan_instalments_are_kept BEFORE DELETE ON public.loan_instalments FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_instalments_are_not_truncated BEFORE TRUNCATE ON public.loan_instalments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_instalments_are_paid BEFORE UPDATE ON public.loan_instalments FOR EACH ROW WHEN ((old.replaced OR (((((old.loan_id IS DISTINCT FROM new.loan_id) OR (old.number IS DISTINCT FROM new.number)) OR (old.due_on IS DISTINCT FROM new.due_on)) OR (old.principal IS DISTINCT FROM new.principal)) OR (old.interest IS DISTINCT FROM new.interest)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_moves_are_final BEFORE DELETE OR UPDATE ON public.loan_moves FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_moves_are_not_truncated BEFORE TRUNCATE ON public.loan_moves FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_repayment_parts_are_final BEFORE DELETE OR UPDATE ON public.loan_repayment_parts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_repayment_parts_are_not_truncated BEFORE TRUNCATE ON public.loan_repayment_parts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_recoveries_take_two BEFORE INSERT ON public.loan_repayments FOR EACH ROW WHEN ((new.recovered > 0)) EXECUTE FUNCTION require_two_for_loan('RECOVER_LOAN');

CREATE TRIGGER loan_repayments_are_kept BEFORE DELETE ON public.loan_repayments FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_repayments_are_not_truncated BEFORE TRUNCATE ON public.loan_repayments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_repayments_are_reversed BEFORE UPDATE ON public.loan_repayments FOR EACH ROW WHEN ((old.reversed OR (NOT new.reversed) OR ((((((((((old.id IS DISTINCT FROM new.id) OR (old.loan_id IS DISTINCT FROM new.loan_id)) OR (old.principal IS DISTINCT FROM new.principal)) OR (old.interest IS DISTINCT FROM new.interest)) OR (old.recovered IS DISTINCT FROM new.recovered)) OR (old.kept IS DISTINCT FROM new.kept)) OR (old.value_on IS DISTINCT FROM new.value_on)) OR (old.reference IS DISTINCT FROM new.reference)) OR (old.recorded_by IS DISTINCT FROM new.recorded_by)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR (old.agreed_id IS DISTINCT FROM new.agreed_id))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_repayments_return_losses AFTER INSERT ON public.loan_repayments FOR EACH ROW WHEN ((new.kept < new.recovered)) EXECUTE FUNCTION return_loss();

CREATE TRIGGER loan_repayments_within_limits AFTER INSERT ON public.loan_repayments REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_lone_limits();

CREATE TRIGGER loan_restructurings_are_final BEFORE DELETE OR UPDATE ON public.loan_restructurings FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_restructurings_are_not_truncated BEFORE TRUNCATE ON public.loan_restructurings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_restructurings_take_two BEFORE INSERT ON public.loan_restructurings FOR EACH ROW EXECUTE FUNCTION require_two_for_loan('RESTRUCTURE_LOAN');

CREATE TRIGGER loan_reversals_are_final BEFORE DELETE OR UPDATE ON public.loan_reversals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_reversals_are_not_truncated BEFORE TRUNCATE ON public.loan_reversals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_reversals_within_limits AFTER INSERT ON public.loan_reversals REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_lone_limits();

CREATE TRIGGER loan_sendings_are_kept BEFORE DELETE ON public.loan_sendings FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_sendings_are_not_truncated BEFORE TRUNCATE ON public.loan_sendings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_sendings_are_released_by_two BEFORE UPDATE ON public.loan_sendings FOR EACH ROW WHEN ((new.status = 'RELEASED'::text)) EXECUTE FUNCTION require_two_for_loan('RELEASE_LOAN', 'release_id');

CREATE TRIGGER loan_sendings_end_once BEFORE UPDATE ON public.loan_sendings FOR EACH ROW WHEN (((old.status <> 'OPEN'::text) OR ((((((((old.id IS DISTINCT FROM new.id) OR (old.proposal_id IS DISTINCT FROM new.proposal_id)) OR (old.loan_id IS DISTINCT FROM new.loan_id)) OR (old.principal IS DISTINCT FROM new.principal)) OR (old.capital IS DISTINCT FROM new.capital)) OR (old.network_name IS DISTINCT FROM new.network_name)) OR (old.address IS DISTINCT FROM new.address)) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_sendings_stop_in_wind_down BEFORE INSERT ON public.loan_sendings FOR EACH ROW EXECUTE FUNCTION refuse_while_winding_down();

CREATE TRIGGER loan_sendings_wait_for_their_batch BEFORE UPDATE ON public.loan_sendings FOR EACH ROW WHEN ((new.status = 'RELEASED'::text)) EXECUTE FUNCTION refuse_batched();

CREATE TRIGGER loans_are_reserved_by_two BEFORE INSERT ON public.loan_sendings FOR EACH ROW EXECUTE FUNCTION require_two_for_loan('SEND_LOAN', 'proposal_id');

CREATE TRIGGER loan_updates_are_final BEFORE DELETE OR UPDATE ON public.loan_updates FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_updates_are_not_truncated BEFORE TRUNCATE ON public.loan_updates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_updates_tell AFTER INSERT ON public.loan_updates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loan_write_offs_are_final BEFORE DELETE OR UPDATE ON public.loan_write_offs FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_write_offs_are_not_truncated BEFORE TRUNCATE ON public.loan_write_offs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loan_write_offs_take_two BEFORE INSERT ON public.loan_write_offs FOR EACH ROW EXECUTE FUNCTION require_two_for_loan('WRITE_OFF_LOAN');

CREATE TRIGGER loans_are_approved_by_two BEFORE UPDATE OF status ON public.loans FOR EACH ROW WHEN (((old.status = 'APPLIED'::text) AND (new.status = 'APPROVED'::text))) EXECUTE FUNCTION require_two_for_loan('APPROVE_LOAN');

CREATE TRIGGER loans_are_kept BEFORE DELETE ON public.loans FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loans_are_not_truncated BEFORE TRUNCATE ON public.loans FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loans_begin_applied BEFORE INSERT ON public.loans FOR EACH ROW WHEN ((new.status <> 'APPLIED'::text)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loans_keep_their_terms BEFORE UPDATE ON public.loans FOR EACH ROW WHEN ((((((((((((((((((old.id IS DISTINCT FROM new.id) OR (old.borrower_id IS DISTINCT FROM new.borrower_id)) OR (old.purpose IS DISTINCT FROM new.purpose)) OR (old.principal IS DISTINCT FROM new.principal)) OR (old.rate_basis_points IS DISTINCT FROM new.rate_basis_points)) OR (old.schedule IS DISTINCT FROM new.schedule)) OR (old.period IS DISTINCT FROM new.period)) OR (old.day_count IS DISTINCT FROM new.day_count)) OR (old.instalments IS DISTINCT FROM new.instalments)) OR (old.due_day IS DISTINCT FROM new.due_day)) OR (old.disburse_on IS DISTINCT FROM new.disburse_on)) OR (old.first_due_on IS DISTINCT FROM new.first_due_on)) OR (old.refinances_id IS DISTINCT FROM new.refinances_id)) OR (old.from_investors IS DISTINCT FROM new.from_investors)) OR (old.recorded_by IS DISTINCT FROM new.recorded_by)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.closed_at IS NOT NULL) AND (((old.closed_for IS DISTINCT FROM new.closed_for) OR (old.closed_by IS DISTINCT FROM new.closed_by)) OR (old.closed_at IS DISTINCT FROM new.closed_at))) OR ((old.status <> new.status) AND ((((((((((((((((old.status <> 'APPLIED'::text) OR (new.status <> 'APPROVED'::text)) AND ((old.status <> 'APPROVED'::text) OR (new.status <> 'ACTIVE'::text))) AND ((old.status <> 'APPROVED'::text) OR (new.status <> 'SENDING'::text))) AND ((old.status <> 'SENDING'::text) OR (new.status <> 'ACTIVE'::text))) AND ((old.status <> 'SENDING'::text) OR (new.status <> 'APPROVED'::text))) AND ((old.status <> 'ACTIVE'::text) OR (new.status <> 'REPAID'::text))) AND ((old.status <> 'REPAID'::text) OR (new.status <> 'ACTIVE'::text))) AND ((old.status <> 'APPLIED'::text) OR (new.status <> 'WITHDRAWN'::text))) AND ((old.status <> 'APPLIED'::text) OR (new.status <> 'DECLINED'::text))) AND ((old.status <> 'APPROVED'::text) OR (new.status <> 'WITHDRAWN'::text))) AND ((old.status <> 'APPROVED'::text) OR (new.status <> 'DECLINED'::text))) AND ((old.status <> 'ACTIVE'::text) OR (new.status <> 'DEFAULTED'::text))) AND ((old.status <> 'DEFAULTED'::text) OR (new.status <> 'REPAID'::text))) AND ((old.status <> 'REPAID'::text) OR (new.status <> 'DEFAULTED'::text))) AND ((old.status <> 'DEFAULTED'::text) OR (new.status <> 'WRITTEN_OFF'::text)))))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loans_tally_changed AFTER UPDATE ON public.loans REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_loans();

CREATE TRIGGER loans_tally_new AFTER INSERT ON public.loans REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_loans();

CREATE TRIGGER loans_tell_changed AFTER UPDATE ON public.loans REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loans_tell_new AFTER INSERT ON public.loans REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('loan');

CREATE TRIGGER loss_announcements_are_kept BEFORE DELETE ON public.loss_announcements FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_announcements_are_not_truncated BEFORE TRUNCATE ON public.loss_announcements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_announcements_stay BEFORE UPDATE ON public.loss_announcements FOR EACH ROW WHEN (((old.mailed_at IS NOT NULL) OR (((((old.id IS DISTINCT FROM new.id) OR (old.loss_id IS DISTINCT FROM new.loss_id)) OR (old.amount IS DISTINCT FROM new.amount)) OR (old.counts_at IS DISTINCT FROM new.counts_at)) OR (old.created_at IS DISTINCT FROM new.created_at)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_announcements_take_two BEFORE INSERT ON public.loss_announcements FOR EACH ROW EXECUTE FUNCTION require_two_for_share();

CREATE TRIGGER loss_announcements_tell AFTER INSERT ON public.loss_announcements REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');

CREATE TRIGGER loss_covers_are_final BEFORE DELETE OR UPDATE ON public.loss_covers FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_covers_are_not_truncated BEFORE TRUNCATE ON public.loss_covers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_covers_bear AFTER INSERT ON public.loss_covers FOR EACH ROW EXECUTE FUNCTION bear_losses();

CREATE TRIGGER loss_covers_take_two BEFORE INSERT ON public.loss_covers FOR EACH ROW EXECUTE FUNCTION require_two_for_cover();

CREATE TRIGGER loss_sharings_are_final BEFORE DELETE OR UPDATE ON public.loss_sharings FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_sharings_are_not_truncated BEFORE TRUNCATE ON public.loss_sharings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER loss_sharings_are_shared AFTER INSERT ON public.loss_sharings FOR EACH ROW EXECUTE FUNCTION share_loss();

CREATE TRIGGER loss_sharings_bear AFTER INSERT ON public.loss_sharings FOR EACH ROW EXECUTE FUNCTION bear_losses();

CREATE TRIGGER loss_sharings_take_two BEFORE INSERT ON public.loss_sharings FOR EACH ROW EXECUTE FUNCTION require_two_for_share();

CREATE TRIGGER losses_borne_are_final BEFORE DELETE OR UPDATE ON public.losses_borne FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER losses_borne_are_not_truncated BEFORE TRUNCATE ON public.losses_borne FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER losses_borne_by_trigger BEFORE INSERT ON public.losses_borne FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER mails_wake_the_sender AFTER INSERT ON public.mails FOR EACH STATEMENT EXECUTE FUNCTION wake_mail_sender();

CREATE TRIGGER mails_wake_the_sender_again AFTER UPDATE OF status ON public.mails FOR EACH ROW WHEN (((new.status = 'WAITING'::text) AND (old.status <> 'WAITING'::text))) EXECUTE FUNCTION wake_mail_sender();

CREATE TRIGGER movements_are_final BEFORE DELETE OR UPDATE ON public.movements FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER movements_are_not_truncated BEFORE TRUNCATE ON public.movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER movements_bring_fees AFTER INSERT ON public.movements REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION require_fees();

CREATE TRIGGER movements_change_balances AFTER INSERT ON public.movements REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION apply_movements();

CREATE TRIGGER notes_are_final BEFORE DELETE OR UPDATE ON public.notes FOR EACH ROW EXECUTE FUNCTION refuse_change_unless_closed();

CREATE TRIGGER notes_are_not_truncated BEFORE TRUNCATE ON public.notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER notes_of_open_accounts BEFORE INSERT ON public.notes FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE TRIGGER notice_mailing_has_come BEFORE INSERT OR UPDATE ON public.notice_mailing FOR EACH ROW EXECUTE FUNCTION refuse_future('until');

CREATE TRIGGER notice_settings_tell_read AFTER INSERT OR UPDATE OF read_until ON public.notice_settings FOR EACH ROW EXECUTE FUNCTION tell_notice('user_id');

CREATE TRIGGER own_addresses_are_final BEFORE DELETE OR UPDATE ON public.own_addresses FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER password_resets_are_links INSTEAD OF INSERT ON public.password_resets FOR EACH ROW EXECUTE FUNCTION add_link_by_old_name();

CREATE TRIGGER pauses_are_kept AFTER UPDATE ON public.pauses FOR EACH ROW WHEN (((old.paused_at IS NOT NULL) AND (new.paused_at IS NULL))) EXECUTE FUNCTION keep_ended_pause();

CREATE TRIGGER pauses_begin_now BEFORE UPDATE OF paused_at ON public.pauses FOR EACH ROW WHEN (((new.paused_at IS NOT NULL) AND (new.paused_at IS DISTINCT FROM old.paused_at) AND ((old.paused_at IS NOT NULL) OR (new.paused_at <> now())))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pauses_stay_while_winding_down BEFORE UPDATE ON public.pauses FOR EACH ROW WHEN ((old.by_wind_down AND ((NOT new.by_wind_down) OR (new.paused_at IS NULL)))) EXECUTE FUNCTION keep_wind_down_pause();

CREATE TRIGGER pauses_tell_changed AFTER UPDATE ON public.pauses REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');

CREATE TRIGGER pauses_wait_for_groups BEFORE INSERT OR DELETE OR UPDATE ON public.pauses FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER payments_note_changed AFTER UPDATE ON public.payments REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_facts();

CREATE TRIGGER payments_note_new AFTER INSERT ON public.payments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_new_facts();

CREATE TRIGGER payments_tell_changed AFTER UPDATE ON public.payments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_payments();

CREATE TRIGGER payments_tell_new AFTER INSERT ON public.payments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_payments();

CREATE TRIGGER payout_addresses_are_kept BEFORE DELETE OR UPDATE ON public.payout_addresses FOR EACH ROW EXECUTE FUNCTION refuse_change_unless_unproven();

CREATE TRIGGER payout_addresses_are_not_truncated BEFORE TRUNCATE ON public.payout_addresses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payout_addresses_of_open_accounts BEFORE INSERT ON public.payout_addresses FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE TRIGGER payout_alarms_settled_by_two AFTER UPDATE ON public.payout_alarms FOR EACH ROW WHEN (((old.settled_at IS NULL) AND (new.settled_at IS NOT NULL) AND (new.kind = 'UNEXPLAINED'::text))) EXECUTE FUNCTION require_settlement();

CREATE TRIGGER payout_alarms_stay_settled BEFORE UPDATE ON public.payout_alarms FOR EACH ROW WHEN (((old.settled_at IS NOT NULL) AND (((((old.kind IS DISTINCT FROM new.kind) OR (old.spending_id IS DISTINCT FROM new.spending_id)) OR (old.settled_at IS DISTINCT FROM new.settled_at)) OR (old.settled_by IS DISTINCT FROM new.settled_by)) OR (old.reason IS DISTINCT FROM new.reason)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payout_alarms_tell_changed AFTER UPDATE ON public.payout_alarms REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('payment');

CREATE TRIGGER payout_alarms_tell_new AFTER INSERT ON public.payout_alarms REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('payment');

CREATE TRIGGER plans_are_final BEFORE DELETE OR UPDATE ON public.plans FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER plans_are_not_truncated BEFORE TRUNCATE ON public.plans FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER plans_take_two BEFORE INSERT ON public.plans FOR EACH ROW EXECUTE FUNCTION require_two_for_plan();

CREATE TRIGGER pool_figures_have_come BEFORE INSERT OR UPDATE ON public.pool_figures FOR EACH ROW EXECUTE FUNCTION refuse_future('at');

CREATE TRIGGER pool_mode_is_kept BEFORE UPDATE OF only_row, mode, set_at ON public.pool_mode FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pool_mode_is_not_deleted BEFORE DELETE ON public.pool_mode FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pool_mode_is_not_truncated BEFORE TRUNCATE ON public.pool_mode FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pool_tapes_are_final BEFORE DELETE OR UPDATE ON public.pool_tapes FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pool_tapes_are_not_truncated BEFORE TRUNCATE ON public.pool_tapes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER pool_tapes_have_come BEFORE INSERT OR UPDATE ON public.pool_tapes FOR EACH ROW EXECUTE FUNCTION refuse_future('day');

CREATE TRIGGER proposals_are_kept BEFORE DELETE ON public.proposals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER proposals_are_not_truncated BEFORE TRUNCATE ON public.proposals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER proposals_end_once BEFORE UPDATE ON public.proposals FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) OR ((((((((((old.id IS DISTINCT FROM new.id) OR (old.kind IS DISTINCT FROM new.kind)) OR (old.subject IS DISTINCT FROM new.subject)) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.payload IS DISTINCT FROM new.payload)) OR (old.language IS DISTINCT FROM new.language)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.asked_by IS DISTINCT FROM new.asked_by)) OR (old.asked_at IS DISTINCT FROM new.asked_at)) OR (old.by_staff IS DISTINCT FROM new.by_staff)) OR ((old.status <> 'OPEN'::text) AND ((new.status = 'OPEN'::text) OR ((((old.alone IS DISTINCT FROM new.alone) OR (old.decided_by IS DISTINCT FROM new.decided_by)) OR (old.decided_at IS DISTINCT FROM new.decided_at)) OR (old.rests_until IS DISTINCT FROM new.rests_until)))))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER proposals_of_money_are_approved_by_another BEFORE UPDATE ON public.proposals FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['RETURN_WITHDRAWAL'::text, 'WRITE_OFF'::text])) AND (new.status = 'DONE'::text) AND (old.status <> 'DONE'::text))) EXECUTE FUNCTION require_others('decided_by');

CREATE TRIGGER proposals_of_money_are_asked_by_another BEFORE INSERT ON public.proposals FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['RETURN_WITHDRAWAL'::text, 'WRITE_OFF'::text]))) EXECUTE FUNCTION require_others('asked_by');

CREATE TRIGGER quotes_are_final BEFORE DELETE OR UPDATE ON public.quotes FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER quotes_are_not_truncated BEFORE TRUNCATE ON public.quotes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER rates_are_final BEFORE DELETE OR UPDATE ON public.rates FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER rates_are_not_truncated BEFORE TRUNCATE ON public.rates FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER rates_have_come BEFORE INSERT OR UPDATE ON public.rates FOR EACH ROW EXECUTE FUNCTION refuse_future('created_at');

CREATE TRIGGER reconciled_coins_are_final BEFORE DELETE OR UPDATE ON public.reconciled_coins FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER reconciliations_are_final BEFORE DELETE OR UPDATE ON public.reconciliations FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER reconciliations_have_come BEFORE INSERT OR UPDATE ON public.reconciliations FOR EACH ROW EXECUTE FUNCTION refuse_future('at');

CREATE TRIGGER reconciliations_tell_new AFTER INSERT ON public.reconciliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('reconciliation');

CREATE TRIGGER repayment_files_are_kept BEFORE DELETE ON public.repayment_files FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER repayment_files_are_not_truncated BEFORE TRUNCATE ON public.repayment_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER repayment_files_stay BEFORE UPDATE ON public.repayment_files FOR EACH ROW WHEN (((old.posted_at IS NOT NULL) OR ((old.proposal_id IS DISTINCT FROM new.proposal_id) OR (old.csv IS DISTINCT FROM new.csv)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER sent_coins_note_deleted AFTER DELETE ON public.sent_coins REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();

CREATE TRIGGER sent_coins_note_new AFTER INSERT ON public.sent_coins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();

CREATE TRIGGER sessions_change_after_groups BEFORE UPDATE OF token_hash, user_id, created_at ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER sessions_end_after_groups BEFORE DELETE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER sessions_end_all_after_groups BEFORE TRUNCATE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER sessions_of_open_accounts BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE TRIGGER sessions_tell_ended AFTER DELETE ON public.sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_sessions();

CREATE TRIGGER sessions_tell_started AFTER INSERT ON public.sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_sessions();

CREATE TRIGGER signing_keys_are_final BEFORE DELETE OR UPDATE ON public.signing_keys FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER signing_keys_are_not_truncated BEFORE TRUNCATE ON public.signing_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER spendings_note_changed AFTER UPDATE ON public.spendings REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_facts();

CREATE TRIGGER spendings_note_coins AFTER UPDATE OF state, batch_id ON public.spendings FOR EACH ROW WHEN ((((new.state IS DISTINCT FROM old.state) OR (new.batch_id IS DISTINCT FROM old.batch_id)) AND (num_nonnulls(new.batch_id, old.batch_id) > 0))) EXECUTE FUNCTION note_batch_coins();

CREATE TRIGGER spendings_note_new AFTER INSERT ON public.spendings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_new_facts();

CREATE TRIGGER spendings_settled_by_two AFTER UPDATE ON public.spendings FOR EACH ROW WHEN (((old.settled_at IS NULL) AND (new.settled_at IS NOT NULL))) EXECUTE FUNCTION require_settlement();

CREATE TRIGGER spendings_stay_settled BEFORE UPDATE ON public.spendings FOR EACH ROW WHEN (((old.settled_at IS NOT NULL) AND ((((old.settled_at IS DISTINCT FROM new.settled_at) OR (old.settled_by IS DISTINCT FROM new.settled_by)) OR (old.reason IS DISTINCT FROM new.reason)) OR (old.settlement_id IS DISTINCT FROM new.settlement_id)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER spendings_tell_changed AFTER UPDATE ON public.spendings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_spendings();

CREATE TRIGGER spendings_tell_new AFTER INSERT ON public.spendings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_written_spendings();

CREATE TRIGGER spent_coins_note_deleted AFTER DELETE ON public.spent_coins REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();

CREATE TRIGGER spent_coins_note_new AFTER INSERT ON public.spent_coins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_coins_of_spendings();

CREATE TRIGGER deposits_are_taken_back_whole BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((new.status = 'REVERSED'::text) AND ((old.status <> 'APPROVED'::text) OR ((((((((new.reason IS DISTINCT FROM old.reason) OR (new.decided_by IS DISTINCT FROM old.decided_by)) OR (new.ending IS DISTINCT FROM old.ending)) OR (new.basis IS DISTINCT FROM old.basis)) OR (new.evidence_network IS DISTINCT FROM old.evidence_network)) OR (new.evidence IS DISTINCT FROM old.evidence)) OR (new.evidence_output IS DISTINCT FROM old.evidence_output)) OR (new.updated_at IS DISTINCT FROM old.updated_at))))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER deposits_keep_what_was_asked BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN ((((new.amount IS DISTINCT FROM old.amount) OR (new.requested_amount IS DISTINCT FROM old.requested_amount)) AND (NOT ((old.type = 'deposit'::text) AND (old.status = 'PENDING'::text) AND (new.status = 'APPROVED'::text) AND (NOT (new.requested_amount IS DISTINCT FROM old.amount)))))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER investments_bear_by_sharing BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((new.borne <> old.borne) AND ((old.type <> 'investment'::text) OR (pg_trigger_depth() = 0)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER investments_complete_once BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.type = 'investment'::text) AND ((old.investment_status <> 'ACTIVE'::text) OR (NOT (((new.investment_status = 'COMPLETED'::text) AND (new.borne = old.borne)) OR ((new.investment_status = 'ACTIVE'::text) AND (new.borne > old.borne)))) OR (new.status <> old.status) OR (new.interest <> old.interest) OR (new.rate_basis_points <> old.rate_basis_points) OR (new.duration_days <> old.duration_days) OR (new.matures_at <> old.matures_at) OR (new.plan_id IS DISTINCT FROM old.plan_id)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_approved_by_enough BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.status = 'PENDING'::text) AND (new.status = ANY (ARRAY['APPROVED'::text, 'PROCESSING'::text, 'COMPLETED'::text])) AND (new.approvals_needed > 1))) EXECUTE FUNCTION require_approvals();

CREATE TRIGGER transactions_are_decided_once BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN ((((old.status <> 'PENDING'::text) AND (old.type <> ALL (ARRAY['investment'::text, 'withdrawal'::text])) AND ((old.type <> 'deposit'::text) OR (old.status <> 'APPROVED'::text) OR (new.status <> 'REVERSED'::text))) OR (new.id <> old.id) OR (new.user_id <> old.user_id) OR (new.type <> old.type) OR (new.approvals_needed < old.approvals_needed) OR (new.created_at <> old.created_at) OR (new.unannounced <> old.unannounced) OR (new.fee <> old.fee) OR (new.destination_address <> old.destination_address) OR (new.destination_network <> old.destination_network))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_are_kept BEFORE DELETE ON public.transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_are_not_truncated BEFORE TRUNCATE ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_begin_whole AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_whole();

CREATE TRIGGER transactions_by_another_person BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN ((((new.decided_by IS DISTINCT FROM old.decided_by) OR (new.sent_by IS DISTINCT FROM old.sent_by)) OR (new.completed_by IS DISTINCT FROM old.completed_by))) EXECUTE FUNCTION require_another();

CREATE TRIGGER transactions_end_by_name BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.status = 'PENDING'::text) AND (new.status <> 'PENDING'::text) AND (new.ending IS NULL))) EXECUTE FUNCTION name_ending();

CREATE TRIGGER transactions_keep_their_investments BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((((new.investment_id IS DISTINCT FROM old.investment_id) OR (new.claim_id IS DISTINCT FROM old.claim_id)) OR (new.sharing_id IS DISTINCT FROM old.sharing_id)) OR (new.repayment_id IS DISTINCT FROM old.repayment_id))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_stay_whole AFTER UPDATE ON public.transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_whole();

CREATE TRIGGER transactions_tally_decided AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();

CREATE TRIGGER transactions_tally_new AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();

CREATE TRIGGER transactions_tell_decided AFTER UPDATE ON public.transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();

CREATE TRIGGER transactions_tell_new AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();

CREATE TRIGGER transactions_within_limits AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_limits();

CREATE TRIGGER withdrawals_are_paid_on_the_chain BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN ((((old.sent_basis IS NULL) AND (new.sent_basis IS NOT NULL)) OR ((old.completed_basis IS NULL) AND (new.completed_basis IS NOT NULL)))) EXECUTE FUNCTION require_payout();

CREATE TRIGGER withdrawals_are_sent_once BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.type = 'withdrawal'::text) AND (((((old.status = 'PENDING'::text) AND (new.status = 'PROCESSING'::text)) OR ((old.status = 'PENDING'::text) AND (new.status = 'COMPLETED'::text))) OR ((old.status = 'PENDING'::text) AND (new.status = 'RETURNED'::text))) OR ((old.status <> 'PENDING'::text) AND ((((((old.status <> 'APPROVED'::text) OR (new.status <> 'PROCESSING'::text)) AND ((old.status <> 'PROCESSING'::text) OR (new.status <> 'COMPLETED'::text))) AND ((old.status <> 'APPROVED'::text) OR (new.status <> 'RETURNED'::text))) AND ((old.status <> 'PROCESSING'::text) OR (new.status <> 'RETURNED'::text))) OR (((((new.ending IS DISTINCT FROM old.ending) OR (new.decided_by IS DISTINCT FROM old.decided_by)) OR (new.updated_at IS DISTINCT FROM old.updated_at)) OR (new.approvals_needed IS DISTINCT FROM old.approvals_needed)) OR (new.payee_address IS DISTINCT FROM old.payee_address)) OR ((new.reason <> old.reason) AND (new.status <> 'RETURNED'::text)) OR (((old.status = 'PROCESSING'::text) OR (new.status = 'RETURNED'::text)) AND (((((new.sent_at IS DISTINCT FROM old.sent_at) OR (new.sent_by IS DISTINCT FROM old.sent_by)) OR (new.sent_basis IS DISTINCT FROM old.sent_basis)) OR (new.sent_network IS DISTINCT FROM old.sent_network)) OR (((old.sent_by IS NOT NULL) OR (new.completed_basis IS NULL)) AND ((new.sent_evidence IS DISTINCT FROM old.sent_evidence) OR (new.sent_output IS DISTINCT FROM old.sent_output)))))))))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER withdrawals_end_by_movement AFTER UPDATE ON public.transactions FOR EACH ROW WHEN ((new.outgoing AND (new.status = ANY (ARRAY['COMPLETED'::text, 'RETURNED'::text])) AND (new.status <> old.status))) EXECUTE FUNCTION require_movement();

CREATE TRIGGER withdrawals_go_out_approved BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((new.outgoing <> old.outgoing) AND ((old.type <> 'withdrawal'::text) OR (old.status <> 'PENDING'::text) OR (new.status <> 'APPROVED'::text)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER withdrawals_note_evidence AFTER UPDATE OF sent_evidence, status ON public.transactions FOR EACH ROW WHEN (((new.sent_evidence IS DISTINCT FROM old.sent_evidence) OR ((new.status = 'RETURNED'::text) AND (old.status <> 'RETURNED'::text)))) EXECUTE FUNCTION note_evidence();

CREATE TRIGGER withdrawals_return_by_two BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((new.status = 'RETURNED'::text) AND (old.status <> 'RETURNED'::text))) EXECUTE FUNCTION require_return();

CREATE TRIGGER withdrawals_wait_for_their_batch BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.type = 'withdrawal'::text) AND (old.status = ANY (ARRAY['APPROVED'::text, 'PROCESSING'::text])) AND (new.status <> old.status))) EXECUTE FUNCTION refuse_batched();

CREATE TRIGGER roles_are_cleared_after_groups BEFORE TRUNCATE ON public.user_roles FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER roles_are_revoked_after_groups BEFORE DELETE OR UPDATE ON public.user_roles FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER roles_of_open_accounts BEFORE INSERT ON public.user_roles FOR EACH ROW EXECUTE FUNCTION require_open_account();

CREATE TRIGGER users_are_kept BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_are_shut_out_after_groups BEFORE UPDATE OF suspended_at ON public.users FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER users_close_accounts AFTER UPDATE OF closed_at ON public.users FOR EACH ROW WHEN (((old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION close_accounts();

CREATE TRIGGER users_keep_their_ids BEFORE UPDATE ON public.users FOR EACH ROW WHEN ((new.id <> old.id)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_stay_closed BEFORE UPDATE ON public.users FOR EACH ROW WHEN (((old.closed_at IS NOT NULL) AND ((((((new.closed_at IS DISTINCT FROM old.closed_at) OR (new.username IS DISTINCT FROM old.username)) OR (new.password_hash IS DISTINCT FROM old.password_hash)) OR (new.first_name IS DISTINCT FROM old.first_name)) OR (new.last_name IS DISTINCT FROM old.last_name)) OR (new.country IS DISTINCT FROM old.country)))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_tally_changed AFTER UPDATE ON public.users REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();

CREATE TRIGGER users_tally_new AFTER INSERT ON public.users REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();

CREATE TRIGGER users_tell_new AFTER INSERT ON public.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('user');

CREATE TRIGGER wallets_are_no_own_addresses AFTER INSERT ON public.wallets FOR EACH ROW EXECUTE FUNCTION refuse_own_wallet();

CREATE TRIGGER wallets_are_not_truncated BEFORE TRUNCATE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_assigned_are_kept BEFORE DELETE ON public.wallets FOR EACH ROW WHEN ((old.owner_id IS NOT NULL)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_stay_assigned BEFORE UPDATE ON public.wallets FOR EACH ROW WHEN ((((old.owner_id IS NOT NULL) AND (new.owner_id IS DISTINCT FROM old.owner_id)) OR (new.address <> old.address))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_tally_changed AFTER UPDATE ON public.wallets REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();

CREATE TRIGGER wallets_tally_deleted AFTER DELETE ON public.wallets REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();

CREATE TRIGGER wallets_tally_new AFTER INSERT ON public.wallets REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();

CREATE TRIGGER wallets_tell_assigned AFTER UPDATE ON public.wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');

CREATE TRIGGER wallets_tell_deleted AFTER DELETE ON public.wallets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');

CREATE TRIGGER wallets_tell_new AFTER INSERT ON public.wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');

CREATE TRIGGER wallets_unite_assigned AFTER UPDATE ON public.wallets REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION unite_owners();

CREATE TRIGGER wallets_unite_new AFTER INSERT ON public.wallets REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION unite_owners();

CREATE TRIGGER wind_downs_are_called_off_by_two BEFORE UPDATE OF called_off_id ON public.wind_downs FOR EACH ROW EXECUTE FUNCTION require_two_for_wind_down();

CREATE TRIGGER wind_downs_are_kept BEFORE DELETE ON public.wind_downs FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wind_downs_are_not_truncated BEFORE TRUNCATE ON public.wind_downs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wind_downs_stay BEFORE UPDATE ON public.wind_downs FOR EACH ROW WHEN (((((old.id IS DISTINCT FROM new.id) OR (old.last_maturity_at IS DISTINCT FROM new.last_maturity_at)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR ((old.mailed_at IS NOT NULL) AND (old.mailed_at IS DISTINCT FROM new.mailed_at)) OR (old.called_off_at IS NOT NULL))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wind_downs_take_two BEFORE INSERT ON public.wind_downs FOR EACH ROW EXECUTE FUNCTION require_two_for_wind_down();

CREATE TRIGGER write_offs_are_final BEFORE DELETE OR UPDATE ON public.write_offs FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER write_offs_are_not_truncated BEFORE TRUNCATE ON public.write_offs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
