import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../config.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { openLog } from '../process/log.ts'
import { type TestDatabase, testDatabase } from '../testing/database.ts'
import { LIVE } from '../testing/live.ts'
import { connectTo, dataDirectory } from '../testing/process.ts'
import { requireLeastPrivilege } from './leastPrivilege.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Rights of the product's role to each table, by initial. A new table needs a line and a grant. */
const RIGHTS = {
  accounts: 'SIU',
  address_keys: 'SIU',
  approval_limits: 'SU',
  approvals: 'SI',
  archived_months: 'S',
  audit_entries: 'SI',
  audit_seals: 'SI',
  audit_unsealed: 'SID',
  balance_checks: 'SIU',
  chain_blocks: 'SID',
  chains: 'SIU',
  borrowers: 'SIU',
  claims: 'SIU',
  closing_balances: 'S',
  contributions: 'SI',
  email_links: 'SIUD',
  factors: 'SIUD',
  freeze_links: 'SIUD',
  idempotency_keys: 'SID',
  investments: 'S',
  known_devices: 'SIUD',
  ledger_checks: 'SI',
  links: 'SIUD',
  loan_defaults: 'SI',
  loan_disbursements: 'SI',
  loan_instalments: 'SIU',
  loan_moves: 'SI',
  loan_repayment_parts: 'SI',
  loan_repayments: 'SIU',
  loan_restructurings: 'SI',
  loan_reversals: 'SI',
  loan_write_offs: 'SI',
  loans: 'SIU',
  login_throttles: 'SIUD',
  mail_deliveries: 'SI',
  mails: 'SIUD',
  heartbeats: 'SU',
  notice_mailing: 'SU',
  notice_settings: 'SIUD',
  migrations: 'S',
  movement_months: 'S',
  movements: 'SI',
  movements_begin: null,
  movements_later: null,
  notes: 'SID',
  password_resets: 'SIUD',
  pauses: 'SU',
  payments: 'SIU',
  payout_addresses: 'SID',
  payout_alarms: 'SIU',
  plans: 'SI',
  pool_mode: 'SI',
  price_readings: 'SIUD',
  proposals: 'SIU',
  quotes: 'SI',
  rates: 'SI',
  recounted: 'S',
  recovery_codes: 'SIUD',
  routines: 'S',
  sessions: 'SIUD',
  tallies: 'SIU',
  transactions: 'SIU',
  transfers: 'S',
  unseen_arrivals: 'SIU',
  used_challenges: 'SID',
  user_roles: 'SID',
  users: 'SIU',
  wallet_assignments: 'SID',
  wallets: 'SIUD',
  write_offs: 'SI',
  own_addresses: 'SI',
  batches: 'SIU',
  batch_payouts: 'SIU',
  batch_inputs: 'SIU',
  spendings: 'SIU',
  spent_coins: 'SID',
  sent_coins: 'SID',
  coin_movements: 'SI',
  coin_facts_due: 'SID',
  network_fees: 'SIU',
  reconciliations: 'SI',
  reconciled_networks: 'SI',
  reconciled_coins: 'SI',
  reconciled_lines: 'SI',
  accepted_breaks: 'SI',
}

/** Columns that the role may change, of tables that it may not change whole. */
const UPDATED = {
  accounts: 'balance closed_at',
  address_keys: 'derived_at ended_at next_index',
  approval_limits: 'per_person per_pool',
  balance_checks: 'height units',
  borrowers: 'country grade grade_reason graded_at kind name relation user_id',
  claims: 'open',
  factors: 'counter last_step last_used_at name',
  heartbeats: 'at',
  links: 'ended_at',
  loan_instalments: 'interest_paid principal_paid replaced',
  loan_repayments: 'reversed',
  loans: 'closed_at closed_by closed_for outstanding recovered status written_off',
  notice_mailing: 'until',
  pauses: 'paused_at paused_by reason reconciliation_id',
  network_fees: 'returned_at status',
  payments:
    'address asset block_hash changed_at confirmed_at decimals deposit_id dollars height inputs rate_at rate_source settled_as state units',
  payout_alarms: 'ended_at found_at reason settled_at settled_by',
  proposals: 'alone decided_at decided_by ended_at rests_until status',
  recovery_codes: 'used_at',
  sessions: 'factor_at factor_mac last_used_at',
  tallies: 'cents interest rows',
  transactions:
    'amount approvals_needed basis completed_at completed_basis completed_by decided_by ending evidence evidence_network evidence_output investment_status outgoing payee_address reason requested_amount return_id returned_at sent_at sent_basis sent_by sent_evidence sent_network sent_output status updated_at',
  unseen_arrivals: 'reason settled_at settled_by',
  users:
    'closed_at country email_confirmed_at first_name frozen_at frozen_since last_name password_hash suspended_at taken_back_at updated_at username withdrawals_rest_until',
  wallets: 'archived_at owner_id proposal_id updated_at used_at',
  batches: 'approved_at approved_by completed_at given_up_at given_up_by reason state',
  batch_inputs: 'is_open',
  batch_payouts: 'is_open output transaction_id',
  spendings:
    'batch_id block_hash changed_at confirmed_at fee_units height inputs reason settled_at settled_by settlement_id state',
}

/** Columns that it may give to a new row, of tables where it may not give all. */
const INSERTED = {
  accounts: 'balance kind owner_id',
  address_keys: 'added_by fingerprint id key network_name next_index',
  approvals: 'amount approved_by payee_address transaction_id',
  audit_entries:
    'action actor actor_id after before mac nonce owner_id reason source subject_id subject_type',
  borrowers: 'country grade grade_reason id kind name recorded_by relation user_id',
  claims: 'amount basis deposit_id open payment_id user_id',
  factors: 'counter credential_id id key_id kind last_step name public_key transports user_id',
  idempotency_keys: 'actor_id key outcome request_hash',
  links: 'address expires_at id kind token_digest user_id',
  loan_defaults: 'days_past_due defaulted_on id interest loan_id principal reason',
  loan_disbursements: 'disbursed_on evidence id loan_id network_name principal',
  loan_instalments: 'due_on interest interest_paid loan_id number principal principal_paid',
  loan_moves: 'bucket days_past_due loan_id moved_on number outstanding',
  loan_repayment_parts: 'interest number principal repayment_id',
  loan_repayments: 'id interest loan_id principal recorded_by recovered reference value_on',
  loan_restructurings:
    'day_count distressed due_day first_due_on first_number id instalments interest loan_id period principal rate_basis_points schedule starts_on',
  loan_reversals: 'id interest principal reason recovered repayment_id reversed_by',
  loan_write_offs: 'id loan_id principal',
  loans:
    'borrower_id day_count disburse_on due_day first_due_on id instalments period principal purpose rate_basis_points recorded_by refinances_id schedule',
  notes: 'author_id id text user_id',
  payments:
    'address asset block_hash decimals dollars height id inputs is_coinbase network_name output rate_at rate_source seen_at state transaction_id units',
  payout_addresses: 'address id network_name usable_from user_id',
  quotes: 'at coin deposit_id dollars ends_at source units',
  rates: 'at coin dollars id prices set_by source',
  recovery_codes: 'digest user_id',
  sessions: 'factor_at factor_mac ip mac token_hash user_agent user_id',
  transactions:
    'amount claim_id created_at description destination_address destination_network duration_days evidence evidence_network evidence_output id interest investment_id investment_status matures_at plan_id rate_basis_points status type unannounced updated_at user_id wallet_id',
  unseen_arrivals: 'above address asset decimals height id network_name units',
  user_roles: 'alone_by role user_id',
  users: 'country email_confirmed_at first_name id last_name password_hash username',
  wallets: 'address derivation_index id key_id network_name proposal_id',
  write_offs: 'amount claim_id id',
  batches:
    'asset change_address change_units decimals digest dollars fee_rate fee_units file format id kind made_by network_name nonce payer rate_at rate_source safe_hash state',
  batch_inputs: 'address batch_id input network_name units',
  batch_payouts: 'address batch_id position units withdrawal_id',
  own_addresses: 'address class derivation_index id key_id network_name proposal_id',
  payout_alarms: 'batch_id id kind network_name position spending_id',
  spendings:
    'block_hash fee_asset fee_units height id inputs network_name seen_at state transaction_id',
  coin_movements:
    'asset cause cause_id cents decimals from_account height id kind network_name position takes_back to_account transaction_id units',
  coin_facts_due: 'network_name transaction_id',
  network_fees: 'amount id movement_id',
  reconciliations:
    'break_cents coins_cents custody_cents id is_pausing is_unpriced is_whole limit_cents',
  accepted_breaks: 'asset network_name proposal_id reconciliation_id units',
}

describe('the role of the product', () => {
  test('has exactly the expected rights to each table', async () => {
    const { rows } = await database.superuser.query<{ name: string; rights: string }>(`
      SELECT relname AS name, string_agg(left(right_name, 1), '' ORDER BY place) FILTER (WHERE has_table_privilege('pool_app', c.oid, right_name)
        OR right_name IN ('INSERT', 'UPDATE') AND has_any_column_privilege('pool_app', c.oid, right_name)) AS rights
      FROM pg_class AS c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'XTRIGGER']) WITH ORDINALITY AS r (wanted, place),
        LATERAL (SELECT CASE wanted WHEN 'XTRIGGER' THEN 'TRIGGER' ELSE wanted END AS right_name) AS named
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') GROUP BY relname`)
    expect(Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))).toEqual(RIGHTS)
  })

  test.each([
    ['UPDATE', UPDATED],
    ['INSERT', INSERTED],
  ])('has the right to %s named columns alone', async (right, expected) => {
    const { rows } = await database.superuser.query<{ name: string; columns: string }>(
      `SELECT relname AS name, string_agg(attname, ' ' ORDER BY attname) AS columns
       FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT has_table_privilege('pool_app', c.oid, $1) AND has_column_privilege('pool_app', c.oid, attnum, $1)
       GROUP BY relname`,
      [right],
    )
    expect(Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))).toEqual(expected)
  })

  test('owns nothing and the owner is no superuser', async () => {
    const { rows } = await database.superuser.query(`
      SELECT DISTINCT pg_get_userbyid(owner) AS owner FROM (
        SELECT relowner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
        UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
        UNION ALL SELECT nspowner FROM pg_namespace WHERE nspname = 'graphile_worker'
        UNION ALL SELECT datdba FROM pg_database WHERE datname = current_database()) AS owned (owner)`)
    expect(rows).toEqual([{ owner: 'pool_owner' }])
    const { rows: roles } = await database.superuser.query(
      "SELECT FROM pg_roles WHERE rolname LIKE 'pool\\_%' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls)",
    )
    expect(roles).toEqual([])
  })

  test.each([
    'UPDATE audit_entries SET actor = actor',
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'UPDATE audit_seals SET hash = hash',
    'UPDATE movements SET amount = amount + 1',
    'DELETE FROM movements',
    'UPDATE rates SET dollars = dollars',
    'DELETE FROM rates',
    'UPDATE quotes SET units = units',
    'INSERT INTO movements_begin TABLE movements',
    'DELETE FROM transactions',
    'UPDATE sessions SET created_at = created_at',
    'UPDATE sessions SET user_id = user_id',
    'UPDATE sessions SET mac = mac',
    'UPDATE migrations SET applied_at = now()',
    'UPDATE factors SET created_at = created_at',
    'UPDATE factors SET public_key = public_key',
    'UPDATE wallets SET address = address',
    'UPDATE transactions SET wallet_id = wallet_id',
    'UPDATE idempotency_keys SET outcome = outcome',
    'UPDATE links SET user_id = user_id',
    'UPDATE links SET expires_at = expires_at',
    "INSERT INTO sessions (token_hash, user_id, created_at) VALUES ('', gen_random_uuid(), now())",
    'INSERT INTO transactions (id, decided_by) VALUES (gen_random_uuid(), gen_random_uuid())',
    'DROP TRIGGER audit_entries_are_final ON audit_entries',
    'ALTER TABLE movements DISABLE TRIGGER ALL',
    'CREATE TRIGGER mine AFTER INSERT ON movements EXECUTE FUNCTION apply_movements()',
    'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    "SET session_replication_role = 'replica'",
    'CREATE TABLE mine (id integer)',
    'CREATE TEMPORARY TABLE mine (id integer)',
    'CREATE SCHEMA mine',
    'SET ROLE pool_owner',
    "ALTER ROLE pool_app SET session_replication_role = 'replica'",
    'INSERT INTO migrations (number, name, digest) VALUES (0, $$$$, $$$$)',
    "COPY users TO PROGRAM 'cat'",
    "SELECT pg_read_file('postgresql.conf')",
  ])('is refused %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('has the sole right to call functions, except trigger functions', async () => {
    const { rows } = await database.superuser.query<{ name: string }>(`
      SELECT oid::regprocedure::text AS name FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND has_function_privilege('pool_app', oid, 'EXECUTE') = (prorettype = 'trigger'::regtype)`)
    expect(rows).toEqual([{ name: 'recount_tallies()' }])

    const stranger = `stranger_${randomUUID().replaceAll('-', '')}`
    const client = await database.superuser.connect()
    try {
      await client.query(`CREATE ROLE ${stranger}; SET ROLE ${stranger}`)
      for (const call of [
        "assign_wallets('{}', '{}', '{}', '{}', '{}')",
        "pay_matured('{}', '[]')",
        "session_may_act('')",
      ])
        await expect(client.query(`SELECT ${call}`)).rejects.toMatchObject({ code: '42501' })
    } finally {
      await client.query(`RESET ROLE; DROP ROLE ${stranger}`)
      client.release()
    }
  })

  test('may be superuser or owner only in a sandbox', async () => {
    const warnings: string[] = []
    const log = openLog('warn', { write: (line: string) => void warnings.push(line) })
    const sandbox = readConfig({})
    const live = readConfig(LIVE)
    await requireLeastPrivilege(database, live, log)
    expect(warnings).toEqual([])
    for (const [pool, fault] of [
      [database.superuser, "The database's role postgres is a superuser"],
      [database.owner, "The database's role pool_owner owns the tables"],
    ] as const) {
      await expect(requireLeastPrivilege({ pool }, live, log)).rejects.toThrow(fault)
      await requireLeastPrivilege({ pool }, sandbox, log)
      expect(warnings.pop()).toMatch(/Set DATABASE_OWNER_URL to a role that owns the tables/)
    }
  })
})

/** Works as the superuser of a directory's database while no product uses it. */
const asItsSuperuser = async (
  directory: { readonly dataDir: string },
  work: (pool: pg.Pool) => Promise<void>,
): Promise<void> => {
  const embedded = await startEmbedded(directory.dataDir, { log: openLog('silent') })
  const { pool, close } = connectTo(directory)
  try {
    await work(pool)
  } finally {
    await close()
    await embedded.stop()
  }
}

test('a start hands the superuser’s tables to the owner', async () => {
  const directory = dataDirectory(inject('preparedData'))
  const owners =
    "SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)"
  try {
    await asItsSuperuser(directory, async (pool) => {
      await pool.query('REASSIGN OWNED BY pool_owner TO postgres; DROP OWNED BY pool_app')
      expect((await pool.query(owners)).rows).toEqual([{ owner: 'postgres' }])
    })

    const product = await directory.start()
    const { pool, close } = connectTo(directory)
    expect((await pool.query(owners)).rows).toEqual([{ owner: 'pool_owner' }])
    const { rows } = await pool.query(
      "SELECT has_table_privilege('pool_app', 'movements', 'INSERT') AS inserts",
    )
    expect(rows).toEqual([{ inserts: true }])
    await close()
    expect(await product.end('SIGTERM')).toBe(0)
  } finally {
    await directory.remove()
  }
})

test('functions of the owner gain no rights during a start', async () => {
  const directory = dataDirectory(inject('preparedData'))
  try {
    // Matches the hand-over's call better than PostgreSQL's own `format`.
    await asItsSuperuser(directory, async (pool) => {
      await pool.query(`CREATE FUNCTION public.format(text, text, text) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN ALTER ROLE pool_owner SUPERUSER; RETURN 'SELECT 1'; END $$`)
    })
    await asItsSuperuser(directory, async (pool) => {
      const { rows } = await pool.query(
        "SELECT rolsuper FROM pg_roles WHERE rolname = 'pool_owner'",
      )
      expect(rows).toEqual([{ rolsuper: false }])
    })
  } finally {
    await directory.remove()
  }
})

test('a role without migration rights learns the needed setting', async () => {
  const behind = await testDatabase()
  await behind.superuser.query(
    'DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)',
  )
  await expect(migrate({ pool: behind.pool, owner: behind.pool })).rejects.toThrow(
    /Set DATABASE_OWNER_URL to the role that owns the tables/,
  )
  await behind.close()
})

test('each role has its own password', async () => {
  const { app, owner, superuser } = inject('postgres')
  expect(new Set([app.password, owner.password, superuser.password]).size).toBe(3)
  const client = new pg.Client({ ...superuser, password: app.password, database: 'postgres' })
  await expect(client.connect()).rejects.toMatchObject({ code: '28P01' })
})
