/**
 * Loans that are paid out, by hand or by a batch. A batch pays what was reserved before
 * (docs/decisions/071).
 */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import type { ScheduleLine } from '@pool/contract/lending/schedules'
import { type Lending, lending, mostFor } from './concentration.ts'
import { applyToLadder, type LadderState, ladder, refusedLadder } from './ladder.ts'
import { capitalIn, type LoanState, type LoanStates, loans } from './loanRows.ts'
import { rowsInsertedInto } from './loans.ts'
import type {
  Movement,
  Refused,
  RowToWrite,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'
import { isBooked, noteUse, type Uses, uses } from './uses.ts'

const DISBURSEMENTS: Statement = {
  name: 'loan_disbursements',
  text: `
INSERT INTO loan_disbursements (id, loan_id, principal, capital, disbursed_on, network_name, evidence, output, sent)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::date[], $6::text[], $7::text[], $8::integer[], $9::boolean[])`,
}

const RESERVED: Statement = {
  name: 'loan_sendings',
  text: `
INSERT INTO loan_sendings (id, proposal_id, loan_id, principal, capital, network_name, address)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])`,
}

const ENDED: Statement = {
  name: 'ended_sendings',
  text: `
UPDATE loan_sendings AS s SET status = e.status, release_id = e.release_id
FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS e (id, status, release_id) WHERE s.id = e.id`,
}

type OfLoan = {
  readonly id: string
  readonly loanId: string
  readonly entry: SignedEntry
}

/** A loan with the facts that decide if it is lent. */
type Lent = OfLoan & {
  readonly principal: Cents
  /** The part of it that investors' principal funds. */
  readonly fromInvestors: Cents
  /** The rest, out of the reserve. Found by the rule, as for the next ones. */
  readonly capital?: Cents
  /** Percent of instalments that count as coins. Null if no principal of investors is lent. */
  readonly collectionRate: number | null
  /** Percent of the operator's capital that one borrower may owe. */
  readonly concentration: number
  /** The schedule from its day. */
  readonly lines: readonly ScheduleLine[]
}

type Paid = {
  /** ISO text. */
  readonly disbursedOn: string
  readonly networkName: string
  /** The transaction that paid it out. */
  readonly evidence: string
}

/** The product books what two people agreed to. Its id is that of their proposal. */
export type LoanDisbursed = Lent & Paid & { readonly movement: 'loan_disbursed' }

/** The product reserves a loan that a batch is to pay. Its id is that of the sending. */
export type LoanReserved = Lent & {
  readonly movement: 'loan_reserved'
  readonly proposalId: string
  readonly networkName: string
  readonly address: string
}

/** The chain shows the coins of a reserved loan. Its id is that of the proposal to send it. */
export type LoanSent = OfLoan &
  Paid & {
    readonly movement: 'loan_sent'
    readonly sendingId: string
    readonly principal: Cents
    readonly capital?: Cents
    /** The output of the transaction that paid it. Null of the own coin of an EVM network. */
    readonly output: number | null
    readonly lines: readonly ScheduleLine[]
  }

/** Two people gave a reserved loan back to the reserve. Its id is that of the sending. */
export type LoanReleased = OfLoan & {
  readonly movement: 'loan_released'
  readonly proposalId: string
  readonly capital?: Cents
}

export type DisbursementOperation = LoanDisbursed | LoanReserved | LoanSent | LoanReleased

const AGREED = `
SELECT id, kind, subject FROM proposals WHERE id = ANY ($1::uuid[]) AND status = 'DONE'`

type Deciding = LoanDisbursed | LoanReserved | LoanReleased
const proposalOf = (deciding: Deciding): string =>
  'proposalId' in deciding ? deciding.proposalId : deciding.id

type AgreedProposals = Map<string, { readonly kind: string; readonly subject: string }>

/** Approved proposals, by id. */
const agreed: StateReading<Deciding, AgreedProposals> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string; kind: string; subject: string }>(
      'read_agreed_loans',
      AGREED,
      [operations.map(proposalOf)],
    )
    return new Map(rows.map(({ id, ...proposal }) => [id, proposal]))
  },
}

/** True if two people agreed on the operation. */
const isAgreed = (deciding: Deciding, kind: string, state: AgreedProposals): boolean => {
  const proposal = state.get(proposalOf(deciding))
  return proposal?.kind === kind && proposal.subject === deciding.loanId
}

const SENDINGS = `
SELECT id, loan_id AS "loanId", capital, status, EXISTS (SELECT FROM loan_confirmations WHERE sending_id = id) AS "isConfirmed"
FROM loan_sendings WHERE id = ANY ($1::uuid[])`

type Sending = {
  readonly loanId: string
  readonly capital: bigint
  readonly status: string
  /** True once the chain shows its coins. */
  readonly isConfirmed: boolean
}
type LoanPayouts = Map<string, Sending>

const sendingOf = (ending: LoanSent | LoanReleased): string =>
  'sendingId' in ending ? ending.sendingId : ending.id

/** Reserved loans, by sending. Read once their loans are locked. */
const loanPayouts: StateReading<LoanSent | LoanReleased, LoanPayouts> = {
  read: async (query, operations) => {
    const rows = await query<Sending & { id: string }>('read_sendings', SENDINGS, [
      operations.map(sendingOf),
    ])
    return new Map(rows.map(({ id, ...sending }) => [id, sending]))
  },
}

const disbursementRows = rowsInsertedInto('disbursement', 'loan_disbursements')
const sendingRows = { noun: 'reserved loan', table: 'loan_sendings', owned: false } as const

type LendingStates = {
  readonly loans: LoanStates
  readonly agreed: AgreedProposals
  readonly lending: Lending
  readonly ladder: LadderState
}

/** The loan, unless it may not be lent now. */
const lendable = (
  lent: LoanDisbursed | LoanReserved,
  kind: string,
  { loans, agreed, lending, ladder }: LendingStates,
): LoanState | Refused => {
  const { loanId, principal } = lent
  const loan = loans.get(loanId)
  if (loan?.principal !== principal || loan.fromInvestors !== lent.fromInvestors)
    return { refused: 'loanNotFound' }
  if (!isAgreed(lent, kind, agreed)) return { refused: 'proposalClosed' }
  if (loan.status !== 'APPROVED') return { refused: 'loanIs', status: loan.status }
  const most = mostFor(lending, loanId, lent.concentration)
  if (principal > most) return { refused: 'loanConcentrated', most: dollarsFromCents(cents(most)) }
  return refusedLadder(lent, ladder) ?? loan
}

/** Counts a loan as lent for the later ones of its group. */
const applyLending = (
  lent: LoanDisbursed | LoanReserved,
  { lending, ladder }: LendingStates,
): void => {
  const party = lending.parties.get(lent.loanId)?.party ?? ''
  applyToLadder(lent, ladder)
  lending.owed.set(party, (lending.owed.get(party) ?? 0n) + lent.principal)
}

/** The row of a disbursement. Without an output it was by hand. */
const disbursementOf = (paid: LoanDisbursed | LoanSent, capital: Cents): RowToWrite => {
  const { id, loanId, principal, disbursedOn, networkName, evidence } = paid
  const output = 'output' in paid ? paid.output : null
  return {
    into: DISBURSEMENTS,
    values: [
      id,
      loanId,
      principal,
      capital,
      disbursedOn,
      networkName,
      evidence,
      output,
      'output' in paid,
    ],
  }
}

/** The loan from the day on which it was paid out. */
const active = (
  loan: LoanState,
  { principal, disbursedOn, lines }: LoanDisbursed | LoanSent,
): LoanState => ({
  ...loan,
  status: 'ACTIVE',
  outstanding: principal,
  isChanged: true,
  disbursedOn,
  instalments: lines.map((line, index) => ({
    ...line,
    number: index + 1,
    principalPaid: 0n,
    interestPaid: 0n,
    isNew: true as const,
  })),
})

/** A reserved loan and its sending, or why it is not to be ended. */
const openSending = (
  ending: LoanSent | LoanReleased,
  { loans, loanPayouts }: { loans: LoanStates; loanPayouts: LoanPayouts },
): { readonly loan: LoanState; readonly sending: Sending } | Refused => {
  const loan = loans.get(ending.loanId)
  const sending = loanPayouts.get(sendingOf(ending))
  if (!loan || sending?.loanId !== ending.loanId) return { refused: 'loanNotFound' }
  if (loan.status !== 'SENDING' || sending.status !== 'OPEN')
    return { refused: 'loanIs', status: loan.status }
  return { loan, sending }
}

export const disbursementMovements = {
  /** Coins went to a borrower: capital out of the free reserve, and principal of investors. */
  loan_disbursed: {
    legs: [
      { from: 'loans', to: 'custody', moves: 'principal' },
      { from: 'reserve', to: 'deployed', moves: 'capital' },
    ],
    expected: {
      rows: disbursementRows,
      statuses: ['MADE'],
      only: { column: 'sent', is: false },
    },
    isAlone: ({ fromInvestors }) => fromInvestors > 0n,
    reads: { loans, agreed, lending, ladder, uses },
    rule: (paid, states) => {
      const loan = lendable(paid, 'DISBURSE_LOAN', states)
      if ('refused' in loan) return loan
      if (isBooked(paid, states.uses)) return { refused: 'transactionBooked' }
      const capital = capitalIn(loan, paid.principal)
      return {
        rows: [disbursementOf(paid, capital)],
        amounts: { capital },
        entry: paid.entry,
        note: () => {
          applyLending(paid, states)
          noteUse(paid, null, states.uses)
          states.loans.set(paid.loanId, active(loan, paid))
        },
      }
    },
  } satisfies Movement<LoanDisbursed, LendingStates & { uses: Uses }>,

  /** A loan that a batch is to pay: its capital is reserved before any coins leave. */
  loan_reserved: {
    legs: [{ from: 'reserve', to: 'sending', moves: 'capital' }],
    expected: { rows: sendingRows, statuses: ['OPEN', 'PAID', 'RELEASED'] },
    isAlone: ({ fromInvestors }) => fromInvestors > 0n,
    reads: { loans, agreed, lending, ladder },
    rule: (reserved, states) => {
      const loan = lendable(reserved, 'SEND_LOAN', states)
      if ('refused' in loan) return loan
      const { id, proposalId, loanId, principal, networkName, address, entry } = reserved
      const capital = capitalIn(loan, principal)
      return {
        rows: [
          {
            into: RESERVED,
            values: [id, proposalId, loanId, principal, capital, networkName, address],
          },
        ],
        amounts: { capital },
        entry,
        note: () => {
          applyLending(reserved, states)
          states.loans.set(loanId, { ...loan, status: 'SENDING', isChanged: true })
        },
      }
    },
  } satisfies Movement<LoanReserved, LendingStates>,

  /** Coins of a reserved loan have left. Nothing refuses it any more: they are gone. */
  loan_sent: {
    legs: [
      { from: 'loans', to: 'custody', moves: 'principal' },
      { from: 'sending', to: 'deployed', moves: 'capital' },
    ],
    expected: {
      rows: disbursementRows,
      statuses: ['MADE'],
      only: { column: 'sent', is: true },
    },
    reads: { loans, loanPayouts },
    rule: (sent, { loans, loanPayouts }) => {
      const found = openSending(sent, { loans, loanPayouts })
      if ('refused' in found) return found
      const { loan, sending } = found
      const capital = cents(sending.capital)
      return {
        rows: [
          disbursementOf(sent, capital),
          { into: ENDED, values: [sent.sendingId, 'PAID', null] },
        ],
        amounts: { capital },
        entry: sent.entry,
        note: () => {
          loanPayouts.set(sent.sendingId, { ...sending, status: 'PAID' })
          loans.set(sent.loanId, active(loan, sent))
        },
      }
    },
  } satisfies Movement<LoanSent, { loans: LoanStates; loanPayouts: LoanPayouts }>,

  /** A loan that no batch is to pay any more. Its capital is free again. */
  loan_released: {
    legs: [{ from: 'sending', to: 'reserve', moves: 'capital' }],
    expected: { rows: sendingRows, statuses: ['RELEASED'] },
    reads: { loans, agreed, loanPayouts },
    rule: (released, { loans, agreed, loanPayouts }) => {
      const found = openSending(released, { loans, loanPayouts })
      if ('refused' in found) return found
      if (!isAgreed(released, 'RELEASE_LOAN', agreed)) return { refused: 'proposalClosed' }
      const { id, loanId, proposalId, entry } = released
      const { loan, sending } = found
      if (sending.isConfirmed) return { refused: 'loanIs', status: loan.status }
      return {
        rows: [{ into: ENDED, values: [id, 'RELEASED', proposalId] }],
        amounts: { capital: cents(sending.capital) },
        entry,
        note: () => {
          loanPayouts.set(id, { ...sending, status: 'RELEASED' })
          loans.set(loanId, { ...loan, status: 'APPROVED', isChanged: true })
        },
      }
    },
  } satisfies Movement<
    LoanReleased,
    { loans: LoanStates; agreed: AgreedProposals; loanPayouts: LoanPayouts }
  >,
}
