/** Compares acts with the agreements of two people that allowed them (docs/agreements.md). */
import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { defaultPlans } from '@pool/contract/money/plans'
import { sql } from 'kysely'
import { type RowKind, RULES, saidIn } from '../../base/db/tableRules.ts'

/** Rows `x` that follow from an agreement `a` of two people on record, who said `a.said`. */
type Act = {
  readonly rows: string
  /** Joins a row with its agreement. */
  readonly by: string
  /** The rows that take an agreement, if not all. */
  readonly where?: string
  /** Compares the row with what both said. */
  readonly says?: string
  /** The row in words, and the columns for them. */
  readonly named: readonly [string, string]
  /** True if a job writes the row later. Then an agreement may be without it. */
  readonly later?: true
}

const dollars = (field: string, cents: string) =>
  `(a.said ->> '${field}')::numeric * 100 = ${cents}`
const same = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([field, column]) => `a.said ->> '${field}' = (${column})::text`)
    .join(' AND ')
const IS_PLACED_ANEW = 'EXISTS (SELECT FROM loan_reversals AS v WHERE v.agreed_id = x.agreed_id)'
const OF_LOAN = 'a.subject_id = x.loan_id::text'

const FIRST_PLANS = defaultPlans
  .map(({ durationDays, rateBasisPoints }) => `'${durationDays} ${rateBasisPoints} 1 true'`)
  .join(', ')
const IS_FIRST_PLAN = `coalesce(x.starts_at = '-infinity' AND num_nonnulls(x.most, x.capacity, x.least_runway) = 0
  AND concat_ws(' ', x.duration_days, x.rate_basis_points, x.least, CASE WHEN x.is_open THEN 'true' ELSE 'false' END) IN (${FIRST_PLANS}), false)`

/** The acts of other kinds. None for a state that later acts change, which other checks derive. */
const OTHERS: Readonly<Record<Exclude<ProposalKind, RowKind>, readonly Act[]>> = {
  GRANT: [],
  REVOKE: [],
  SUSPEND: [],
  RESUME: [],
  RESET_FACTORS: [],
  INVITE: [],
  ADD_WALLETS: [],
  DELETE_WALLET: [],
  ARCHIVE_WALLET: [],
  ADD_KEY: [],
  END_KEY: [],
  SET_RATE: [
    {
      rows: 'rates',
      by: 'x.id = a.id',
      where: `x.source = 'SET' AND is_live()`,
      says: same({ coin: 'x.coin', dollars: 'x.dollars' }),
      named: ['The rate of %s that was set to $%s', 'x.coin, x.dollars'],
    },
  ],
  WRITE_OFF: [
    {
      rows: 'write_offs',
      by: 'x.id = a.id',
      says: `a.subject_id = x.claim_id::text AND (a.said ->> 'amount')::numeric * 100 >= x.amount`,
      named: ['The write-off %s of $%s', 'x.id, x.amount / 100.0'],
    },
  ],
  RETURN_WITHDRAWAL: [
    {
      rows: 'transactions',
      by: 'x.return_id = a.id',
      where: 'x.return_id IS NOT NULL',
      says: 'a.subject_id = x.id::text',
      named: ['Withdrawal %s, which was given back,', 'x.id'],
    },
  ],
  COMPLETE_WITHDRAWAL: [
    {
      rows: 'transactions',
      by: 'x.id::text = a.subject_id AND x.completed_at = a.at',
      // One person completes up to the limits, which `notOnRecord` compares.
      where: 'false',
      named: ['Withdrawal %s', 'x.id'],
    },
  ],
  APPROVE_LOAN: [
    {
      rows: 'loans',
      by: `x.id::text = a.subject_id AND x.status <> 'APPLIED'`,
      where: `x.status NOT IN ('APPLIED', 'WITHDRAWN', 'DECLINED')`,
      says: `${dollars('amount', 'x.principal')} AND coalesce((a.said ->> 'fromInvestors')::numeric * 100, 0) = x.from_investors`,
      named: ['Loan %s, which is %s,', 'x.id, x.status'],
    },
  ],
  DISBURSE_LOAN: [
    {
      rows: 'loan_disbursements',
      by: 'x.id = a.id',
      where: 'NOT x.sent',
      says: `${OF_LOAN} AND ${dollars('amount', 'x.principal')}`,
      named: ['The disbursement of loan %s', 'x.loan_id'],
    },
  ],
  SEND_LOAN: [
    {
      rows: 'loan_sendings',
      by: 'x.proposal_id = a.id',
      says: `${OF_LOAN} AND ${dollars('amount', 'x.principal')} AND ${same({ networkName: 'x.network_name', address: 'x.address' })}`,
      named: ['The reservation of loan %s for %s on %s', 'x.loan_id, x.address, x.network_name'],
    },
    {
      rows: 'loan_disbursements',
      by: OF_LOAN,
      where: 'x.sent',
      says: dollars('amount', 'x.principal'),
      named: ['The disbursement of loan %s by a batch', 'x.loan_id'],
      later: true,
    },
  ],
  RELEASE_LOAN: [
    {
      rows: 'loan_sendings',
      by: 'x.release_id = a.id',
      where: `x.status = 'RELEASED'`,
      says: `${OF_LOAN} AND ${same({ sendingId: 'x.id' })}`,
      named: ['The release of the money of loan %s', 'x.loan_id'],
    },
  ],
  REPAY_LOAN: [
    {
      rows: 'loan_repayments',
      by: 'x.id = a.id',
      where: 'x.agreed_id = x.id AND x.recovered = 0',
      says: `${OF_LOAN} AND ${dollars('amount', 'x.principal + x.interest')} AND ${same({ valueOn: 'x.value_on', reference: 'x.reference' })}`,
      named: ['Repayment %s of loan %s', 'x.id, x.loan_id'],
    },
  ],
  REVERSE_REPAYMENT: [
    {
      rows: 'loan_reversals',
      by: 'x.agreed_id = a.id',
      where: 'x.agreed_id = x.id',
      says: same({ repaymentId: 'x.repayment_id' }),
      named: ['The reversal of repayment %s', 'x.repayment_id'],
    },
  ],
  RECOUNT_LOAN: [
    {
      rows: 'loan_reversals',
      by: 'x.agreed_id = a.id',
      where: 'x.agreed_id <> x.id',
      says: "a.said -> 'repaymentIds' ? x.repayment_id::text",
      named: ['The reversal of repayment %s, to place it anew,', 'x.repayment_id'],
    },
    {
      rows: 'loan_repayments',
      by: 'x.agreed_id = a.id',
      where: `x.agreed_id <> x.id AND ${IS_PLACED_ANEW}`,
      says: `${OF_LOAN} AND is_placed_anew(a.said, x.id)`,
      named: ['Repayment %s of loan %s, placed anew,', 'x.id, x.loan_id'],
    },
  ],
  IMPORT_REPAYMENTS: [
    {
      rows: 'repayment_files',
      by: 'x.proposal_id = a.id',
      where: 'x.posted_at IS NOT NULL',
      named: ['The file of repayments %s', 'x.proposal_id'],
    },
    {
      rows: 'loan_repayments',
      by: 'x.agreed_id = a.id',
      where: `x.agreed_id <> x.id AND NOT ${IS_PLACED_ANEW}`,
      named: ['Repayment %s of loan %s by a file', 'x.id, x.loan_id'],
      later: true,
    },
  ],
  DEFAULT_LOAN: [
    {
      rows: 'loan_defaults',
      by: 'x.id = a.id',
      where: `x.reason = 'unlikelyToPay'`,
      says: OF_LOAN,
      named: ['The default of loan %s', 'x.loan_id'],
    },
  ],
  RECOVER_LOAN: [
    {
      rows: 'loan_repayments',
      by: 'x.id = a.id',
      where: 'x.recovered > 0',
      says: `${OF_LOAN} AND ${dollars('amount', 'x.recovered')} AND ${same({ reference: 'x.reference' })}`,
      named: ['The recovery of $%s of loan %s', 'round(x.recovered / 100.0, 2), x.loan_id'],
    },
  ],
  OWN_ADDRESS: [
    {
      rows: 'own_addresses',
      by: 'x.proposal_id = a.id',
      where: 'x.proposal_id IS NOT NULL',
      // An entry has the network as a person wrote it, in any case.
      says: `${same({ address: 'x.address', class: 'x.class' })} AND lower(a.said ->> 'networkName') = lower(x.network_name)`,
      named: ['The own address %s on %s', 'x.address, x.network_name'],
    },
  ],
  OPENING: [
    {
      rows: 'coin_movements',
      by: 'x.cause_id = a.id',
      where: `x.cause = 'OPENING'`,
      says: `${same({ asset: 'x.asset' })} AND lower(a.said ->> 'networkName') = lower(x.network_name)
        AND a.said ->> 'account' IN (x.from_account, x.to_account)
        AND (a.said ->> 'amount')::numeric * 10::numeric ^ x.decimals = CASE x.from_account WHEN 'opening' THEN x.units ELSE -x.units END`,
      named: ['The opening balance %s of %s on %s', 'x.id, x.asset, x.network_name'],
    },
  ],
  SETTLE_SPENDING: [
    {
      rows: 'spendings',
      by: 'x.settlement_id = a.id',
      where: 'x.settled_at IS NOT NULL',
      says: same({ transaction: 'x.transaction_id', networkName: 'x.network_name' }),
      named: ['The settling of the coins of %s on %s', 'x.transaction_id, x.network_name'],
    },
    {
      // The alarms, and the coins that the books count as settled.
      rows: `(
        SELECT s.network_name, s.transaction_id FROM payout_alarms AS p JOIN spendings AS s ON s.id = p.spending_id
        WHERE p.kind = 'UNEXPLAINED' AND p.settled_at IS NOT NULL
        UNION SELECT network_name, transaction_id FROM coin_movements WHERE cause = 'SETTLEMENT')`,
      by: same({ transaction: 'x.transaction_id', networkName: 'x.network_name' }),
      named: ['The settling of the coins of %s on %s', 'x.transaction_id, x.network_name'],
      later: true,
    },
  ],
  PLAN: [
    {
      rows: 'plans',
      by: 'x.id = a.id',
      where: `NOT ${IS_FIRST_PLAN}`,
      says: `EXISTS (
        SELECT FROM jsonb_to_record(a.said)
          AS told ("durationDays" integer, "rateBasisPoints" integer, least numeric, most numeric, capacity numeric, "leastRunway" integer, "isOpen" boolean, "startsAt" timestamptz)
        WHERE (told."durationDays", told."rateBasisPoints", told.least * 100, told.most * 100, told.capacity * 100, told."leastRunway", told."isOpen", told."startsAt")
          IS NOT DISTINCT FROM (x.duration_days, x.rate_basis_points, x.least::numeric, x.most::numeric, x.capacity::numeric, x.least_runway, x.is_open, x.starts_at))`,
      named: ['The plan of %s days from %s', 'x.duration_days, x.starts_at'],
    },
  ],
  WIND_DOWN: [
    {
      rows: 'wind_downs',
      by: 'x.id = a.id',
      named: ['The wind-down of %s', 'x.created_at'],
    },
  ],
  END_WIND_DOWN: [
    {
      rows: 'wind_downs',
      by: 'x.called_off_id = a.id',
      where: 'x.called_off_id IS NOT NULL',
      named: ['The end of the wind-down at %s', 'x.called_off_at'],
    },
  ],
  PUT_IN_CAPITAL: [
    {
      rows: 'contributions',
      by: 'x.id = a.id',
      // A sandbox has play coins, and a live pool none.
      where: `(x.source <> 'PLAY' OR is_live())`,
      says: `${dollars('amount', 'x.amount')} AND ${same({ asset: 'x.asset' })} AND lower(a.said ->> 'networkName') = lower(x.network_name)
        AND (a.said ->> 'coins')::numeric * 10::numeric ^ x.decimals = x.units AND a.said ->> 'paymentId' IS NOT DISTINCT FROM x.payment_id::text`,
      named: ["$%s of the operator's capital, which came in,", 'round(x.amount / 100.0, 2)'],
    },
  ],
}

/** Compares what both said with a column. */
const saysAs = (field: string, column: string): string => {
  if (field === 'subject') return `a.subject_id = x.${column}::text`
  return field.startsWith('$')
    ? dollars(field.slice(1), `x.${column}`)
    : same({ [field]: `x.${column}` })
}

/** The acts of each kind. A kind whose rows are those of one table is stated by its rules. */
const ACTS: readonly (readonly [string, readonly Act[]])[] = [
  ...Object.entries(OTHERS),
  ...Object.entries(RULES.tables).flatMap(([rows, { agreement }]) => {
    if (!agreement) return []
    const says = saidIn(agreement).map(([field, column]) => saysAs(field, column))
    const act = { rows, by: `x.${agreement.by} = a.id`, says: says.join(' AND ') }
    return [[agreement.kind, [{ ...act, named: agreement.named }]] as const]
  }),
]

/** Both people said the same, each in an entry. */
export const AGREED = sql`
  agreed AS MATERIALIZED (
    SELECT asked.after ->> 'kind' AS kind, (asked.after ->> 'agreement')::uuid AS id, asked.subject_id, asked.after AS said, approved.created_at AS at
    FROM audit_entries AS asked JOIN audit_entries AS approved ON approved.subject_id = asked.subject_id
      AND approved.action = 'agreement.approved' AND approved.actor_id <> asked.actor_id AND approved.after = asked.after
    WHERE asked.action = 'agreement.asked')`

const unagreed = (kind: string, { rows, by, where = 'true', says = 'true', named }: Act) =>
  sql`SELECT format(${sql.lit(`${named[0]} has no entries of two people.`)}, ${sql.raw(named[1])}) AS sentence
    FROM ${sql.raw(rows)} AS x WHERE ${sql.raw(where)} AND NOT EXISTS (
      SELECT FROM agreed AS a WHERE a.kind = ${sql.lit(kind)} AND ${sql.raw(by)} AND ${sql.raw(says)})`

const undone = (kind: string, { rows, by }: Act) =>
  sql`SELECT format('Two people agreed to the proposal %s (%s), but its act is missing.', a.id, a.kind) AS sentence
    FROM agreed AS a WHERE a.kind = ${sql.lit(kind)} AND NOT EXISTS (SELECT FROM ${sql.raw(rows)} AS x WHERE ${sql.raw(by)})`

/** A sentence for each act without its agreement, and each agreement without its act. */
export const AGREEMENTS = ACTS.flatMap(([kind, acts]) =>
  acts.flatMap((act) => [unagreed(kind, act), ...(act.later ? [] : [undone(kind, act)])]),
)
