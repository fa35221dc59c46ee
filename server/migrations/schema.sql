-- The schema after all migrations. Written by `npm run schema:dump`, compared by a test. Never edit it.


CREATE TABLE accounts (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  owner_id uuid NOT NULL,
  kind text NOT NULL,
  balance bigint,
  CONSTRAINT accounts_balance_not_negative CHECK ((balance >= 0)),
  CONSTRAINT accounts_guarded CHECK (((balance IS NULL) = (kind = ANY (ARRAY['custody'::text, 'operator'::text])))),
  CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['available'::text, 'held'::text, 'invested'::text, 'custody'::text, 'operator'::text, 'reserve'::text, 'committed'::text]))),
  CONSTRAINT accounts_of_the_pool CHECK (((owner_id = '00000000-0000-0000-0000-000000000000'::uuid) = (kind = ANY (ARRAY['custody'::text, 'operator'::text, 'reserve'::text, 'committed'::text])))),
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_one_per_kind UNIQUE (owner_id, kind)
) WITH (fillfactor=70);
COMMENT ON TABLE accounts IS 'The accounts of the double-entry ledger: three of each investor, four of the pool.';
COMMENT ON COLUMN accounts.owner_id IS 'An investor, or the nil UUID for the pool.';
COMMENT ON COLUMN accounts.balance IS 'Cents, written only by the trigger transfers_change_balances. NULL if it may go below zero. Such a balance is read from the transfers, so no posting locks the row.';

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
  CONSTRAINT approvals_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT approvals_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  CONSTRAINT approvals_pkey PRIMARY KEY (transaction_id, approved_by, payee_address)
);
COMMENT ON TABLE approvals IS 'Approvals of deposits and withdrawals that need two people. Final.';
COMMENT ON COLUMN approvals.payee_address IS 'The approved address. Empty for a deposit.';

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

CREATE TABLE investments (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  principal bigint NOT NULL,
  rate_basis_points integer NOT NULL,
  interest bigint NOT NULL,
  duration_days integer NOT NULL,
  status text NOT NULL,
  matures_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT investments_duration_days_check CHECK ((duration_days > 0)),
  CONSTRAINT investments_interest_check CHECK ((interest >= 0)),
  CONSTRAINT investments_principal_check CHECK ((principal > 0)),
  CONSTRAINT investments_rate_basis_points_check CHECK ((rate_basis_points >= 0)),
  CONSTRAINT investments_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'COMPLETED'::text]))),
  CONSTRAINT investments_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE investments IS 'Principal at work at fixed interest. ACTIVE, then COMPLETED once. No other column changes.';
COMMENT ON COLUMN investments.user_id IS 'Has no foreign key. The trigger investments_have_owners checks all new owners at once.';
COMMENT ON COLUMN investments.principal IS 'Cents.';
COMMENT ON COLUMN investments.rate_basis_points IS 'Interest for the whole duration, in hundredths of a percent of the principal.';
COMMENT ON COLUMN investments.interest IS 'Cents, set aside in the reserve when it was opened.';

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

CREATE TABLE login_throttles (
  key bytea NOT NULL,
  failures integer NOT NULL,
  last_at timestamp with time zone NOT NULL,
  succeeded_at timestamp with time zone,
  CONSTRAINT login_throttles_failures_check CHECK ((failures >= 0)),
  CONSTRAINT login_throttles_pkey PRIMARY KEY (key)
);
COMMENT ON TABLE login_throttles IS 'Failed sign-ins of all nodes by user, by IP and by both, and registrations by range of IPs.';
COMMENT ON COLUMN login_throttles.key IS 'Digest of the counted user, IP or range.';
COMMENT ON COLUMN login_throttles.failures IS 'Number of failures, or of all registrations in an hour.';
COMMENT ON COLUMN login_throttles.last_at IS 'The last attempt, or the first registration of the hour.';
COMMENT ON COLUMN login_throttles.succeeded_at IS 'The last sign-in of this user from this IP. NULL in other rows.';

CREATE TABLE migrations (
  number integer NOT NULL,
  name text NOT NULL,
  digest text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (number)
);

CREATE TABLE pauses (
  name text NOT NULL,
  movement text NOT NULL,
  paused_at timestamp with time zone,
  paused_by text,
  reason text,
  CONSTRAINT pauses_paused_with_a_reason CHECK ((num_nulls(paused_at, paused_by, reason) = ANY (ARRAY[0, 3]))),
  CONSTRAINT pauses_pkey PRIMARY KEY (name),
  CONSTRAINT pauses_movement_key UNIQUE (movement)
);
COMMENT ON TABLE pauses IS 'Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on.';
COMMENT ON COLUMN pauses.movement IS 'The movement that a pause refuses.';
COMMENT ON COLUMN pauses.paused_at IS 'NULL without a pause, like its actor and its reason.';

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

CREATE TABLE routines (
  digest text NOT NULL,
  objects jsonb NOT NULL
);

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT sessions_pkey PRIMARY KEY (token_hash)
) WITH (fillfactor=70);
COMMENT ON TABLE sessions IS 'Sessions of signed-in users. Deleted when they end.';
COMMENT ON COLUMN sessions.token_hash IS 'SHA-256 of the token. The token is not stored, so reading this table gives no access.';
COMMENT ON COLUMN sessions.last_used_at IS 'Written every 30 seconds of use. Has no index, so that the row is rewritten on its page.';

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
COMMENT ON COLUMN tallies.kind IS 'A type, network or action. Empty where rows have none.';
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
  CONSTRAINT transactions_amount_check CHECK ((amount > 0)),
  CONSTRAINT transactions_approvals_needed_check CHECK ((approvals_needed > 0)),
  CONSTRAINT transactions_decided_by_another CHECK ((decided_by <> user_id)),
  CONSTRAINT transactions_deposit_has_wallet CHECK (((type = 'deposit'::text) = (wallet_id IS NOT NULL))),
  CONSTRAINT transactions_evidence_on_a_network CHECK (((evidence IS NULL) = (evidence_network IS NULL))),
  CONSTRAINT transactions_of_an_investment CHECK (((type = ANY (ARRAY['investment'::text, 'payout'::text])) = (investment_id IS NOT NULL))),
  CONSTRAINT transactions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'COMPLETED'::text, 'PROCESSING'::text, 'EXPIRED'::text]))),
  CONSTRAINT transactions_type_check CHECK ((type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'investment'::text, 'payout'::text]))),
  CONSTRAINT transactions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  CONSTRAINT transactions_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  CONSTRAINT transactions_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE transactions IS 'Requests and receipts of an investor. PENDING, then one final status. No other column changes.';
COMMENT ON COLUMN transactions.user_id IS 'Has no foreign key. The trigger transactions_have_owners checks all new owners at once.';
COMMENT ON COLUMN transactions.amount IS 'Cents.';
COMMENT ON COLUMN transactions.wallet_id IS 'Deposit: the wallet that receives it.';
COMMENT ON COLUMN transactions.destination_address IS 'Withdrawal: the text that the investor wrote.';
COMMENT ON COLUMN transactions.investment_id IS 'Investment or payout: no foreign key, since transactions_have_investments checks it.';
COMMENT ON COLUMN transactions.reason IS 'The approver''s reason for a rejection, or empty.';
COMMENT ON COLUMN transactions.decided_by IS 'NULL while pending, and after an expiry.';
COMMENT ON COLUMN transactions.updated_at IS 'The moment of the decision, once there is one.';
COMMENT ON COLUMN transactions.destination_network IS 'Withdrawal: the network that the investor named, else empty.';
COMMENT ON COLUMN transactions.approvals_needed IS 'Number of people who must decide. Becomes 2 when a limit demands it.';
COMMENT ON COLUMN transactions.evidence_network IS 'The network of the evidence.';
COMMENT ON COLUMN transactions.evidence IS 'On-chain transaction that the confirmation of a deposit rests on.';
COMMENT ON COLUMN transactions.payee_address IS 'The address that a withdrawal was approved for, else NULL.';

CREATE TABLE transfers (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  movement text NOT NULL,
  reference_id uuid NOT NULL,
  from_account_id bigint NOT NULL,
  to_account_id bigint NOT NULL,
  amount bigint NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT transfers_amount_check CHECK ((amount > 0)),
  CONSTRAINT transfers_between_two_accounts CHECK ((from_account_id <> to_account_id)),
  CONSTRAINT transfers_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE transfers IS 'Money moved from one account to another, so the ledger sums to zero. Rows never change.';
COMMENT ON COLUMN transfers.movement IS 'The movement that it belongs to (ledger/movements.ts).';
COMMENT ON COLUMN transfers.reference_id IS 'The transaction, investment or contribution that caused it.';
COMMENT ON COLUMN transfers.from_account_id IS 'Has no foreign key, nor has to_account_id. Their checks would take a third of a posting. Accounts are never deleted, and the ledger check finds transfers of others.';
COMMENT ON COLUMN transfers.amount IS 'Cents.';

CREATE TABLE user_roles (
  user_id uuid NOT NULL,
  role text NOT NULL,
  granted_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT user_roles_role_check CHECK ((role = ANY (ARRAY['USER'::text, 'ADMIN'::text, 'SUPER_ADMIN'::text]))),
  CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT user_roles_pkey PRIMARY KEY (user_id, role)
);
COMMENT ON TABLE user_roles IS 'Roles of users. A revoked role is deleted.';

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
  CONSTRAINT users_username_is_lower_case CHECK ((username = lower(username))),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_username_key UNIQUE (username)
);
COMMENT ON TABLE users IS 'People who can sign in. Rows stay and keep their ids.';
COMMENT ON COLUMN users.username IS 'The email address, in lower case.';
COMMENT ON COLUMN users.password_hash IS 'Argon2id, in the PHC format.';
COMMENT ON COLUMN users.country IS 'Two letters, as registration sent them.';
COMMENT ON COLUMN users.suspended_at IS 'Moment of the suspension. NULL when the user may sign in.';

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
  CONSTRAINT wallets_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  CONSTRAINT wallets_pkey PRIMARY KEY (id),
  CONSTRAINT wallets_one_per_owner UNIQUE (owner_id)
);
COMMENT ON TABLE wallets IS 'Addresses that investors send deposits to.';
COMMENT ON COLUMN wallets.owner_id IS 'The investor that it is assigned to, for good. NULL when available.';

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

CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, created_at, id);

CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (lower(actor) text_pattern_ops);

CREATE INDEX audit_entries_by_age ON public.audit_entries USING btree (created_at, id);

CREATE INDEX audit_entries_by_owner ON public.audit_entries USING btree (owner_id) WHERE (owner_id IS NOT NULL);

CREATE INDEX audit_entries_by_subject ON public.audit_entries USING btree (subject_id);

CREATE INDEX audit_entries_not_about_users ON public.audit_entries USING btree (created_at, id) WHERE (subject_type <> 'user'::text);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX investments_by_age ON public.investments USING btree (created_at DESC, id DESC);

CREATE INDEX investments_by_interest ON public.investments USING btree (interest, id);

CREATE INDEX investments_by_maturity ON public.investments USING btree (matures_at, id);

CREATE INDEX investments_by_principal ON public.investments USING btree (principal, id);

CREATE INDEX investments_by_status ON public.investments USING btree (created_at DESC, id DESC) WHERE (status = 'COMPLETED'::text);

CREATE INDEX investments_by_user ON public.investments USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX investments_maturing ON public.investments USING btree (matures_at, id) INCLUDE (principal, interest) WHERE (status = 'ACTIVE'::text);

CREATE INDEX login_throttles_by_age ON public.login_throttles USING btree (last_at);

CREATE INDEX payout_addresses_by_address ON public.payout_addresses USING btree (user_id, lower(address), created_at);

CREATE INDEX payout_addresses_in_use ON public.payout_addresses USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX transactions_by_age ON public.transactions USING btree (created_at DESC, id DESC);

CREATE INDEX transactions_by_amount ON public.transactions USING btree (amount, id);

CREATE INDEX transactions_by_change ON public.transactions USING btree (updated_at, id);

CREATE INDEX transactions_by_destination ON public.transactions USING btree (lower(destination_address), user_id, created_at) WHERE (type = 'withdrawal'::text);

CREATE INDEX transactions_by_status ON public.transactions USING btree (status, created_at DESC, id DESC) WHERE (status <> 'COMPLETED'::text);

CREATE INDEX transactions_by_type ON public.transactions USING btree (type, created_at DESC, id DESC) WHERE (type = ANY (ARRAY['deposit'::text, 'withdrawal'::text]));

CREATE INDEX transactions_by_user ON public.transactions USING btree (user_id, created_at DESC, id DESC);

CREATE INDEX transactions_decided_alone ON public.transactions USING btree (updated_at) INCLUDE (decided_by, user_id, amount) WHERE ((decided_by IS NOT NULL) AND (status <> 'REJECTED'::text) AND (approvals_needed = 1));

CREATE UNIQUE INDEX transactions_evidence_once ON public.transactions USING btree (evidence_network, evidence) WHERE (evidence IS NOT NULL);

CREATE UNIQUE INDEX transactions_once_per_investment ON public.transactions USING btree (investment_id, type) WHERE (investment_id IS NOT NULL);

CREATE INDEX transactions_open_deposits ON public.transactions USING btree (user_id) WHERE ((type = 'deposit'::text) AND (status = 'PENDING'::text));

CREATE INDEX transfers_by_reference ON public.transfers USING btree (reference_id);

CREATE INDEX user_roles_by_role ON public.user_roles USING btree (role, user_id);

CREATE INDEX users_by_age ON public.users USING btree (created_at, id);

CREATE INDEX users_by_name ON public.users USING btree (lower((((first_name || ' '::text) || last_name) COLLATE "und-x-icu")), id);

CREATE INDEX wallet_assignments_by_age ON public.wallet_assignments USING btree (assigned_at);

CREATE INDEX wallet_assignments_by_source ON public.wallet_assignments USING btree (source, assigned_at);

CREATE UNIQUE INDEX wallets_address_key ON public.wallets USING btree (lower(address));

CREATE INDEX wallets_available ON public.wallets USING btree (created_at, id) WHERE (owner_id IS NULL);

CREATE INDEX wallets_by_age ON public.wallets USING btree (created_at, id);

CREATE INDEX wallets_by_network ON public.wallets USING btree (network_name, created_at, id);

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
    transactions.status,
    count(*) AS rows,
    sum(transactions.amount) AS cents,
    0 AS interest
   FROM transactions
  WHERE (transactions.status = 'APPROVED'::text)
  GROUP BY (utc_day(transactions.updated_at)), transactions.type, transactions.status
UNION ALL
 SELECT 'investments'::text AS noun,
    utc_day(investments.created_at) AS day,
    ''::text AS kind,
    investments.status,
    count(*) AS rows,
    sum(investments.principal) AS cents,
    sum(investments.interest) AS interest
   FROM investments
  GROUP BY (utc_day(investments.created_at)), investments.status
UNION ALL
 SELECT 'maturities'::text AS noun,
    utc_day(investments.updated_at) AS day,
    ''::text AS kind,
    investments.status,
    count(*) AS rows,
    sum(investments.principal) AS cents,
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
    wallet_status(wallets.owner_id) AS status,
    count(*) AS rows,
    0 AS cents,
    0 AS interest
   FROM wallets
  GROUP BY (utc_day(wallets.created_at)), wallets.network_name, (wallet_status(wallets.owner_id))
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

CREATE OR REPLACE FUNCTION public.account_owner(owner_id uuid, kind text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN kind IN ('available', 'held', 'invested') THEN owner_id ELSE '00000000-0000-0000-0000-000000000000' END
$function$
;

CREATE OR REPLACE FUNCTION public.admit_login(pair bytea, username bytea, ip bytea)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  counted   bytea[];
  waits_for timestamptz;
BEGIN
  -- One lock order prevents deadlocks.
  PERFORM pg_advisory_xact_lock(7, n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(ARRAY[username, ip]) AS k ORDER BY n) AS keys;

  counted := CASE WHEN EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days')
    THEN ARRAY[pair] ELSE ARRAY[pair, username, ip] END;
  SELECT max(CASE key
      WHEN pair THEN next_login_at(t, 10, interval '1 hour')
      WHEN username THEN next_login_at(t, 20, interval '1 hour')
      ELSE next_login_at(t, 50, interval '15 minutes') END)
    INTO waits_for FROM login_throttles AS t WHERE key = ANY (counted);
  IF waits_for > clock_timestamp() THEN RETURN ceil(extract(epoch FROM waits_for - clock_timestamp())); END IF;

  INSERT INTO login_throttles AS t (key, failures, last_at) SELECT k, 1, clock_timestamp() FROM unnest(counted) AS k ORDER BY k
  ON CONFLICT (key) DO UPDATE SET last_at = clock_timestamp(),
    failures = CASE WHEN t.last_at < clock_timestamp() - interval '1 day' THEN 1 ELSE t.failures + 1 END;
  RETURN 0;
END $function$
;

CREATE OR REPLACE FUNCTION public.admit_registration(source bytea, most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  began timestamptz;
BEGIN
  DELETE FROM login_throttles
  WHERE key = source AND last_at NOT BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp() + interval '1 minute';

  INSERT INTO login_throttles AS t (key, failures, last_at) VALUES (source, 1, clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = t.failures + 1 WHERE t.failures < most;
  IF FOUND THEN RETURN 0; END IF;

  SELECT last_at INTO STRICT began FROM login_throttles WHERE key = source;
  RETURN greatest(1, ceil(extract(epoch FROM began + interval '1 hour' - clock_timestamp())));
END $function$
;

CREATE OR REPLACE FUNCTION public.apply_transfers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE accounts SET balance = balance + change.amount
  FROM (
    SELECT account_id, sum(amount)::bigint AS amount
    FROM (SELECT to_account_id, amount FROM posted UNION ALL SELECT from_account_id, -amount FROM posted) AS side (account_id, amount)
    GROUP BY account_id
  ) AS change
  WHERE accounts.id = change.account_id AND accounts.balance IS NOT NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.assign_wallets(owners uuid[], sources bytea[], per_ip integer[], per_hour integer[])
 RETURNS jsonb[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  needy uuid[] := ARRAY(
    SELECT owner FROM unnest(owners) WITH ORDINALITY AS o (owner, at)
    WHERE NOT EXISTS (SELECT FROM wallets WHERE owner_id = owner)
    GROUP BY owner ORDER BY min(at));
  held  jsonb := '{}';
BEGIN
  IF cardinality(needy) > 0 THEN
    held := hold_newcomers(owners, sources, per_ip, per_hour, needy);
    needy := ARRAY(SELECT asker FROM unnest(needy) WITH ORDINALITY AS n (asker, at) WHERE NOT held ? asker::text ORDER BY at);
    WITH free AS (
      SELECT id FROM wallets WHERE owner_id IS NULL ORDER BY created_at, id LIMIT cardinality(needy) FOR UPDATE SKIP LOCKED
    ), matched AS (
      SELECT id, needy[row_number() OVER ()] AS user_id FROM free
    )
    UPDATE wallets SET owner_id = matched.user_id, updated_at = now() FROM matched WHERE wallets.id = matched.id;
  END IF;

  RETURN ARRAY(
    SELECT CASE
      WHEN w.id IS NULL THEN coalesce(held -> owner::text, '{"refused": "noWalletAvailable"}')
      -- At most 20 deposits of an account wait, this group's included.
      WHEN open.deposits + row_number() OVER (PARTITION BY owner ORDER BY at) > 20 THEN '{"refused": "tooManyOpenDeposits"}'
      ELSE jsonb_build_object('walletId', w.id, 'address', w.address, 'networkName', w.network_name)
    END
    FROM unnest(owners) WITH ORDINALITY AS o (owner, at)
    LEFT JOIN wallets AS w ON w.owner_id = owner
    CROSS JOIN LATERAL (
      SELECT count(*) AS deposits FROM transactions WHERE user_id = owner AND type = 'deposit' AND status = 'PENDING'
    ) AS open
    ORDER BY at);
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

CREATE OR REPLACE FUNCTION public.decided_alone()
 RETURNS TABLE(approver uuid, investor uuid, amount bigint)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT decided_by, user_id, sum(amount)::bigint FROM transactions
  WHERE decided_by IS NOT NULL AND status <> 'REJECTED' AND approvals_needed = 1 AND updated_at > now() - interval '24 hours'
  GROUP BY decided_by, user_id
$function$
;

CREATE OR REPLACE FUNCTION public.hold_newcomers(owners uuid[], sources bytea[], per_ip integer[], per_hour integer[], needy uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  few      CONSTANT integer := 3; -- per hour, always allowed
  held     jsonb := '{}';
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
    SELECT n.asker, o.source, o.per_ip, o.per_hour
    FROM unnest(needy) WITH ORDINALITY AS n (asker, at)
    CROSS JOIN LATERAL (
      SELECT * FROM unnest(owners, sources, per_ip, per_hour) WITH ORDINALITY AS o (owner, source, per_ip, per_hour, at)
      WHERE o.owner = n.asker ORDER BY o.at LIMIT 1
    ) AS o
    WHERE o.source IS NOT NULL ORDER BY n.at
  LOOP
    IF moment IS NULL THEN
      PERFORM pg_advisory_xact_lock(7031990);
      moment := clock_timestamp();
      recent := ARRAY(
        SELECT assigned_at FROM wallet_assignments
        WHERE assigned_at > moment - interval '1 hour' AND assigned_at <= moment ORDER BY assigned_at);
      -- More than the limit of an hour need not be counted.
      SELECT count(*) INTO free FROM (SELECT FROM wallets WHERE owner_id IS NULL LIMIT this.per_hour) AS available;
    END IF;
    EXIT WHEN free = 0;

    own := ARRAY(
      SELECT assigned_at FROM wallet_assignments
      WHERE source = this.source AND assigned_at > moment - interval '1 day' AND assigned_at <= moment ORDER BY assigned_at);
    -- An hour takes at most 3/4 of the stock. After half of it, a connection that got one today
    -- gets no more.
    most := least(this.per_hour, greatest(few, 3 * free));
    IF cardinality(own) > 0 THEN most := least(most, greatest(few, least(this.per_hour / 2, free))); END IF;

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
    held := held || jsonb_build_object(this.asker, CASE WHEN cardinality(own) >= this.per_ip
      THEN jsonb_build_object('refused', 'tooManyNewWallets', 'hours', ceil(seconds / 3600))
      ELSE jsonb_build_object('refused', 'walletsInDemand', 'minutes', ceil(seconds / 60)) END);
  END LOOP;
  RETURN held;
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

CREATE OR REPLACE FUNCTION public.login_succeeded(pair bytea, username bytea, ip bytea)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(7, n) FROM (SELECT hashtext(encode(k, 'hex')) AS n FROM unnest(ARRAY[username, ip]) AS k ORDER BY n) AS keys;
  IF NOT EXISTS (SELECT FROM login_throttles WHERE key = pair AND succeeded_at > clock_timestamp() - interval '90 days') THEN
    UPDATE login_throttles SET failures = greatest(failures - 1, 0) WHERE key IN (username, ip);
  END IF;
  INSERT INTO login_throttles (key, failures, last_at, succeeded_at) VALUES (pair, 0, clock_timestamp(), clock_timestamp())
  ON CONFLICT (key) DO UPDATE SET failures = 0, last_at = excluded.last_at, succeeded_at = excluded.succeeded_at;
END $function$
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

CREATE OR REPLACE FUNCTION public.pay_matured(payouts uuid[], legs json, OUT matured integer, OUT paid bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  ids        uuid[];
  owners     uuid[];
  principals bigint[];
  interests  bigint[];
  posted     integer;
BEGIN
  SELECT array_agg(id), array_agg(user_id), array_agg(principal), array_agg(interest), count(*), coalesce(sum(principal + interest), 0)
  INTO ids, owners, principals, interests, matured, paid FROM (
    SELECT id, user_id, principal, interest FROM investments WHERE status = 'ACTIVE' AND matures_at <= now()
    ORDER BY matures_at, id LIMIT cardinality(payouts) FOR NO KEY UPDATE SKIP LOCKED
  ) AS due;
  IF matured = 0 THEN RETURN; END IF;

  UPDATE investments SET status = 'COMPLETED', updated_at = now() WHERE id = ANY (ids);

  INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
  SELECT payouts[at], owner, 'payout', principal + interest, 'COMPLETED', id, now(), now()
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at);

  PERFORM FROM (
    SELECT DISTINCT account_owner(owner, kind) AS owner_id, kind
    FROM unnest(owners) AS owner CROSS JOIN (
      SELECT "from" FROM json_to_recordset(legs) AS leg ("from" text) UNION SELECT "to" FROM json_to_recordset(legs) AS leg ("to" text)
    ) AS side (kind)
  ) AS named JOIN accounts AS a USING (owner_id, kind) ORDER BY a.id FOR NO KEY UPDATE OF a;

  INSERT INTO transfers (movement, reference_id, from_account_id, to_account_id, amount)
  SELECT 'investment_matured', due.id, source.id, target.id, amount
  FROM unnest(ids, owners, principals, interests) WITH ORDINALITY AS due (id, owner, principal, interest, at)
  CROSS JOIN ROWS FROM (json_to_recordset(legs) AS ("from" text, "to" text, moves text)) WITH ORDINALITY AS leg (from_kind, to_kind, moves, number)
  CROSS JOIN LATERAL (SELECT CASE moves WHEN 'principal' THEN principal WHEN 'interest' THEN interest END) AS moved (amount)
  JOIN accounts AS source ON source.kind = from_kind AND source.owner_id = account_owner(due.owner, from_kind)
  JOIN accounts AS target ON target.kind = to_kind AND target.owner_id = account_owner(due.owner, to_kind)
  WHERE amount IS DISTINCT FROM 0
  ORDER BY due.at, leg.number;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted <> (
    SELECT count(*) FROM unnest(principals, interests) AS due (principal, interest), json_to_recordset(legs) AS leg (moves text)
    WHERE CASE moves WHEN 'principal' THEN principal WHEN 'interest' THEN interest END IS DISTINCT FROM 0
  ) THEN
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
  LOCK TABLE transactions, investments, users, wallets, audit_entries, accounts, tallies IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM tallies;
  PERFORM tally(ARRAY(SELECT (noun, day, kind, status, rows, cents, interest)::tally_change FROM recounted));
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE OR REPLACE FUNCTION public.require_approvals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF (SELECT count(*) FROM approvals
      WHERE transaction_id = NEW.id AND approved_by <> NEW.user_id AND payee_address = coalesce(NEW.payee_address, '')) < NEW.approvals_needed THEN
    RAISE EXCEPTION 'transaction % needs % approvals', NEW.id, NEW.approvals_needed USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_investment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF EXISTS (
    SELECT FROM come WHERE investment_id IS NOT NULL
      AND (SELECT user_id FROM investments WHERE id = come.investment_id) IS DISTINCT FROM come.user_id
  ) THEN
    RAISE EXCEPTION '% names an investment that its owner does not have', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
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
    ), alone AS MATERIALIZED (SELECT * FROM decided_alone() WHERE EXISTS (SELECT FROM fresh))
    SELECT FROM approval_limits AS l CROSS JOIN LATERAL (
      SELECT sum(amount), l.per_pool FROM alone
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY approver HAVING approver IN (SELECT decided_by FROM fresh)
      UNION ALL SELECT sum(amount), l.per_person FROM alone GROUP BY investor HAVING investor IN (SELECT user_id FROM fresh)
    ) AS s (total, most) WHERE s.total > s.most
    UNION ALL SELECT FROM fresh WHERE updated_at <> now() OR decided_by IS NULL
  ) THEN
    RAISE EXCEPTION 'one person may not decide about that much alone' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.require_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM come WHERE (SELECT id FROM users WHERE id = come.user_id) IS NULL) THEN
    RAISE EXCEPTION '% names a user that does not exist', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $function$
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

CREATE OR REPLACE FUNCTION public.tally(changes tally_change[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  free   integer := 0;
  change tally_change;
  known  integer;
BEGIN
  WHILE NOT pg_try_advisory_xact_lock(7031989, free) LOOP free := free + 1; END LOOP;
  FOREACH change IN ARRAY changes LOOP
    CONTINUE WHEN change.rows = 0 AND change.cents = 0 AND change.interest = 0;
    UPDATE tallies AS t SET rows = t.rows + change.rows, cents = t.cents + change.cents, interest = t.interest + change.interest
    WHERE t.noun = change.noun AND t.day = ANY (ARRAY[change.day, '-infinity']) AND t.kind = change.kind AND t.status = change.status AND t.slot = free;
    GET DIAGNOSTICS known = ROW_COUNT;
    -- The first row of its kind today, or ever. No other transaction writes to this slot.
    IF known < 1 + (change.day <> '-infinity')::integer THEN
      INSERT INTO tallies (noun, day, kind, status, slot, rows, cents, interest)
      SELECT change.noun, d.day, change.kind, change.status, free, change.rows, change.cents, change.interest
      FROM (SELECT change.day UNION SELECT '-infinity') AS d (day)
      ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;
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

CREATE OR REPLACE FUNCTION public.tally_investments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  changes tally_change[] := ARRAY(SELECT ('investments', utc_day(created_at), '', status, count(*), sum(principal), sum(interest))::tally_change
    FROM come GROUP BY utc_day(created_at), status);
BEGIN
  IF EXISTS (SELECT FROM come WHERE status = 'COMPLETED') THEN
    changes := changes || ARRAY(SELECT ('maturities', utc_day(updated_at), '', status, count(*), sum(principal), sum(interest))::tally_change
      FROM come WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('investments', utc_day(created_at), '', status, -count(*), -sum(principal), -sum(interest))::tally_change
        FROM gone GROUP BY utc_day(created_at), status)
      || ARRAY(SELECT ('maturities', utc_day(updated_at), '', status, -count(*), -sum(principal), -sum(interest))::tally_change
        FROM gone WHERE status = 'COMPLETED' GROUP BY utc_day(updated_at), status);
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
  changes tally_change[] := ARRAY(SELECT ('transactions', utc_day(created_at), type, status, count(*), sum(amount), 0)::tally_change
    FROM come GROUP BY utc_day(created_at), type, status);
BEGIN
  IF EXISTS (SELECT FROM come WHERE status = 'APPROVED') THEN
    changes := changes || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, count(*), sum(amount), 0)::tally_change
      FROM come WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    changes := changes
      || ARRAY(SELECT ('transactions', utc_day(created_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone GROUP BY utc_day(created_at), type, status)
      || ARRAY(SELECT ('decisions', utc_day(updated_at), type, status, -count(*), -sum(amount), 0)::tally_change
        FROM gone WHERE status = 'APPROVED' GROUP BY utc_day(updated_at), type, status);
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
    changes := ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id), count(*), 0, 0)::tally_change
      FROM come GROUP BY utc_day(created_at), network_name, wallet_status(owner_id));
  END IF;
  IF TG_OP <> 'INSERT' THEN
    changes := changes || ARRAY(SELECT ('wallets', utc_day(created_at), network_name, wallet_status(owner_id), -count(*), 0, 0)::tally_change
      FROM gone GROUP BY utc_day(created_at), network_name, wallet_status(owner_id));
  END IF;
  PERFORM tally(changes);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_changes(changes text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('changes', '[' || string_agg(change, ',' ORDER BY at) || ']')
  FROM unnest(changes) WITH ORDINALITY AS c (change, at) GROUP BY (at - 1) / 50 ORDER BY (at - 1) / 50;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_ended_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT DISTINCT format('["%s","session"]', user_id) FROM changed));
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.tell_investments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT format('["%s","investment","%s","investment","%s",%s]', user_id, id, status, principal) FROM changed));
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

CREATE OR REPLACE FUNCTION public.tell_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM tell_changes(ARRAY(SELECT format('["%s","transaction","%s","%s","%s",%s]', user_id, id, type, status, amount) FROM changed));
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

CREATE OR REPLACE FUNCTION public.wallet_status(owner_id uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN owner_id IS NULL THEN 'available' ELSE 'assigned' END
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

CREATE TRIGGER accounts_are_kept BEFORE DELETE ON public.accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_are_not_truncated BEFORE TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_change_by_transfer BEFORE UPDATE ON public.accounts FOR EACH ROW WHEN (((pg_trigger_depth() = 0) OR (new.id <> old.id) OR (new.owner_id <> old.owner_id) OR (new.kind <> old.kind))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER accounts_open_empty BEFORE INSERT ON public.accounts FOR EACH ROW WHEN ((new.balance <> 0)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER approvals_are_final BEFORE DELETE OR UPDATE ON public.approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER approvals_are_not_truncated BEFORE TRUNCATE ON public.approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_final BEFORE DELETE OR UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_not_truncated BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_of_now BEFORE INSERT ON public.audit_entries FOR EACH ROW WHEN ((new.created_at <> now())) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_entries_are_sealed AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION queue_for_sealing();

CREATE TRIGGER audit_entries_tally_new AFTER INSERT ON public.audit_entries REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();

CREATE TRIGGER audit_seals_are_final BEFORE DELETE OR UPDATE ON public.audit_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER audit_seals_are_not_truncated BEFORE TRUNCATE ON public.audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contributions_are_final BEFORE DELETE OR UPDATE ON public.contributions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER contributions_are_not_truncated BEFORE TRUNCATE ON public.contributions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER investments_are_kept BEFORE DELETE ON public.investments FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER investments_are_not_truncated BEFORE TRUNCATE ON public.investments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER investments_complete_once BEFORE UPDATE ON public.investments FOR EACH ROW WHEN (((old.status <> 'ACTIVE'::text) OR (new.status <> 'COMPLETED'::text) OR (new.id <> old.id) OR (new.user_id <> old.user_id) OR (new.principal <> old.principal) OR (new.interest <> old.interest) OR (new.matures_at <> old.matures_at))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER investments_have_owners AFTER INSERT ON public.investments REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_owner();

CREATE TRIGGER investments_tally_completed AFTER UPDATE ON public.investments REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_investments();

CREATE TRIGGER investments_tally_new AFTER INSERT ON public.investments REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_investments();

CREATE TRIGGER investments_tell_completed AFTER UPDATE ON public.investments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_investments();

CREATE TRIGGER investments_tell_new AFTER INSERT ON public.investments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_investments();

CREATE TRIGGER pauses_tell_changed AFTER UPDATE ON public.pauses REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('pause');

CREATE TRIGGER pauses_wait_for_groups BEFORE INSERT OR DELETE OR UPDATE ON public.pauses FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER payout_addresses_are_kept BEFORE DELETE OR UPDATE ON public.payout_addresses FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER payout_addresses_are_not_truncated BEFORE TRUNCATE ON public.payout_addresses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER sessions_change_after_groups BEFORE UPDATE OF token_hash, user_id, created_at ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER sessions_end_after_groups BEFORE DELETE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER sessions_end_all_after_groups BEFORE TRUNCATE ON public.sessions FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER sessions_tell_ended AFTER DELETE ON public.sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_ended_sessions();

CREATE TRIGGER transactions_approved_by_enough BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((new.status = ANY (ARRAY['APPROVED'::text, 'PROCESSING'::text, 'COMPLETED'::text])) AND (new.approvals_needed > 1))) EXECUTE FUNCTION require_approvals();

CREATE TRIGGER transactions_are_decided_once BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN (((old.status <> 'PENDING'::text) OR (new.id <> old.id) OR (new.user_id <> old.user_id) OR (new.type <> old.type) OR (new.amount <> old.amount) OR (new.approvals_needed < old.approvals_needed) OR (new.created_at <> old.created_at) OR (new.destination_address <> old.destination_address) OR (new.destination_network <> old.destination_network))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_are_kept BEFORE DELETE ON public.transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_are_not_truncated BEFORE TRUNCATE ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_have_investments AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_investment();

CREATE TRIGGER transactions_have_owners AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_owner();

CREATE TRIGGER transactions_keep_their_investments BEFORE UPDATE ON public.transactions FOR EACH ROW WHEN ((new.investment_id IS DISTINCT FROM old.investment_id)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transactions_tally_decided AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();

CREATE TRIGGER transactions_tally_new AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_transactions();

CREATE TRIGGER transactions_tell_decided AFTER UPDATE ON public.transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();

CREATE TRIGGER transactions_tell_new AFTER INSERT ON public.transactions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_transactions();

CREATE TRIGGER transactions_within_limits AFTER UPDATE ON public.transactions REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION require_limits();

CREATE TRIGGER transfers_are_final BEFORE DELETE OR UPDATE ON public.transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transfers_are_not_truncated BEFORE TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER transfers_change_balances AFTER INSERT ON public.transfers REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION apply_transfers();

CREATE TRIGGER roles_are_cleared_after_groups BEFORE TRUNCATE ON public.user_roles FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER roles_are_revoked_after_groups BEFORE DELETE OR UPDATE ON public.user_roles FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER users_are_kept BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_are_not_truncated BEFORE TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_are_shut_out_after_groups BEFORE UPDATE OF suspended_at ON public.users FOR EACH STATEMENT EXECUTE FUNCTION wait_for_groups();

CREATE TRIGGER users_keep_their_ids BEFORE UPDATE ON public.users FOR EACH ROW WHEN ((new.id <> old.id)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER users_tally_changed AFTER UPDATE ON public.users REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();

CREATE TRIGGER users_tally_new AFTER INSERT ON public.users REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_users();

CREATE TRIGGER users_tell_new AFTER INSERT ON public.users REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('user');

CREATE TRIGGER wallets_are_not_truncated BEFORE TRUNCATE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_assigned_are_kept BEFORE DELETE ON public.wallets FOR EACH ROW WHEN ((old.owner_id IS NOT NULL)) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_stay_assigned BEFORE UPDATE ON public.wallets FOR EACH ROW WHEN ((((old.owner_id IS NOT NULL) AND (new.owner_id IS DISTINCT FROM old.owner_id)) OR (new.address <> old.address))) EXECUTE FUNCTION refuse_change();

CREATE TRIGGER wallets_tally_changed AFTER UPDATE ON public.wallets REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();

CREATE TRIGGER wallets_tally_deleted AFTER DELETE ON public.wallets REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();

CREATE TRIGGER wallets_tally_new AFTER INSERT ON public.wallets REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION tally_wallets();

CREATE TRIGGER wallets_tell_assigned AFTER UPDATE ON public.wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');

CREATE TRIGGER wallets_tell_deleted AFTER DELETE ON public.wallets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');

CREATE TRIGGER wallets_tell_new AFTER INSERT ON public.wallets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_noun('wallet');
