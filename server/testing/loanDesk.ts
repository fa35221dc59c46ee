/** The calls of two members of staff about loans, who decide in turn. */
import { approveProposal } from '@pool/contract/agreements/proposals'
import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import {
  askDefault as askDefaultCall,
  askLoanWriteOff,
  askRecovery,
} from '@pool/contract/lending/lateLoans'
import {
  askDisbursement,
  askLoanApproval,
  loanStory,
  recordLoan,
  repayLoan,
  reverseRepayment,
} from '@pool/contract/lending/loans'
import { expect } from 'vitest'
import { custodyInCents } from '../ledger/sums/custody.ts'
import { dayFrom } from './loans.ts'
import type { Person, Product } from './product.ts'
import { tamper } from './tamper.ts'

export const newHash = () => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
export const newReference = () => `R-${crypto.randomUUID()}`

/**
 * $1,200 at 12 % over 12 weeks, from 30 days ago: each instalment is $100 and interest. It ran
 * already when the pool took it over.
 */
const terms = () => ({
  purpose: 'business',
  amount: 1_200,
  rateBasisPoints: 1_200,
  schedule: 'equalPrincipal',
  period: 'weekly',
  dayCount: 'act365',
  instalments: 12,
  dueDay: 1,
  disburseOn: dayFrom(-30),
  firstDueOn: dayFrom(-23),
  takenOverOn: dayFrom(0),
})

type Repaying = {
  amount?: number
  valueOn?: string
  reference?: string
  key?: string
  inFull?: boolean
}

const paymentOf = ({ amount = 100, valueOn, reference }: Repaying) => ({
  amount,
  valueOn: valueOn ?? dayFrom(0),
  reference: reference ?? newReference(),
})

/** Makes two accounts count as one person for a day, as where one let the other in alone. */
export const joinPeople = async ({ database }: Product, one: Person, other: Person) =>
  database.superuser.query(
    'UPDATE user_roles SET alone_by = $1, granted_at = now() WHERE user_id = $2',
    [one.id, other.id],
  )

type Agreeing = {
  readonly first: Person
  readonly second: Person
  readonly agree: (id: string, by: Person) => Promise<{ readonly status: number }>
}

/** Repayments and their reversals, as one person asks, and as two record them. */
const openRepayments = (product: Product, { first, second, agree }: Agreeing) => {
  /** The answer to one person. */
  const askToRepay = (id: string, payment: Repaying = {}, by = first) =>
    product.call(repayLoan, {
      token: by.token,
      params: { id },
      payload: {
        ...paymentOf(payment),
        ...(payment.inFull && { inFull: true }),
      },
      ...(payment.key !== undefined && { key: payment.key }),
    })
  /** The other person agrees where one may not do so alone. */
  const agreed = async (proposalId: string, by: Person) =>
    expect((await agree(proposalId, by.id === second.id ? first : second)).status).toBe(200)
  /** Records a repayment, by two people where one may not. */
  const repay = async (id: string, payment: Repaying = {}, by = first) => {
    const answer = await askToRepay(id, payment, by)
    const { proposalId, ...repaid } = answer.body ?? {}
    if (!proposalId)
      return { ...answer, body: { ...repaid, repaymentId: repaid.repaymentId ?? '' } }
    await agreed(proposalId, by)
    const { body } = await product.call(loanStory, { token: first.token, params: { id } })
    const { status } = body.loan
    return { ...answer, body: { ...repaid, status, repaymentId: proposalId } }
  }
  const reverse = async (id: string, by = first) => {
    const answer = await askToReverse(id, by)
    if (answer.body?.proposalId) await agreed(answer.body.proposalId, by)
    return answer
  }
  const askToReverse = (id: string, by = first) =>
    product.call(reverseRepayment, {
      token: by.token,
      params: { id },
      payload: { reason: 'Typed twice' },
    })
  return { askToRepay, repay, askToReverse, reverse }
}

/** The calls, of `first` unless told, and `second` agrees. */
export const openDesk = (product: Product, first: Person, second: Person) => {
  // Long: the acts on loans are short functions that share its state.
  const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await product.database.superuser.query(text, values)).rows
  const balanceOf = async (kind: string) =>
    (await rows<{ balance: number }>('SELECT balance::int FROM accounts WHERE kind = $1', kind))[0]
      ?.balance ?? 0

  const borrower = async (more: object = {}) => {
    const payload = {
      name: 'Ann Mason',
      country: 'de',
      kind: 'person',
      relation: 'none',
      grade: 'B',
      gradeReason: 'Two years of accounts',
      ...more,
    }
    return product.call(recordBorrower, { token: first.token, payload })
  }

  const record = async (more: object = {}, ofBorrower: object = {}) => {
    const { body } = await borrower(ofBorrower)
    return product.call(recordLoan, {
      token: first.token,
      payload: { borrowerId: body.id, ...terms(), ...more },
    })
  }
  const recorded = async (...more: Parameters<typeof record>) => {
    const answer = await record(...more)
    expect(answer.status).toBe(200)
    return answer.body.id
  }
  const askApproval = (id: string, by = first) =>
    product.call(askLoanApproval, {
      token: by.token,
      params: { id },
      payload: { reason: 'Vetted' },
    })
  const disburse = (id: string, by = first, more: object = {}) =>
    product.call(askDisbursement, {
      token: by.token,
      params: { id },
      payload: {
        networkName: 'Bitcoin',
        evidence: newHash(),
        disbursedOn: dayFrom(-30),
        ...more,
      },
    })
  const agree = (id: string, by = second) =>
    product.call(approveOpenProposal, { token: by.token, params: { id } })

  const repayments = openRepayments(product, { first, second, agree })
  const { repay } = repayments

  const approved = async (...more: Parameters<typeof record>) => {
    const id = await recorded(...more)
    const { body } = await askApproval(id)
    expect((await agree(body.proposalId)).status).toBe(200)
    return id
  }
  const active = async (terms: object = {}, ofBorrower: object = {}, paid: object = {}) => {
    const id = await approved(terms, ofBorrower)
    const { body } = await disburse(id, first, paid)
    expect((await agree(body.proposalId)).status).toBe(200)
    return id
  }

  const askDefault = (id: string, by = first) =>
    product.call(askDefaultCall, {
      token: by.token,
      params: { id },
      payload: { reason: 'Insolvent' },
    })
  const askWriteOff = (id: string, by: Person, amount: number) =>
    product.call(askLoanWriteOff, {
      token: by.token,
      params: { id },
      payload: { reason: 'Nothing is left', amount },
    })
  const agreeAsSuper = (id: string, by: Person) =>
    product.call(approveProposal, { token: by.token, params: { id } })
  const askToRecover = (id: string, payment: Repaying = {}, by = first) =>
    product.call(askRecovery, {
      token: by.token,
      params: { id },
      payload: paymentOf(payment),
    })
  /** Two agree. The id of the proposal is that of the recovery. */
  const recover = async (...asking: Parameters<typeof askToRecover>) => {
    const { body } = await askToRecover(...asking)
    expect((await agree(body.proposalId)).status).toBe(200)
    return body.proposalId
  }
  const storyOf = async (id: string) =>
    (await product.call(loanStory, { token: first.token, params: { id } })).body
  const statusOf = async (id: string) => (await storyOf(id)).loan.status

  /** Repays all that the loans owe. Their instalments are due by now. */
  const giveBack = async (ids: readonly string[]) => {
    for (const id of ids)
      while (['ACTIVE', 'DEFAULTED'].includes(await statusOf(id))) {
        await tamper(
          product.database,
          `UPDATE loan_instalments SET due_on = least(due_on, current_date) WHERE loan_id = '${id}'`,
        )
        expect((await repay(id, { amount: (await storyOf(id)).loan.nextDue })).status).toBe(200)
      }
  }
  return {
    rows,
    balanceOf,
    borrower,
    record,
    recorded,
    askApproval,
    disburse,
    agree,
    approved,
    active,
    ...repayments,
    storyOf,
    statusOf,
    giveBack,
    askDefault,
    askWriteOff,
    agreeAsSuper,
    askToRecover,
    recover,
  }
}

/** Expects that what the ledger counts as coins is what its transfers say. */
export const expectCustody = async ({ context, database }: Product): Promise<void> => {
  const { rows } = await database.superuser.query<{ cents: bigint }>(
    `SELECT coalesce(-sum(CASE WHEN t.to_account_id = a.id THEN amount ELSE -amount END), 0)::bigint AS cents
     FROM transfers AS t JOIN accounts AS a ON a.kind = 'custody' AND a.id IN (from_account_id, to_account_id)`,
  )
  expect(await custodyInCents(context.db)).toBe(rows[0]?.cents)
}
