/**
 * Rules of each table: what may happen to its rows. The rights of the product's role and the guards
 * of the tables follow from them (docs/decisions/017).
 */
import { type ClientBase, escapeIdentifier, type Pool } from 'pg'
import type { Schema } from './schema.ts'

/** A row's agreement, from which its trigger and its hourly check follow (docs/agreements.md). */
export type AgreementRule = {
  readonly kind: string
  /** The column with the proposal. */
  readonly by: string
  /** Pairs of a field of the payload and a column that says the same, with spaces between. */
  readonly says: string
  /** The row `x` in words, and the columns for them. */
  readonly named: readonly [string, string]
}

/** The fields that two people compared, each with its column. `$` stands for dollars. */
export const saidIn = ({ says }: AgreementRule): readonly (readonly [string, string])[] =>
  says.split(' ').map((pair) => {
    const [field = '', column = ''] = pair.split('=')
    return [field, column]
  })

/** A rule of a table. Spaces separate columns, and `*` stands for all. */
export type TableRule = {
  /** Columns that the product gives to a new row. Other columns have their default. */
  readonly insert?: string
  /** Columns that the product changes. A guard freezes the others for every role. */
  readonly update?: string
  /** Columns that the owner changes, too. */
  readonly owner?: string
  readonly delete?: true
  /** The agreement of two people that each new row takes. */
  readonly agreement?: AgreementRule
  /** Reason why the table has no guard: the owner may change, delete and truncate. */
  readonly unguarded?: string
}

type View = 'investments' | 'transfers'

/** A new table does not compile until it has its row. Without `unguarded` it is final. */
export const TABLES = {
  accepted_breaks: {
    insert: 'proposal_id reconciliation_id network_name asset units',
    agreement: {
      kind: 'END_BREAK',
      by: 'proposal_id',
      says: 'reconciliationId=reconciliation_id',
      named: ['The accepted break of %s on %s', 'x.asset, x.network_name'],
    },
  },
  accounts: { insert: 'owner_id kind balance', update: 'balance closed_at' },
  address_keys: {
    insert: 'id network_name key fingerprint next_index added_by',
    update: 'next_index derived_at ended_at',
  },
  approval_limits: { update: 'per_person per_pool' },
  approvals: { insert: 'transaction_id approved_by payee_address amount' },
  archived_months: { unguarded: 'The owner archives.' },
  audit_entries: {
    insert:
      'actor_id actor action subject_type subject_id owner_id source before after reason nonce mac',
  },
  audit_seals: { insert: '*' },
  audit_unsealed: { insert: '*', delete: true, unguarded: 'A queue.' },
  balance_checks: { insert: '*', update: 'units height', unguarded: 'It follows the chain.' },
  batch_inputs: { insert: 'batch_id network_name input address units', update: 'is_open' },
  batch_payouts: {
    insert: 'batch_id position withdrawal_id sending_id address units',
    update: 'is_open transaction_id output',
  },
  batches: {
    insert:
      'id network_name asset decimals kind format state payer nonce dollars rate_source rate_at fee_rate fee_units gas gas_price fee_cents change_units change_address file digest safe_hash made_by',
    update: 'state approved_by approved_at completed_at given_up_by given_up_at reason',
  },
  block_skips: {
    insert: 'id network_name from_height to_height',
    update: 'skipped_at ended_at',
    agreement: {
      kind: 'SKIP_BLOCKS',
      by: 'id',
      says: 'networkName=network_name from=from_height to=to_height',
      named: ['The skip of blocks %s to %s of %s', 'x.from_height, x.to_height, x.network_name'],
    },
  },
  borrower_grades: { insert: 'borrower_id number grade reason graded_by graded_at' },
  // A correction changes facts, and the audit trail has each version of them.
  borrowers: {
    insert: 'id name country kind relation user_id grade grade_reason recorded_by',
    update: 'name country kind relation user_id grade grade_reason graded_at graded_by',
  },
  capital_withdrawals: {
    insert: 'id amount network_name address',
    agreement: {
      kind: 'WITHDRAW_CAPITAL',
      by: 'id',
      says: '$amount=amount networkName=network_name address=address',
      named: ["$%s of the operator's capital, which left,", 'round(x.amount / 100.0, 2)'],
    },
  },
  chain_blocks: { insert: '*', delete: true, unguarded: 'It follows the chain.' },
  chains: { insert: '*', update: '*', unguarded: 'It follows the chain.' },
  claims: { insert: 'deposit_id user_id amount open payment_id basis', update: 'open' },
  closing_balances: { unguarded: 'The owner archives.' },
  coin_facts_due: { insert: 'network_name transaction_id', delete: true, unguarded: 'A queue.' },
  coin_movements: {
    insert:
      'id network_name transaction_id asset decimals kind from_account to_account units cause cause_id position takes_back cents height',
  },
  contributions: { insert: '*' },
  ended_pauses: { insert: 'name began_at ended_at' },
  factors: {
    insert: 'id user_id kind name key_id last_step credential_id public_key counter transports',
    update: 'name last_step counter last_used_at',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  fee_estimates: {
    insert: 'network_name cents at',
    update: 'cents at',
    unguarded: 'The newest value.',
  },
  heartbeats: { update: 'at', unguarded: 'The newest value.' },
  idempotency_keys: {
    insert: 'actor_id key request_hash outcome',
    delete: true,
    unguarded: 'It is kept for a time.',
  },
  job_successes: {
    insert: 'name succeeded_at',
    update: 'succeeded_at',
    unguarded: 'The newest value.',
  },
  known_devices: {
    insert: '*',
    update: '*',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  ledger_checks: { insert: '*' },
  liability_leaves: { insert: '*', delete: true },
  liability_trees: { insert: '*' },
  links: {
    insert: 'id kind user_id address token_digest expires_at',
    update: 'ended_at',
    owner: 'expires_at',
    delete: true,
  },
  loan_collateral: {
    insert: 'id loan_id description value valued_on recorded_by',
    update: 'withdrawn_for withdrawn_by withdrawn_at',
  },
  loan_confirmations: { insert: 'sending_id transaction_id output basis mined_at mac' },
  loan_defaults: {
    insert:
      'id loan_id defaulted_on reason days_past_due principal interest stopped_number stopped_interest',
  },
  loan_disbursements: {
    insert: 'id loan_id principal capital disbursed_on network_name evidence output sent',
  },
  loan_documents: {
    insert: 'id borrower_id loan_id title sha256 link recorded_by',
    update: 'withdrawn_for withdrawn_by withdrawn_at',
  },
  loan_instalments: {
    insert: 'loan_id number due_on principal interest principal_paid interest_paid',
    update: 'principal_paid interest_paid replaced',
  },
  loan_moves: { insert: 'loan_id number bucket moved_on days_past_due outstanding' },
  loan_repayment_parts: { insert: 'repayment_id number principal interest' },
  loan_repayments: {
    insert:
      'id loan_id principal capital interest recovered kept value_on reference recorded_by agreed_id',
    update: 'reversed',
  },
  loan_restructurings: {
    insert:
      'id loan_id starts_on starts_as first_number principal interest distressed rate_basis_points schedule period day_count instalments due_day first_due_on',
    agreement: {
      kind: 'RESTRUCTURE_LOAN',
      by: 'id',
      says: 'subject=loan_id isDistressed=distressed',
      named: ['The restructuring of loan %s', 'x.loan_id'],
    },
  },
  loan_reversals: {
    insert: 'id repayment_id principal capital interest recovered reason reversed_by agreed_id',
  },
  loan_sendings: {
    insert: 'id proposal_id loan_id principal capital network_name address',
    update: 'status release_id',
  },
  loan_updates: { insert: 'id loan_id text written_by' },
  loan_write_offs: {
    insert: 'id loan_id principal capital covered lost',
    agreement: {
      kind: 'WRITE_OFF_LOAN',
      by: 'id',
      says: 'subject=loan_id $amount=principal',
      named: ['The write-off of loan %s', 'x.loan_id'],
    },
  },
  loans: {
    insert:
      'id borrower_id purpose principal rate_basis_points schedule period day_count instalments due_day disburse_on first_due_on refinances_id recorded_by from_investors taken_over_on',
    update: 'status outstanding written_off recovered closed_for closed_by closed_at',
  },
  login_throttles: { insert: '*', update: '*', delete: true, unguarded: 'It is kept for a time.' },
  // The mails of a loss or a wind-down are queued once, by triggers.
  loss_announcements: {
    insert: 'id loss_id amount counts_at',
    update: 'mailed_at',
    agreement: {
      kind: 'SHARE_LOSS',
      by: 'id',
      says: '$amount=amount lossId=loss_id',
      named: ['The announcement for %s of a loss of $%s', 'x.counts_at, x.amount / 100.0'],
    },
  },
  loss_covers: {
    insert: 'id amount',
    agreement: {
      kind: 'COVER_LOSS',
      by: 'id',
      says: '$amount=amount',
      named: ['The cover of the loss of $%s', 'x.amount / 100.0'],
    },
  },
  loss_sharings: { insert: 'id amount invested' },
  losses_borne: { insert: '*' },
  mail_deliveries: { insert: '*', unguarded: 'They go with their mail.' },
  mails: { insert: '*', update: '*', delete: true, unguarded: 'A queue.' },
  migrations: { unguarded: 'The owner migrates.' },
  // A correction is a movement the other way.
  movements: { insert: '*' },
  network_fees: { insert: 'id movement_id amount', update: 'status returned_at' },
  // Triggers let only rows of closed accounts go.
  notes: { insert: 'id user_id author_id text', delete: true },
  notice_mailing: { update: 'until', unguarded: 'The newest value.' },
  notice_settings: {
    insert: '*',
    update: '*',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  own_addresses: { insert: 'id network_name address class key_id derivation_index proposal_id' },
  pauses: { update: 'paused_at paused_by reason reconciliation_id by_loss by_wind_down' },
  payments: {
    insert:
      'id network_name transaction_id output address asset units decimals state height block_hash inputs is_coinbase seen_at dollars rate_source rate_at',
    update:
      'address asset units decimals state height block_hash inputs changed_at confirmed_at dollars rate_source rate_at deposit_id settled_as',
    unguarded: 'It follows the chain.',
  },
  // Triggers let rows go that wait, or whose mailbox was never proven.
  payout_addresses: { insert: 'id user_id address network_name usable_from label', delete: true },
  payout_alarms: {
    insert: 'id network_name kind batch_id position spending_id',
    update: 'found_at ended_at settled_at settled_by reason',
    unguarded: 'It follows the chain.',
  },
  plans: { insert: '*' },
  pool_figures: { insert: '*', update: '*', unguarded: 'The newest value.' },
  // The owner signs the row again, after a leaked key.
  pool_mode: { insert: '*', owner: 'mac' },
  pool_tapes: { insert: 'day loans size digest file key_id signature' },
  price_readings: { insert: '*', update: '*', delete: true, unguarded: 'The newest value.' },
  proposals: { insert: '*', update: 'status decided_by decided_at alone rests_until ended_at' },
  quotes: { insert: 'deposit_id coin units dollars source at ends_at' },
  rates: { insert: 'id coin dollars source at set_by prices' },
  reading_keys: {
    insert: 'id user_id name token_hash ends_at mac',
    update: 'last_used_at',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  reconciled_coins: { insert: '*' },
  reconciled_lines: { insert: '*' },
  reconciled_networks: { insert: '*' },
  reconciliations: {
    insert:
      'id break_cents is_unpriced is_whole limit_cents is_pausing custody_cents typed_cents coins_cents',
  },
  recovery_codes: {
    insert: 'digest user_id',
    update: 'used_at',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  rehearsals: { unguarded: 'The owner rehearses.' },
  repayment_files: { insert: 'proposal_id csv', update: 'posted_at' },
  routines: { unguarded: 'The owner migrates.' },
  sent_coins: { insert: '*', delete: true, unguarded: 'It follows the chain.' },
  sessions: {
    insert: 'token_hash user_id ip user_agent factor_at mac factor_mac',
    update: 'last_used_at factor_at factor_mac',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  signing_keys: { insert: 'id public_key' },
  spendings: {
    insert:
      'id network_name transaction_id state height block_hash inputs seen_at fee_units fee_asset',
    update:
      'state height block_hash inputs changed_at confirmed_at fee_units batch_id settled_at settled_by reason settlement_id',
    unguarded: 'It follows the chain.',
  },
  spent_coins: { insert: '*', delete: true, unguarded: 'It follows the chain.' },
  tallies: { insert: '*', update: 'rows cents interest', unguarded: 'The owner counts again.' },
  transactions: {
    insert:
      'id user_id type amount status description wallet_id destination_address destination_network investment_id rate_basis_points interest duration_days matures_at investment_status plan_id evidence_network evidence evidence_output unannounced claim_id sharing_id repayment_id fee created_at updated_at',
    update:
      'status amount requested_amount reason decided_by ending basis evidence_network evidence evidence_output approvals_needed payee_address investment_status sent_at sent_by sent_basis sent_network sent_evidence sent_output completed_at completed_by completed_basis returned_at return_id borne updated_at',
  },
  unseen_arrivals: {
    insert: 'id network_name address asset units decimals above height',
    update: 'settled_at settled_by reason',
    unguarded: 'It follows the chain.',
  },
  used_challenges: { insert: '*', delete: true, unguarded: 'It is kept for a time.' },
  user_roles: {
    insert: 'user_id role alone_by',
    delete: true,
    unguarded: 'It lives as long as its person lets it.',
  },
  // A checked owner exists for good.
  users: {
    insert: 'id username password_hash first_name last_name country email_confirmed_at',
    update:
      'username password_hash first_name last_name country email_confirmed_at suspended_at frozen_at frozen_since withdrawals_rest_until taken_back_at closed_at updated_at',
  },
  wallet_assignments: { insert: '*', delete: true, unguarded: 'It is kept for a time.' },
  wallets: {
    insert: 'id address network_name proposal_id key_id derivation_index',
    update: 'owner_id used_at archived_at proposal_id updated_at',
    delete: true,
  },
  wind_downs: { insert: 'id last_maturity_at', update: 'mailed_at called_off_id called_off_at' },
  write_offs: { insert: 'id claim_id amount' },
} as const satisfies Record<Exclude<keyof Schema, View>, TableRule>

/** Rights to views, which have no rows of their own. */
export const VIEWS: Readonly<Record<string, TableRule>> = {
  investments: {},
  movement_months: {},
  recounted: {},
  transfers: {},
}

/** Functions that lock tables for longer than a request may, so the owner alone calls them. */
export const OF_OWNER: readonly string[] = ['recount_tallies()']

export type Rules = {
  readonly tables: Readonly<Record<string, TableRule>>
  readonly views: Readonly<Record<string, TableRule>>
  readonly functions: readonly string[]
}

/** The kinds whose act is a new row of one table. */
type Agreeing = Extract<(typeof TABLES)[keyof typeof TABLES], { agreement: AgreementRule }>
export type RowKind = Agreeing['agreement']['kind']

/** Rules of the product. */
export const RULES: Rules = { tables: TABLES, views: VIEWS, functions: OF_OWNER }

export const columnsIn = (text = ''): readonly string[] => text.split(' ').filter(Boolean)

const right = (verb: string, columns: string | undefined): string[] =>
  columns === undefined
    ? []
    : [columns === '*' ? verb : `${verb} (${columnsIn(columns).join(', ')})`]

/** Statements that give the role `:app` its rights. All are revoked before. */
export const grantsOf = ({ tables, views, functions }: Rules): string =>
  [
    ...Object.entries({ ...tables, ...views }).map(([name, rule]) => {
      const rights = [
        'SELECT',
        ...right('INSERT', rule.insert),
        ...right('UPDATE', rule.update),
        ...(rule.delete ? ['DELETE'] : []),
      ]
      return `GRANT ${rights.join(', ')} ON ${name} TO :app`
    }),
    ...functions.map((name) => `REVOKE EXECUTE ON FUNCTION ${name} FROM :app`),
  ].join(';\n')

/** Triggers of each guarded table. They have this name. */
export const GUARD = 'is_guarded'

/**
 * Guards by statement cost a row nothing, and one of UPDATE fires only where it names a frozen
 * column. A statement may name a partition of movements, which has the triggers of rows alone.
 */
export const guardsOf = ({ tables }: Rules): string =>
  [...guardsOfTables(tables), ...agreementsOf(tables)].join('\n')

const agreementsOf = (tables: Rules['tables']): readonly string[] =>
  Object.entries(tables).flatMap(([name, { agreement }]) =>
    agreement ? [takesTwo(name, agreement)] : [],
  )

const guardsOfTables = (tables: Rules['tables']): readonly string[] =>
  Object.entries(tables)
    .filter(([, { unguarded }]) => unguarded === undefined)
    .map(([name, rule]) => {
      const verbs = [...(rule.update === '*' ? [] : [frozenIn(name, rule)])]
      if (!rule.delete) verbs.push('DELETE')
      return name === 'movements'
        ? `${guard(name, verbs, 'ROW')}\n${guard(name, ['TRUNCATE'], 'STATEMENT', `${GUARD}_whole`)}`
        : guard(name, [...verbs, 'TRUNCATE'], 'STATEMENT')
    })

const takesTwo = (table: string, rule: AgreementRule): string => {
  const compared = [rule.kind, rule.by, ...saidIn(rule).flat()].map((each) => `'${each}'`)
  return `CREATE OR REPLACE TRIGGER ${table}_take_two BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION require_agreement(${compared.join(', ')});`
}

const guard = (table: string, verbs: readonly string[], each: string, name = GUARD): string =>
  `CREATE OR REPLACE TRIGGER ${name} BEFORE ${verbs.join(' OR ')} ON ${table} FOR EACH ${each} EXECUTE FUNCTION refuse_change();`

const frozenIn = (table: string, { update, owner }: TableRule): string => {
  const free = [...columnsIn(update), ...columnsIn(owner)]
  return free.length === 0 ? 'UPDATE' : `UPDATE OF :but(${[table, ...free].join(' ')})`
}

/** Puts the columns of each table, but the free ones, into the guards. */
export const withColumns = async (client: ClientBase | Pool, guards: string): Promise<string> => {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.relname`)
  const columnsOf = new Map(rows.map(({ name, columns }) => [name, columns]))
  return guards.replaceAll(/UPDATE OF :but\(([^)]*)\) OR /g, (_, words: string) => {
    const [table = '', ...free] = words.split(' ')
    const frozen = columnsOf.get(table)?.filter((column) => !free.includes(column)) ?? []
    return frozen.length === 0 ? '' : `UPDATE OF ${frozen.map(escapeIdentifier).join(', ')} OR `
  })
}
