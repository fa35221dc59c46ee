/** Compares rows that money followed with the entry that allowed them (docs/threats.md T106). */
import { proposalKindNames, proposalKinds } from '@pool/contract/agreements/proposals'
import { type AuditAction, auditActions } from '@pool/contract/reports/audit'
import { sql } from 'kysely'

/** Columns of the row `r` by the names that its entry has them under, as text or in cents. */
type Fields = Readonly<Record<string, { readonly text: string } | { readonly cents: string }>>

type Followed = {
  /** Begins the sentence. Its id follows. */
  readonly what: string
  readonly rows: string
  readonly id: string
  readonly actions: readonly AuditAction[]
  /** The subject of its entry, if not the row itself. */
  readonly subject?: string
  /** A further comparison of the entry `e`, such as its author. */
  readonly and?: string
  /** An entry of an earlier release may lack one, which is then not compared. */
  readonly same: Fields
}

const coins = (network: string, evidence: string, output: string) =>
  ({
    networkName: { text: network },
    evidence: { text: `${evidence} || coalesce(':' || ${output}, '')` },
  }) as const

/** The one table of rows, entries and compared fields. */
const FOLLOWED: readonly Followed[] = [
  {
    what: 'Deposit',
    rows: `transactions AS r WHERE r.type = 'deposit' AND r.status IN ('APPROVED', 'REVERSED')`,
    id: 'r.id',
    actions: ['deposit.confirmed'],
    and: 'e.owner_id = r.user_id',
    same: {
      amount: { cents: 'r.amount' },
      evidence: coins('', 'r.evidence', 'r.evidence_output').evidence,
    },
  },
  {
    what: 'Withdrawal',
    rows: `transactions AS r WHERE r.type = 'withdrawal' AND r.status IN ('APPROVED', 'PROCESSING', 'COMPLETED', 'RETURNED')`,
    id: 'r.id',
    actions: ['withdrawal.approved'],
    and: 'e.owner_id = r.user_id',
    same: {
      amount: { cents: 'r.amount' },
      networkFee: { cents: 'r.fee' },
      payeeAddress: { text: 'r.payee_address' },
      destinationAddress: { text: 'r.destination_address' },
    },
  },
  {
    what: 'The mark of withdrawal',
    rows: `transactions AS r WHERE r.type = 'withdrawal' AND r.sent_evidence IS NOT NULL AND num_nonnulls(r.sent_by, r.sent_basis) > 0`,
    id: 'r.id',
    actions: ['withdrawal.sent'],
    same: {
      ...coins('r.sent_network', 'r.sent_evidence', 'r.sent_output'),
      payeeAddress: { text: 'r.payee_address' },
    },
  },
  {
    what: 'Repayment',
    rows: 'loan_repayments AS r WHERE true',
    id: 'r.id',
    actions: ['loan.repaid', 'loan.recovered'],
    subject: 'r.loan_id',
    and: `e.after ->> 'repayment' = r.id::text`,
    same: {
      amount: { cents: 'r.principal + r.interest + r.recovered' },
      valueOn: { text: 'r.value_on' },
      reference: { text: 'r.reference' },
    },
  },
  {
    what: 'Contribution',
    rows: 'contributions AS r WHERE true',
    id: 'r.id',
    actions: ['capital.contributed'],
    and: 'e.reason = r.note AND e.actor = r.contributed_by',
    same: { amount: { cents: 'r.amount' } },
  },
  {
    what: 'The debt of deposit',
    rows: 'claims AS r WHERE true',
    id: 'r.deposit_id',
    actions: ['deposit.reversed'],
    and: 'e.owner_id = r.user_id AND e.reason = r.basis',
    same: { amount: { cents: 'r.amount' } },
  },
  {
    what: 'The fee',
    rows: 'network_fees AS r WHERE true',
    id: 'r.id',
    actions: ['fee.paid'],
    same: { amount: { cents: 'r.amount' } },
  },
]

const isSame = ([name, field]: [string, Fields[string]]): string => {
  const told = `e.after ->> '${name}'`
  const same =
    'text' in field
      ? `${told} = (${field.text})::text`
      : `(${told})::numeric * 100 = ${field.cents}`
  return `coalesce(${same}, e.after ->> '${name}' IS NULL)`
}

const named = (actions: readonly string[]): string => actions.map((each) => `'${each}'`).join(', ')

/** A sentence for each row that differs from every entry that may have allowed it. */
export const ROWS_OF_MONEY = FOLLOWED.map(
  ({ what, rows, id, actions, subject = id, and = 'true', same }) =>
    sql.raw(`
  SELECT format('${what} %s differs from its entry.', ${id}) FROM ${rows} AND NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action IN (${named(actions)}) AND e.subject_id = (${subject})::text
      AND ${[and, ...Object.entries(same).map(isSame)].join(' AND ')})`),
)

/** Acts of people without a role: on their own account, and reading. */
const WITHOUT_A_ROLE: readonly AuditAction[] = [
  'user.registered',
  'invite.accepted',
  'data.exported',
  'statement.taken',
  'session.started',
  'session.newDevice',
  'session.refused',
  'session.throttled',
  'session.ended',
  'session.othersEnded',
  'readingKey.made',
  'readingKey.ended',
  'account.frozen',
  'account.unfrozen',
  'account.closed',
  'password.changed',
  'password.resetAsked',
  'password.reset',
  'email.linkAsked',
  'email.confirmed',
  'email.changeAsked',
  'email.changed',
  'factor.added',
  'factor.renamed',
  'factor.removed',
  'factor.codesRenewed',
  'factor.codeUsed',
  'factor.refused',
  'factor.reset',
  'factor.resetStopped',
  'payout.saved',
  'payout.ended',
  'deposit.cancelled',
  'withdrawal.cancelled',
]

/** Acts that take a super admin. */
const OF_SUPER_ADMINS: readonly AuditAction[] = [
  'role.granted',
  'role.revoked',
  'windDown.begun',
  'windDown.calledOff',
]

/** The kinds of agreements that take super admins. */
const KINDS_OF_SUPER_ADMINS = proposalKindNames.filter((kind) => !proposalKinds[kind].byStaff)

/** Every other act of a person takes a member of staff: what is not named here needs a role. */
const OF_STAFF = Object.keys(auditActions).filter(
  (action) => !WITHOUT_A_ROLE.some((each) => each === action),
)

/** The roles of each user from one entry to the next. Entries alone give and take them. */
export const ROLE_SPANS = sql.raw(`
  role_spans AS MATERIALIZED (
    SELECT subject_id, id AS since, lead(id) OVER (PARTITION BY subject_id ORDER BY id) AS until, after -> 'roles' AS roles
    FROM audit_entries WHERE subject_type = 'user' AND action IN ('user.registered', 'role.granted', 'role.revoked'))`)

/** A sentence for each act of a person who had no role for it then, by the entries before it. */
export const DECIDERS = sql.raw(`
  SELECT format('Entry %s, %s by %s, is of a person without the role for it at that moment.', e.id, e.action, e.actor)
  FROM audit_entries AS e LEFT JOIN role_spans AS held
    ON held.subject_id = e.actor_id::text AND held.since < e.id AND (held.until IS NULL OR e.id < held.until)
  WHERE e.actor_id IS NOT NULL AND e.action IN (${named(OF_STAFF)}) AND NOT coalesce(
    CASE WHEN e.action IN (${named(OF_SUPER_ADMINS)}) OR e.action LIKE 'agreement.%' AND e.after ->> 'kind' IN (${named(KINDS_OF_SUPER_ADMINS)}) THEN held.roles ? 'SUPER_ADMIN'
      ELSE held.roles ?| '{ADMIN,SUPER_ADMIN}' END, false)
    -- An invited person takes the role that two people gave.
    AND NOT (e.action = 'role.granted' AND e.subject_id = e.actor_id::text AND EXISTS (
      SELECT FROM audit_entries AS taken WHERE taken.action = 'invite.accepted' AND taken.subject_id = e.subject_id))`)
