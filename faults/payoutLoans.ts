/** Loans in the batches of killed products: their calls, and the rows that judge them. */
import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import { askLoanApproval, askSending, recordLoan } from '@pool/contract/lending/loans'
import { expect } from 'vitest'
import { newAddress } from '../server/testing/addresses.ts'
import { dayFrom } from '../server/testing/loans.ts'
import { ask } from '../server/testing/request.ts'
import type { Node } from './run.ts'

type Query = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>
type Staff = { readonly token: string }
type LendingTools = {
  readonly node: Node
  readonly query: Query
  /** The one who asks, and the one who agrees. */
  readonly staff: readonly [Staff, Staff]
  /** Dollars of each loan. */
  readonly amount: number
}

/** Milliseconds of a poll for a condition, on a busy machine. */
export const PATIENCE = { timeout: 120_000, interval: 200 }

export type Loan = { readonly id: string; readonly to: string }

const answered = async <Answer extends { narration: string; successful: boolean }>(
  answer: Promise<Answer>,
): Promise<Answer> => {
  const given = await answer
  expect([given.narration, given.successful]).toEqual([expect.any(String), true])
  return given
}

/** The steps of staff before a batch may pay loans on Ethereum. */
export const openLending = async ({
  node,
  query,
  staff: [first, second],
  amount,
}: LendingTools) => {
  const borrower = await answered(
    ask(node, recordBorrower, {
      token: first.token,
      payload: {
        name: 'Ann Mason',
        country: 'DE',
        kind: 'person',
        relation: 'none',
        grade: 'B',
        gradeReason: 'Two years of accounts',
      },
    }),
  )
  const agree = (id: string) =>
    ask(node, approveOpenProposal, { token: second.token, params: { id } })
  const statusOf = async ({ id }: Loan): Promise<string> => {
    const rows = await query('SELECT status FROM loans WHERE id = $1', [id])
    return (rows as { status: string }[])[0]?.status ?? ''
  }
  /** A loan whose payment waits for the second person, and the call that agrees. */
  const asked = async () => {
    const { token } = first
    const { body } = await answered(
      ask(node, recordLoan, {
        token,
        payload: {
          borrowerId: borrower.body.id,
          purpose: 'business',
          amount,
          rateBasisPoints: 1_200,
          schedule: 'equalPrincipal',
          period: 'weekly',
          dayCount: 'act365',
          instalments: 2,
          dueDay: 1,
          disburseOn: dayFrom(0),
          firstDueOn: dayFrom(30),
        },
      }),
    )
    const loan: Loan = { id: body.id, to: newAddress('Ethereum') }
    const params = { id: loan.id }
    const vetted = ask(node, askLoanApproval, { token, params, payload: { reason: 'Vetted' } })
    await answered(agree((await answered(vetted)).body.proposalId))
    const sending = await answered(
      ask(node, askSending, {
        token,
        params,
        payload: { networkName: 'Ethereum', address: loan.to },
      }),
    )
    return { loan, agree: () => agree(sending.body.proposalId) }
  }
  return { asked, statusOf }
}

/** Each loan began once, with one reservation, its entries and its evidence. None is reserved. */
export const expectLent = async (query: Query, loans: readonly Loan[]): Promise<void> => {
  const rows = () =>
    query(
      `SELECT l.status, s.status AS sending,
         (SELECT count(*)::int FROM loan_sendings WHERE loan_id = l.id) AS sendings,
         (SELECT count(*)::int FROM movements WHERE reference_id = s.id AND name = 'loan_reserved') AS reserved,
         (SELECT count(*)::int FROM movements WHERE reference_id = s.proposal_id AND name = 'loan_sent') AS sent,
         (SELECT count(*)::int FROM audit_entries WHERE subject_id = l.id::text AND action IN ('loan.reserved', 'loan.disbursed')) AS entries,
         (SELECT count(*)::int FROM loan_disbursements AS d JOIN batch_payouts AS p ON p.sending_id = s.id
            AND p.is_open AND p.transaction_id = d.evidence AND p.output = d.output WHERE d.loan_id = l.id) AS paid,
         (SELECT count(*)::int FROM loan_instalments WHERE loan_id = l.id) AS lines
       FROM unnest($1::uuid[]) WITH ORDINALITY AS named (id, place) JOIN loans AS l USING (id)
       LEFT JOIN loan_sendings AS s ON s.loan_id = l.id ORDER BY place`,
      [loans.map(({ id }) => id)],
    )
  const once = { sendings: 1, reserved: 1, sent: 1, entries: 2, paid: 1, lines: 2 }
  // A loan begins by a job of its own once its batch is completed.
  await expect
    .poll(rows, PATIENCE)
    .toEqual(loans.map(() => ({ status: 'ACTIVE', sending: 'PAID', ...once })))
  const [sums] = await query(
    `SELECT (SELECT balance::int FROM accounts WHERE kind = 'sending') AS left,
       (SELECT count(*)::int FROM movements WHERE name IN ('loan_reserved', 'loan_sent')) AS movements`,
  )
  expect(sums).toEqual({ left: 0, movements: 2 * loans.length })
}
