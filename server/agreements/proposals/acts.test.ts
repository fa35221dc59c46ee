import { approveProposal as approveCall, askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { markCompleted as completeCall } from '@pool/contract/coins/sending'
import { askRestructuring } from '@pool/contract/lending/lateLoans'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { joinPeople, newHash, newReference, openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import {
  actAs,
  codeOf,
  investorWith,
  type Person,
  person,
  rewoundProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { approveProposal } from './decide.ts'

/** Acts that an approval posts once, or its approver reads why not (docs/agreements.md). */

const product = rewoundProduct({ LOAN_CONCENTRATION: '100' })
let first: Person
let second: Person
let third: Person
let clerk: Person
let desk: ReturnType<typeof openDesk>
beforeEach(async () => {
  first = await person(product, ['SUPER_ADMIN'])
  second = await person(product, ['SUPER_ADMIN'])
  third = await person(product, ['SUPER_ADMIN'])
  clerk = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
  await contributeCapital(product.context, {
    amount: cents(10_000_00n),
    note: 'For loans',
    contributedBy: 'tests',
  })
})
afterEach(() => expectWhole(product))

type ActAnswer = Promise<{ readonly status: number; readonly body: object | null }>
type Act = {
  readonly ask: (by: Person) => ActAnswer
  /** The rows that it changes, as one text. */
  readonly state: () => Promise<string>
  /** Takes place before the approval, which then has the refusal. */
  readonly change: () => Promise<unknown>
  readonly refusal: string
  /** Its refusal while the pool winds down. None for what goes on. */
  readonly woundDown?: string
}

const one = async (text: string, id: string): Promise<string> =>
  (await desk.rows<{ state: string }>(`SELECT concat_ws(' ', ${text}) AS state`, id))[0]?.state ??
  ''
const limitTo = (dollars: number) =>
  desk.rows('UPDATE approval_limits SET per_person = $1, per_pool = $1', dollars * 100)

const withdrawal = async () => {
  const { id: userId } = await investorWith(product, 100)
  const by = { id: userId, from: 'tests' }
  const { transactionId } = await requestWithdrawal(product.context, { by, amount: cents(20_00n) })
  await approveWithdrawal(product.context, { transactionId, userId, by: actAs(clerk) })
  const state = () => one('(SELECT status FROM transactions WHERE id = $1)', transactionId)
  const send = () =>
    markSent(product.context, {
      transactionId,
      networkName: 'Bitcoin',
      evidence: newHash(),
      by: actAs(clerk),
    })
  const askToReturn = (by: Person) =>
    product.call(askProposal, {
      token: by.token,
      payload: {
        kind: 'RETURN_WITHDRAWAL',
        transactionId,
        userId,
        amount: 20,
        reason: 'Never came',
      },
    })
  return { transactionId, state, send, askToReturn }
}

const giveBack = async (): Promise<Act> => {
  const { transactionId, state, send, askToReturn } = await withdrawal()
  await send()
  return {
    ask: askToReturn,
    state,
    change: () => markCompleted(product.context, { transactionId, by: actAs(clerk) }),
    refusal: 'notToReturn',
  }
}

const complete = async (): Promise<Act> => {
  const { transactionId, state, send, askToReturn } = await withdrawal()
  await send()
  await limitTo(0)
  return {
    ask: (by) => product.call(completeCall, { token: by.token, params: { id: transactionId } }),
    state,
    change: async () => approve((await askToReturn(first)).body.id),
    refusal: 'notToComplete',
  }
}

const putInCapital = async (): Promise<Act & { readonly evidence: string }> => {
  const evidence = `0x${newHash()}`
  const investor = await person(product)
  return {
    evidence,
    ask: (by) =>
      product.call(askProposal, {
        token: by.token,
        payload: {
          kind: 'PUT_IN_CAPITAL',
          amount: 500,
          networkName: 'ethereum',
          asset: 'USDC',
          coins: '500',
          evidence,
          reason: 'For new interest',
        },
      }),
    state: () =>
      one(
        `(SELECT balance FROM accounts WHERE kind = 'reserve'), (SELECT balance FROM accounts WHERE kind = 'custody'),
         (SELECT count(*) FROM contributions WHERE network_name = 'Ethereum'), $1::text`,
        evidence,
      ),
    // An investor's deposit rests on it.
    change: () => depositBy(investor, evidence),
    refusal: 'transactionBooked',
  }
}

const depositBy = async ({ id, token }: Person, evidence: string) =>
  expect((await confirmBy({ id, token }, evidence)).status).toBe(200)

const confirmBy = async ({ id, token }: Pick<Person, 'id' | 'token'>, evidence: string) => {
  await addWallet(
    product.context,
    { address: newAddress('Ethereum'), networkName: 'Ethereum' },
    { name: 'tests', from: 'tests' },
  )
  const payload = { userId: id, amount: 500, networkName: 'Ethereum' }
  const { body } = await product.call(deposit, { token, payload })
  const confirmation = { transactionId: body.transactionId, evidence }
  return product.call(confirm, { token: clerk.token, payload: confirmation })
}

const loanState = (id: string) => () =>
  one(
    `(SELECT status || ' ' || outstanding FROM loans WHERE id = $1), (SELECT count(*) FROM loan_repayments WHERE loan_id = $1),
     (SELECT count(*) FROM loan_restructurings WHERE loan_id = $1)`,
    id,
  )

const disburse = async (): Promise<Act> => {
  const [id, other] = [await desk.approved(), await desk.approved()]
  const evidence = newHash()
  return {
    ask: (by) => desk.disburse(id, by, { evidence }),
    state: loanState(id),
    change: async () => approve((await desk.disburse(other, first, { evidence })).body.proposalId),
    refusal: 'loanEvidenceUsed',
    woundDown: 'windingDown',
  }
}

const repay = async (): Promise<Act> => {
  const id = await desk.active()
  const reference = newReference()
  await limitTo(0)
  return {
    ask: (by) => desk.askToRepay(id, { reference }, by),
    state: loanState(id),
    change: async () => {
      await limitTo(10_000)
      await desk.repay(id, { reference })
    },
    refusal: 'referenceUsed',
  }
}

const putInDefault = async (): Promise<Act> => {
  const id = await desk.active()
  return {
    ask: (by) => desk.askDefault(id, by),
    state: loanState(id),
    change: () => desk.giveBack([id]),
    refusal: 'loanIs',
  }
}

const restructure = async (): Promise<Act> => {
  const id = await desk.active()
  const terms = {
    reason: 'Illness',
    isDistressed: true,
    rateBasisPoints: 500,
    schedule: 'annuity',
    period: 'weekly',
    dayCount: 'act365',
    instalments: 12,
    dueDay: 1,
    firstDueOn: dayFrom(7),
  } as const
  return {
    ask: (by) =>
      product.call(askRestructuring, { token: by.token, params: { id }, payload: terms }),
    state: loanState(id),
    change: () => desk.giveBack([id]),
    refusal: 'loanIs',
  }
}

const inDefault = async () => {
  const id = await desk.active()
  await approve((await desk.askDefault(id)).body.proposalId)
  return id
}

const writeOff = async (): Promise<Act> => {
  const id = await inDefault()
  return {
    ask: (by) => desk.askWriteOff(id, by, 1_200),
    state: loanState(id),
    change: () => desk.repay(id, { amount: 10 }),
    refusal: 'loanOwes',
  }
}

const recover = async (): Promise<Act> => {
  const [id, other] = [await inDefault(), await desk.active()]
  await approve((await desk.askWriteOff(id, first, 1_200)).body.proposalId)
  const reference = newReference()
  return {
    ask: (by) => desk.askToRecover(id, { reference }, by),
    state: loanState(id),
    change: () => desk.repay(other, { reference }),
    refusal: 'referenceUsed',
  }
}

const idOf = ({ body }: Awaited<ActAnswer>): string => {
  const { id, proposalId } = body as { readonly id?: string; readonly proposalId?: string | null }
  expect(proposalId ?? id).toBeTruthy()
  return proposalId ?? id ?? ''
}
const approve = (id: string, by = second) =>
  product.call(approveCall, { token: by.token, params: { id } })
/** Past the checks of the call, as where a role goes after them. */
const approveLate = (id: string) =>
  approveProposal(product.context, { id, by: actAs(second) }).then(
    () => undefined,
    (error: { readonly code?: unknown }) => error.code,
  )
const isOpen = async (id: string) =>
  (await desk.rows('SELECT FROM proposals WHERE id = $1 AND ended_at IS NULL', id)).length === 1
const countOf = (table: 'movements' | 'audit_entries') =>
  one(`(SELECT count(*) FROM ${table}), $1::uuid`, first.id)
const moved = () => countOf('movements')

describe.each([
  ['a withdrawal that is given back', giveBack],
  ['a withdrawal that two people complete', complete],
  ['capital of the operator', putInCapital],
  ['a disbursement', disburse],
  ['a repayment', repay],
  ['a default', putInDefault],
  ['a write-off of a loan', writeOff],
  ['a recovery', recover],
  ['new terms', restructure],
])('%s', (_, prepare) => {
  test('is posted once by two approvals at once', async () => {
    const { ask, state } = await prepare()
    const id = idOf(await ask(first))
    expect(codeOf((await ask(third)) as never)).toBe('proposalAsked')
    const before = await state()
    const answers = await Promise.all([approve(id), approve(id, third)])
    expect(answers.map(codeOf).toSorted()).toEqual(['proposalClosed', undefined])
    expect(await state()).not.toBe(before)
  })

  test('is refused and changes nothing once its subject changed', async () => {
    const { ask, change, state, refusal } = await prepare()
    const id = idOf(await ask(first))
    await change()
    const before = [await state(), await moved()]
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: refusal } })
    expect([await state(), await moved()]).toEqual(before)
    expect(await isOpen(id)).toBe(true)
  })

  test('takes two people who may still act', async () => {
    const { ask, state } = await prepare()
    const id = idOf(await ask(first))
    const before = [await state(), await moved()]
    expect(codeOf(await approve(id, first))).toBe('ownProposal')
    const change = (text: string) => tamper(product.database, text)
    const roles = `user_roles WHERE user_id = '${second.id}' AND role = 'SUPER_ADMIN'`
    await change(`DELETE FROM ${roles}`)
    expect(await approveLate(id)).toBe('proposalClosed')
    await change(`INSERT INTO user_roles (user_id, role) VALUES ('${second.id}', 'SUPER_ADMIN')`)
    const asker = `UPDATE users SET suspended_at`
    await change(`${asker} = now() WHERE id = '${first.id}'`)
    expect(codeOf(await approve(id))).toBe('proposalClosed')
    await change(`${asker} = NULL WHERE id = '${first.id}'`)
    await joinPeople(product, first, second)
    expect(codeOf(await approve(id))).toBe('samePerson')
    expect([await state(), await moved()]).toEqual(before)
    expect((await approve(id, third)).status).toBe(200)
  })

  test('is undone with its approval by a lost connection', async () => {
    const { ask, state } = await prepare()
    const id = idOf(await ask(first))
    const before = [await state(), await moved()]
    // The session dies as it writes the entry of the act, after that of the approval.
    const [entries] = (await countOf('audit_entries')).split(' ')
    await product.database.superuser.query(`
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM audit_entries) > ${Number(entries) + 1} THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NULL; END $$;
      CREATE TRIGGER dies AFTER INSERT ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION die()`)
    try {
      expect((await approve(id)).status).toBeGreaterThanOrEqual(500)
    } finally {
      await product.database.superuser.query('DROP FUNCTION die CASCADE')
    }
    expect([await state(), await moved()]).toEqual(before)
    expect(await isOpen(id)).toBe(true)
    expect((await approve(id)).status).toBe(200)
    expect(await state()).not.toBe(before[0])
  })

  test('goes on in a pause and a wind-down', async () => {
    const { ask, state, woundDown } = await prepare()
    const id = idOf(await ask(first))
    const payload = { kind: 'WIND_DOWN', reason: 'The operator retires' } as const
    const ends = await product.call(askProposal, { token: first.token, payload })
    expect((await approve(ends.body.id)).status).toBe(200)
    await desk.rows(
      "UPDATE pauses SET paused_at = now(), paused_by = 'tests', reason = 'A look' WHERE name = 'withdrawals'",
    )
    const before = await state()
    expect(codeOf(await approve(id))).toBe(woundDown)
    expect((await state()) === before).toBe(woundDown !== undefined)
  })
})

/** Acts that name the transaction by hand: prepared, and then done. */
type Answered = Parameters<typeof codeOf>[0]
type Naming = (evidence: string) => Promise<() => Promise<Answered>>

const disbursed: Naming = async (evidence) => {
  const id = await desk.approved()
  return () => desk.disburse(id, first, { networkName: 'Ethereum', evidence })
}
const repaid: Naming = async (evidence) => {
  const id = await desk.active()
  return () => desk.askToRepay(id, { reference: evidence.slice(2).toUpperCase() }, clerk)
}
const paidOff: Naming = async (evidence) => {
  const id = await desk.active()
  const amount = (await desk.storyOf(id)).payoff ?? 0
  return () => desk.askToRepay(id, { reference: evidence, amount, inFull: true }, clerk)
}
const recovered: Naming = async (evidence) => {
  const id = await inDefault()
  await approve((await desk.askWriteOff(id, first, 1_200)).body.proposalId)
  return () => desk.askToRecover(id, { reference: `${evidence}:7` })
}
const deposited: Naming = async (evidence) => {
  const investor = await person(product)
  return () => confirmBy(investor, evidence)
}

/** The answer to an act that two people do where one may not. */
const done = async (asked: Answered) => {
  const { proposalId } = asked.body as { readonly proposalId?: string | null }
  return codeOf(proposalId ? await approve(proposalId) : asked)
}

describe.each([
  ['a disbursement', disbursed, 'transactionBooked'],
  ['a repayment', repaid, 'transactionBooked'],
  ['a pay-off', paidOff, 'transactionBooked'],
  ['a recovery', recovered, 'transactionBooked'],
  ['a deposit', deposited, 'evidenceUsed'],
])('%s and capital of one transaction', (_, naming, refused) => {
  test('is refused where capital came first', async () => {
    const { ask, evidence } = await putInCapital()
    const act = await naming(evidence)
    expect((await approve(idOf(await ask(first)))).status).toBe(200)
    expect(codeOf(await act())).toBe(refused)
  })

  test('lets no capital follow', async () => {
    const { ask, evidence } = await putInCapital()
    expect(await done(await (await naming(evidence))())).toBe(undefined)
    expect(codeOf((await ask(first)) as never)).toBe('transactionBooked')
  })

  test('is booked once where both come at once', async () => {
    const { ask, evidence } = await putInCapital()
    const act = await naming(evidence)
    const capital = idOf(await ask(first))
    const answers = await Promise.all([approve(capital).then(codeOf), act().then(done)])
    expect(answers.filter((code) => code === undefined)).toHaveLength(1)
    expect(['transactionBooked', refused]).toContain(answers.find(Boolean))
  })
})

test('no repayment rests on the coins of a deposit', async () => {
  const evidence = `0x${newHash()}`
  const act = await repaid(evidence)
  await depositBy(await person(product), evidence)
  expect(codeOf(await act())).toBe('transactionBooked')
})
