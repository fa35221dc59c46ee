/**
 * The data that is kept about a user, as the files of an export. A query takes one user and leaves
 * out secrets and other people. A `bigint` is an amount in cents.
 */
import { type RawBuilder, sql } from 'kysely'
import { readOwnMail } from '../../accounts/mail/queries.ts'
import type { MailContext } from '../../accounts/mail/send.ts'
import { selectBalances } from '../../ledger/families/accounts.ts'
import { fromEntries, fromTransactions, INDEXED, noticed } from '../notices/events.ts'

export type SectionRow = Readonly<Record<string, unknown>>

export type Section = {
  /** The name of its two files. */
  readonly name: string
  /** The tables that it tells of. */
  readonly tables: readonly string[]
  readonly columns: readonly string[]
  readonly rows: (userId: string) => RawBuilder<SectionRow>
  /** Makes a row of the file from a row of the query. */
  readonly present?: (context: MailContext, row: SectionRow) => SectionRow
}

const words = (text: string): readonly string[] => text.split(' ')

const account: readonly Section[] = [
  {
    name: 'profile',
    tables: ['users'],
    columns: words(
      'id email first_name last_name country registered_at changed_at email_confirmed_at suspended_at frozen_at withdrawals_rest_until',
    ),
    rows: (userId) => sql`
      SELECT id, username AS email, first_name, last_name, country, created_at AS registered_at, updated_at AS changed_at,
        email_confirmed_at, suspended_at, frozen_at, withdrawals_rest_until
      FROM users WHERE id = ${userId}`,
  },
  {
    name: 'roles',
    tables: ['user_roles'],
    columns: words('role granted_at'),
    rows: (userId) =>
      sql`SELECT role, granted_at FROM user_roles WHERE user_id = ${userId} ORDER BY role`,
  },
  {
    name: 'access-changes',
    tables: ['proposals'],
    columns: words('asked_at kind role reason status decided_at'),
    rows: (userId) => sql`
      SELECT asked_at, kind, payload->>'role' AS role, reason, status, decided_at FROM proposals
      WHERE user_id = ${userId} ORDER BY asked_at, id`,
  },
  {
    name: 'reading-keys',
    tables: ['reading_keys'],
    columns: words('id name made_at ends_at last_used_at'),
    rows: (userId) => sql`
      SELECT id, name, made_at, ends_at, last_used_at FROM reading_keys
      WHERE user_id = ${userId} ORDER BY made_at, id`,
  },
  {
    name: 'sessions',
    tables: ['sessions'],
    columns: words('id ip device started_at last_used_at factor_at'),
    rows: (userId) => sql`
      SELECT id, ip, user_agent AS device, created_at AS started_at, last_used_at, factor_at FROM sessions
      WHERE user_id = ${userId} ORDER BY created_at, id`,
  },
  {
    name: 'known-devices',
    tables: ['known_devices'],
    columns: words('last_seen_at language'),
    rows: (userId) => sql`
      SELECT last_seen_at, language FROM known_devices WHERE user_id = ${userId} ORDER BY last_seen_at`,
  },
  {
    name: 'second-factors',
    tables: ['factors'],
    columns: words('kind name added_at last_used_at'),
    rows: (userId) => sql`
      SELECT kind, name, created_at AS added_at, last_used_at FROM factors
      WHERE user_id = ${userId} ORDER BY created_at, id`,
  },
  {
    name: 'recovery-codes',
    tables: ['recovery_codes'],
    columns: words('made_at used_at'),
    rows: (userId) => sql`
      SELECT created_at AS made_at, used_at FROM recovery_codes
      WHERE user_id = ${userId} ORDER BY created_at, used_at`,
  },
  {
    name: 'mailed-links',
    tables: ['links'],
    columns: words('kind mailed_at runs_out_at ended_at'),
    // A link to a new address exists only if no other account has that address.
    rows: (userId) => sql`
      SELECT CASE l.kind WHEN 'RESET' THEN 'reset of the password' WHEN 'CONFIRM' THEN 'confirmation of the email'
          WHEN 'CHANGE' THEN 'change of the email' ELSE 'freeze of the account' END AS kind,
        l.created_at AS mailed_at, l.expires_at AS runs_out_at, l.ended_at
      FROM links AS l JOIN users AS u ON u.id = l.user_id
      WHERE l.user_id = ${userId} AND (l.kind NOT IN ('CONFIRM', 'CHANGE') OR l.address = u.username)
      ORDER BY mailed_at, kind`,
  },
]

const money: readonly Section[] = [
  {
    name: 'balances',
    tables: ['accounts'],
    columns: words('account dollars'),
    rows: selectBalances,
  },
  {
    name: 'transactions',
    tables: ['transactions'],
    columns: words(
      'id type dollars requested_dollars network_fee_dollars status unannounced basis description destination_address destination_network payee_address reason requested_at updated_at evidence_network evidence evidence_output sent_at sent_network sent_evidence sent_output sent_basis completed_at completed_basis returned_at investment_id sharing_id repayment_id',
    ),
    rows: (userId) => sql`
      SELECT id, type, amount AS dollars, requested_amount AS requested_dollars, fee AS network_fee_dollars, status, unannounced, basis, description, destination_address,
        destination_network, payee_address, reason, created_at AS requested_at, updated_at, evidence_network, evidence,
        evidence_output, sent_at, sent_network, sent_evidence, sent_output, sent_basis, completed_at, completed_basis, returned_at, investment_id, sharing_id, repayment_id
      FROM transactions WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC`,
  },
  {
    name: 'liabilities',
    tables: ['liability_leaves'],
    columns: words('day available held outgoing invested interest'),
    rows: (userId) => sql`
      SELECT day::text AS day, available, held, outgoing, invested, interest FROM liability_leaves
      WHERE user_id = ${userId} ORDER BY day DESC`,
  },
  {
    name: 'quotes',
    tables: ['quotes'],
    columns: words('transaction_id coin units rate rate_source rate_at quoted_at ended_at'),
    rows: (userId) => sql`
      SELECT q.deposit_id AS transaction_id, q.coin, q.units, q.dollars AS rate, q.source AS rate_source, q.at AS rate_at,
        q.created_at AS quoted_at, q.ends_at AS ended_at
      FROM transactions AS t JOIN quotes AS q ON q.deposit_id = t.id
      WHERE t.user_id = ${userId} AND t.type = 'deposit' ORDER BY t.created_at DESC, t.id DESC`,
  },
  {
    name: 'claims',
    tables: ['claims'],
    columns: words('transaction_id dollars open_dollars basis since'),
    rows: (userId) => sql`
      SELECT deposit_id AS transaction_id, amount AS dollars, open AS open_dollars, basis, created_at AS since FROM claims
      WHERE user_id = ${userId} ORDER BY created_at, deposit_id`,
  },
  {
    name: 'loans',
    tables: ['borrowers', 'loans'],
    columns: words(
      'name relation grade grade_reason loan_id dollars outstanding status recorded_at',
    ),
    rows: (userId) => sql`
      SELECT b.name, b.relation, b.grade, b.grade_reason, l.id AS loan_id, l.principal AS dollars, l.outstanding, l.status,
        coalesce(l.created_at, b.created_at) AS recorded_at
      FROM borrowers AS b LEFT JOIN loans AS l ON l.borrower_id = b.id
      WHERE b.user_id = ${userId} ORDER BY b.created_at, b.id, l.created_at, l.id`,
  },
  {
    name: 'investments',
    tables: ['transactions'],
    columns: words('id principal borne interest days opened_at matures_at status'),
    rows: (userId) => sql`
      SELECT id, amount AS principal, borne, interest, duration_days AS days, created_at AS opened_at, matures_at, investment_status AS status
      FROM transactions WHERE user_id = ${userId} AND type = 'investment' ORDER BY created_at DESC, id DESC`,
  },
  {
    name: 'payout-addresses',
    tables: ['payout_addresses'],
    columns: words('address network label saved_at usable_from'),
    rows: (userId) => sql`
      SELECT address, network_name AS network, label, created_at AS saved_at, usable_from FROM payout_addresses
      WHERE user_id = ${userId} ORDER BY created_at, id`,
  },
  {
    name: 'deposit-addresses',
    tables: ['wallets'],
    columns: words('address network last_chosen_at archived_at'),
    rows: (userId) => sql`
      SELECT address, network_name AS network, used_at AS last_chosen_at, archived_at FROM wallets
      WHERE owner_id = ${userId} ORDER BY network_name, id`,
  },
]

const messages: readonly Section[] = [
  {
    name: 'notices',
    tables: ['transactions', 'audit_entries'],
    columns: words('at kind dollars interest reason transaction_id browser system'),
    rows: (userId) => sql`
      SELECT at, kind, amount AS dollars, interest, reason, transaction_id, browser, system FROM (
        ${fromTransactions()} WHERE t.user_id = ${userId}
        UNION ALL
        ${fromEntries} WHERE e.owner_id = ${userId} AND ${INDEXED} AND ${noticed}
      ) AS n ORDER BY at DESC, id DESC`,
  },
  {
    name: 'notice-settings',
    tables: ['notice_settings'],
    columns: words('read_until mailed morning'),
    rows: (userId) => sql`
      SELECT nullif(read_until, '-infinity') AS read_until, to_jsonb(mailed) AS mailed, morning FROM notice_settings
      WHERE user_id = ${userId}`,
  },
  {
    name: 'mails',
    tables: ['mails'],
    columns: words('at recipient language status subject text'),
    // A mail to a new address tells whether another account has it.
    rows: (userId) => sql`
      SELECT m.* FROM mails AS m JOIN users AS u ON u.id = m.user_id
      WHERE m.user_id = ${userId} AND (m.recipient = u.username OR m.template NOT IN ('emailChange', 'emailTaken'))
      ORDER BY m.created_at DESC, m.id DESC`,
    present: readOwnMail,
  },
  {
    name: 'audit-trail',
    tables: ['audit_entries'],
    columns: words('at action by ip before after reason'),
    // Of what the user did for other people, the act and its moment alone.
    rows: (userId) => sql`
      SELECT at, action, by, ip, before, after, reason FROM (
        SELECT created_at AS at, id, action, CASE WHEN actor_id = ${userId} THEN 'you' WHEN source = 'operator' THEN 'operator'
          WHEN source = 'job' THEN 'system' WHEN actor_id IS NULL THEN 'unknown' ELSE 'staff' END AS by,
          CASE WHEN actor_id = ${userId} THEN source END AS ip, before, after, reason
        FROM audit_entries WHERE owner_id = ${userId}
        UNION ALL
        SELECT e.created_at, e.id, e.action, 'you', e.source, NULL, NULL, NULL
        FROM audit_entries AS e JOIN users AS u ON u.id = ${userId} AND lower(e.actor) = u.username
        WHERE e.actor_id = ${userId} AND e.owner_id IS DISTINCT FROM ${userId}::uuid
      ) AS entries ORDER BY at DESC, id DESC`,
  },
  {
    name: 'notes-of-staff',
    tables: ['notes'],
    columns: words('at text'),
    rows: (userId) => sql`
      SELECT created_at AS at, text FROM notes WHERE user_id = ${userId} ORDER BY created_at, id`,
  },
]

export const sections: readonly Section[] = [...account, ...money, ...messages]
