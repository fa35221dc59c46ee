import { declineProposal, listProposals } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars } from '@pool/contract/base/money'
import { pause, resume } from '@pool/contract/money/pauses'
import { afterEach, expect, test } from 'vitest'
import { rewoundDatabase } from '../../testing/database.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { expectCustody, newReference } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { actAs, codeOf, fund, person } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { startWindDown, type WindingDown } from '../../testing/windDowns.ts'
import { repayLoan } from '../loans/repay.ts'

/** Capital that waits for repayments that two people confirm, and for days of a pause. */

const database = rewoundDatabase()
let world: WindingDown
afterEach(async () => {
  await expectWhole(world.product)
  await expectCustody(world.product)
  await world.product.close()
})

test('capital leaves after a repayment that two people confirm', async () => {
  world = await startWindDown(undefined, database())
  const { product, desk, supers, ask, decide, progress, begin, take, shiftBack } = world
  await fund(product, await person(product), centsFromDollars(2_000))
  const loan = await desk.active({ amount: 900, fromInvestors: 900 })
  await begin()
  await shiftBack()
  expect(codeOf(await ask('WITHDRAW_CAPITAL', { amount: 1 }))).toBe('capitalLeavesLast')
  // One person alone says that the loan was paid back.
  await desk.giveBack([loan])
  const { owed, reserve, repayments } = await progress()
  expect(owed).toBe(0)
  expect(repayments).toMatchObject({ mark: expect.stringMatching(/^[0-9a-f]{64}$/) })
  const [{ reference = '' } = {}] = repayments.largest
  const mark = '0'.repeat(64)
  const shown = [
    undefined,
    { ...repayments, mark },
    { ...repayments, count: 0 },
    { ...repayments, amount: 1 },
    { ...repayments, largest: [] },
  ]
  for (const repayments of shown)
    expect(codeOf(await ask('WITHDRAW_CAPITAL', { amount: reserve, repayments }))).toBe(
      'repaymentsChanged',
    )
  const asked = await ask('WITHDRAW_CAPITAL', { amount: reserve, repayments })
  const [proposal] = (await product.call(listProposals, { token: supers[1].token })).body
  expect(proposal?.facts).toMatchObject({
    count: repayments.count,
    largest: expect.arrayContaining([expect.objectContaining({ reference })]),
  })
  // Taken back, it is another set, for the second person and for every writer.
  const [{ id = '' } = {}] = await desk.rows<{ id: string }>(
    'SELECT id FROM loan_repayments ORDER BY id DESC LIMIT 1',
  )
  expect((await desk.reverse(id)).status).toBe(200)
  expect(codeOf(await decide(asked.body.id))).toBe('capitalLeavesLast')
  await desk.giveBack([loan])
  expect(codeOf(await decide(asked.body.id))).toBe('repaymentsChanged')
  const decline = { token: supers[0].token, params: { id: asked.body.id } }
  expect((await product.call(declineProposal, decline)).status).toBe(200)
  expect((await take(reserve)).status).toBe(200)
  expect(await progress()).toMatchObject({ reserve: 0, available: 2_000 })
})

test('capital waits when a repayment comes at the same moment', async () => {
  world = await startWindDown(2_000_00n, database())
  const { product, clerk, desk, ask, decide, progress, begin, take, elsewhere, standing } = world
  const loan = await desk.active()
  await begin()
  const { reserve } = await progress()
  const { body } = await ask('WITHDRAW_CAPITAL', { amount: reserve })
  const [taken, repaid] = await Promise.all([
    decide(body.id),
    repayLoan(elsewhere(), {
      loanId: loan,
      amount: cents(50_00n),
      valueOn: dayFrom(0),
      by: actAs(clerk),
      reference: newReference(),
    }),
  ])
  expect(repaid.repaymentId).toBeDefined()
  // The proposal names no repayment, so it counts before this one alone.
  const left = await progress()
  expect([200, 409]).toContain(taken.status)
  expect(left.taken).toBe(taken.status === 200 ? reserve : 0)
  const withdrawn =
    taken.status === 200
      ? undefined
      : await product.call(declineProposal, {
          token: world.supers[0].token,
          params: { id: body.id },
        })
  expect(withdrawn?.status ?? 200).toBe(200)
  const next = await ask('WITHDRAW_CAPITAL', {
    amount: left.reserve,
    repayments: left.repayments,
  })
  expect((await desk.repay(loan, { amount: 20 })).status).toBe(200)
  expect(codeOf(await decide(next.body.id))).toBe('repaymentsChanged')
  const insert = `INSERT INTO capital_withdrawals (id, amount)
    SELECT id, (payload ->> 'amount')::numeric * 100 FROM proposals
    WHERE kind = 'WITHDRAW_CAPITAL' ORDER BY asked_at DESC LIMIT 1`
  await expect(product.database.pool.query(insert)).rejects.toThrow('takes two people')
  await desk.giveBack([loan])
  const params = { id: next.body.id }
  await product.call(declineProposal, { token: world.supers[0].token, params })
  expect((await take((await progress()).reserve)).status).toBe(200)
  expect(await standing()).toEqual([])
})

test('days of paused withdrawals do not count', async () => {
  world = await startWindDown(undefined, database())
  const { product, desk, supers, ask, progress, begin, shiftBack } = world
  await fund(product, await person(product), centsFromDollars(100))
  await begin()
  await shiftBack()
  const { claimsUntil, owed } = await progress()
  expect(owed).toBe(0)
  const by = { token: supers[0].token, params: { name: 'withdrawals' } } as const
  expect((await product.call(pause, { ...by, payload: { reason: 'Keys' } })).status).toBe(200)
  expect((await product.call(resume, by)).status).toBe(200)
  expect(await desk.rows('SELECT name FROM ended_pauses')).toEqual([{ name: 'withdrawals' }])
  // It began before the last maturity, and lasted for ten days after it.
  await tamper(
    product.database,
    `UPDATE ended_pauses SET (began_at, ended_at) =
       (SELECT last_maturity_at - interval '5 days', last_maturity_at + interval '10 days' FROM wind_downs)`,
  )
  const later = await progress()
  expect(later.owed).toBe(100)
  expect(later.claimsUntil).not.toEqual(claimsUntil)
  const days = await desk.rows(
    'SELECT extract(day FROM claims_until(w) - last_maturity_at)::int AS days FROM wind_downs AS w',
  )
  expect(days).toEqual([{ days: 100 }])
  expect(codeOf(await ask('WITHDRAW_CAPITAL', { amount: 1 }))).toBe('capitalLeavesLast')
  // A pause of investing adds nothing.
  await tamper(product.database, "UPDATE ended_pauses SET name = 'investing'")
  expect(await progress()).toMatchObject({ owed: 0, claimsUntil })
  for (const change of ['DELETE FROM ended_pauses', 'UPDATE ended_pauses SET ended_at = began_at'])
    await expect(product.database.superuser.query(change)).rejects.toThrow()
})
