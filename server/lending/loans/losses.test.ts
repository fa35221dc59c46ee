import { askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import type { Refusal } from '@pool/contract/base/refusals'
import { listLosses } from '@pool/contract/lending/losses'
import { BREAK_REASON, LOSS_REASON, listPauses, pause, resume } from '@pool/contract/money/pauses'
import { withdraw } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { endBreakPause, pauseByBreak } from '../../money/brakes/pauses.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { expectCustody, openDesk } from '../../testing/loanDesk.ts'
import { emptyReserve } from '../../testing/lossEnds.ts'
import {
  actAs,
  codeOf,
  investorWith,
  type Person,
  type Product,
  person,
  rewoundProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

const product = rewoundProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' },
  { reserve: cents(1_000_00n) },
)
let desk: ReturnType<typeof openDesk>
let second: Person
let supers: readonly [Person, Person]

beforeEach(async () => {
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, await person(product, ['ADMIN']), second)
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
})
afterEach(async () => {
  await expectWhole(product, /oan|oss/)
  await expectCustody(product)
})

/** Another node. */
const elsewhere = () => ({
  ...product.context,
  ledger: openLedger(product.database.pool),
})

describe('a loss', () => {
  /** Lends 900 of investors' principal, and then promises all but 300 of the reserve. */
  const lend = async (more = 0) => {
    const investor = await investorWith(product, 10_000)
    const id = await desk.active({ amount: 900, fromInvestors: 900 })
    const other = more > 0 ? await desk.active({ amount: more, fromInvestors: more }) : ''
    const by = { id: investor.id, from: 'tests' }
    await openInvestment(product.context, { by, amount: cents(10_000_00n), durationDays: 12 })
    return { id, other, leaver: await investorWith(product, 5_000) }
  }
  const inDefault = async (id: string) => {
    const { body } = await desk.askDefault(id)
    expect((await desk.agree(body.proposalId)).status).toBe(200)
  }
  const askedToWriteOff = async (id: string, amount: number): Promise<string> => {
    await inDefault(id)
    return (await desk.askWriteOff(id, supers[0], amount)).body.proposalId
  }
  const book = async () => (await product.call(listLosses, { token: supers[0].token })).body
  const cover = async (amount: number, lossId?: string) =>
    product.call(askProposal, {
      token: supers[0].token,
      payload: {
        kind: 'COVER_LOSS',
        amount,
        reason: 'The operator bears it',
        lossId: lossId ?? (await book()).lossId ?? newId(),
      },
    })
  const paused = async () =>
    (await product.call(listPauses)).body.map(({ name }: { name: string }) => name)
  const leave = ({ id, token }: Person) =>
    product.call(withdraw, { token, payload: { userId: id, amount: 10 } })

  test('is borne by the free reserve where it reaches', async () => {
    await contributeCapital(product.context, {
      amount: cents(19_000_00n),
      note: 'Enough for the loss',
      contributedBy: 'tests',
    })
    const [reserve, deployed] = [await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]
    const id = await desk.active({ fromInvestors: 300 })
    const asked = await askedToWriteOff(id, 1_200)
    expect((await desk.agreeAsSuper(asked, supers[1])).status).toBe(200)
    expect(await desk.statusOf(id)).toBe('WRITTEN_OFF')
    expect(await desk.balanceOf('reserve')).toBe(reserve - 900_00 - 300_00)
    expect(await desk.balanceOf('deployed')).toBe(deployed)
    expect(await book()).toMatchObject({
      open: 0,
      lines: [{ loanId: id, capital: 900, covered: 300, lost: 0 }],
    })
    expect(await paused()).toEqual([])
    await desk.recover(id, { amount: 500 })
    expect(await desk.balanceOf('reserve')).toBe(reserve - 1_200_00 + 500_00)
  })

  test('beyond it pauses until the operator bears it', async () => {
    const { id, leaver } = await lend()
    const asked = await askedToWriteOff(id, 900)
    expect((await leave(leaver)).status).toBe(200)
    expect((await desk.agreeAsSuper(asked, supers[1])).status).toBe(200)
    expect(await book()).toMatchObject({
      open: 600,
      free: 0,
      lines: [{ capital: 0, covered: 300, lost: 600 }],
    })
    expect(await paused()).toEqual(['investing', 'withdrawals'])
    expect(await leave(leaver)).toMatchObject({ status: 503, body: { code: 'paused' } })
    const params = { name: 'withdrawals' }
    expect(codeOf(await product.call(resume, { token: supers[0].token, params }))).toBe(
      'pausedByLoss',
    )
    expect(codeOf(await cover(599))).toBe('lossChanged')
    expect(codeOf(await cover(600))).toBe('reserveShort')
    await expectWhole(product)

    await contributeCapital(product.context, {
      amount: cents(650_00n),
      note: 'For the loss',
      contributedBy: 'tests',
    })
    // Nor is the capital lent elsewhere.
    expect(codeOf(await desk.disburse(await desk.approved({ amount: 12 })))).toBe('lossOpen')
    const { body } = await cover(600)
    expect(codeOf(await desk.agreeAsSuper(body.id, supers[0]))).toBe('ownProposal')
    expect((await desk.agreeAsSuper(body.id, supers[1])).status).toBe(200)
    expect(await book()).toMatchObject({ open: 0, free: 50 })
    expect(await paused()).toEqual([])
    expect((await leave(leaver)).status).toBe(200)
    expect(codeOf(await desk.agreeAsSuper(body.id, supers[1]))).toBe('proposalClosed')
  })

  test('refuses each withdrawal after its write-off, on every node', async () => {
    const { id, leaver } = await lend()
    const asked = await askedToWriteOff(id, 900)
    const contexts = [product.context, elsewhere()]
    let answered = false
    const late: string[] = []
    const early: string[] = []
    const client = async (context: Product['context']) => {
      for (let after = 0; after < 3; ) {
        const isLate = answered
        const outcome = await requestWithdrawal(context, {
          by: { id: leaver.id, from: 'tests' },
          amount: cents(10_00n),
        }).then(
          () => 'held',
          (error: Refusal) => error.code,
        )
        ;(isLate ? late : early).push(outcome)
        if (isLate) after += 1
      }
    }
    const clients = Array.from({ length: 6 }, (_, n) => client(contexts[n % 2] ?? product.context))
    await vi.waitFor(() => expect(early).toContain('held'), { timeout: 60_000 })
    expect((await desk.agreeAsSuper(asked, supers[1])).status).toBe(200)
    answered = true
    await Promise.all(clients)
    expect([late.length, ...new Set(late)]).toEqual([18, 'paused'])
    await cover(600)
  })

  test('of two loans at one moment takes the reserve once', async () => {
    const { id, other } = await lend(100)
    const asked = [await askedToWriteOff(id, 900), await askedToWriteOff(other, 100)]
    await Promise.all(asked.map((each) => desk.agreeAsSuper(each, supers[1])))
    expect([await desk.statusOf(id), await desk.statusOf(other)]).toEqual([
      'WRITTEN_OFF',
      'WRITTEN_OFF',
    ])
    expect(await book()).toMatchObject({ open: 700, free: 0 })
  })

  test('is borne by a cover of itself alone', async () => {
    const { id } = await lend()
    await desk.agreeAsSuper(await askedToWriteOff(id, 900), supers[1])
    const { lossId } = await book()
    await contributeCapital(product.context, {
      amount: cents(1_500_00n),
      note: 'For losses',
      contributedBy: 'tests',
    })
    const { body } = await cover(600)
    await desk.agreeAsSuper(body.id, supers[1])
    expect(await desk.rows('SELECT id FROM loss_covers')).toHaveLength(1)
    const other = await desk.active({ amount: 600, fromInvestors: 600 })
    await emptyReserve(product)
    await desk.agreeAsSuper(await askedToWriteOff(other, 600), supers[1])
    await contributeCapital(product.context, {
      amount: cents(600_00n),
      note: 'For another loss',
      contributedBy: 'tests',
    })
    // Another loss of the same sum is not the one that they agreed about.
    expect(codeOf(await cover(600, lossId ?? ''))).toBe('lossChanged')
    expect(await book()).toMatchObject({ open: 600, free: 600 })
    await desk.agreeAsSuper((await cover(600)).body.id, supers[1])
    expect(await book()).toMatchObject({ open: 0, lossId: null, free: 0 })
  })

  test('holds the pause when a break of the books ends', async () => {
    const { id } = await lend()
    const asked = await askedToWriteOff(id, 900)
    await desk.agreeAsSuper(asked, supers[1])
    const reconciliationId = newId()
    await desk.rows(
      `INSERT INTO reconciliations (id, break_cents, is_unpriced, is_whole, limit_cents, is_pausing, custody_cents, typed_cents, coins_cents)
       VALUES ($1, 1, false, false, 1, true, 1, 0, 0)`,
      reconciliationId,
    )
    const { db, keys } = product.context
    const by = actAs(supers[0])
    await db
      .transaction()
      .execute((transaction) => pauseByBreak({ db: transaction, keys }, { reconciliationId, by }))
    const reasons = async () =>
      (await product.call(listPauses)).body.map(({ reason }: { reason: string }) => reason)
    expect(await reasons()).toEqual([LOSS_REASON, BREAK_REASON])
    await db
      .transaction()
      .execute((transaction) => endBreakPause({ db: transaction, keys }, { by, reason: 'Found' }))
    expect(await reasons()).toEqual([LOSS_REASON, LOSS_REASON])
    await expectWhole(product)
  })

  test('leaves the pause of a person where it was', async () => {
    const { id } = await lend()
    const params = { name: 'withdrawals' }
    const payload = { reason: 'The bank is closed.' }
    await product.call(pause, { token: supers[0].token, params, payload })
    const asked = await askedToWriteOff(id, 900)
    await desk.agreeAsSuper(asked, supers[1])
    await contributeCapital(product.context, {
      amount: cents(600_00n),
      note: 'For the loss',
      contributedBy: 'tests',
    })
    const { body } = await cover(600)
    await desk.agreeAsSuper(body.id, supers[1])
    expect((await product.call(listPauses)).body).toMatchObject([{ ...params, ...payload }])
  })

  test.each([
    'UPDATE pauses SET by_loss = false, paused_at = NULL, paused_by = NULL, reason = NULL',
    'UPDATE loan_write_offs SET covered = covered + 1, lost = lost - 1',
    'UPDATE loans SET from_investors = from_investors - 1',
  ])('is found by the check after %s', async (statement) => {
    const { id } = await lend()
    const asked = await askedToWriteOff(id, 900)
    await desk.agreeAsSuper(asked, supers[1])
    const before = await desk.rows<Record<string, unknown>>('SELECT * FROM pauses ORDER BY name')
    expect(before).toHaveLength(3)
    await tamper(product.database, statement)
    expect((await checkLedger(product.context.db)).firstMismatch).toBeDefined()
    await tamper(
      product.database,
      `UPDATE pauses SET by_loss = true, paused_at = now(), paused_by = 'system', reason = 'x' WHERE name <> 'deposits';
       UPDATE loan_write_offs SET covered = 30000, lost = 60000; UPDATE loans SET from_investors = 90000`,
    )
  })
})
