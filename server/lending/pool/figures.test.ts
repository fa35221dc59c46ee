import { cents } from '@pool/contract/base/money'
import { type PoolBook, poolBook } from '@pool/contract/lending/poolBook'
import { beforeAll, describe, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { sumsOf } from '../../testing/poolSums.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { countArrears, postDefaults } from '../loans/arrears.ts'
import { countFigures, readPoolBook, refreshFigures } from './figures.ts'

const product = testProduct({ LOAN_CONCENTRATION: '100' }, { reserve: cents(200_000_00n) })
let supers: readonly [Person, Person]
let investor: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  investor = await person(product)
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
})

const counted = async (): Promise<PoolBook> => {
  await countFigures(product.context)
  const figures = await readPoolBook(product.context.db)
  if (!figures) throw new Error('there are no figures')
  return figures
}

/** Counts, and compares each sum with one that is added up from the rows. */
const countTruly = async (): Promise<PoolBook> => {
  const figures = await counted()
  const { book, arrears, years, expectedLoss, countedInterest, losses } = await sumsOf(
    product.database.pool,
    dayFrom(0),
  )
  expect(figures.book).toEqual(book)
  expect(figures.arrears).toEqual(arrears)
  expect(figures.years).toEqual(years.map((year) => expect.objectContaining(year)))
  const [reserve, committed, deployed] = [
    await desk.balanceOf('reserve'),
    await desk.balanceOf('committed'),
    await desk.balanceOf('deployed'),
  ]
  const ratio = (part: number) =>
    expectedLoss === 0 ? null : Math.round((part * 100) / expectedLoss)
  expect(figures.reserve).toEqual({
    balance: (reserve + committed) / 100,
    committed: committed / 100,
    free: reserve / 100,
    deployed: deployed / 100,
    expectedLoss,
    lent: 0,
    openLoss: 0,
    interestCoverage: ratio(reserve),
    capitalCoverage: ratio(reserve + countedInterest),
  })
  expect(figures.book.outstanding).toBe(deployed / 100)
  const all = { writtenOff: 0, recovered: 0 }
  for (const { writtenOff, recovered } of figures.vintages) {
    all.writtenOff += writtenOff * 100
    all.recovered += recovered * 100
  }
  expect([Math.round(all.writtenOff) / 100, Math.round(all.recovered) / 100]).toEqual([
    losses.writtenOff,
    losses.recovered,
  ])
  return figures
}

const lateBy = (days: number, more: object = {}, ofBorrower: object = {}) =>
  desk.active({ disburseOn: dayFrom(-days - 7), firstDueOn: dayFrom(-days), ...more }, ofBorrower, {
    disbursedOn: dayFrom(-days - 7),
  })

test('an empty pool has figures without a loan', async () => {
  const figures = await countTruly()
  expect(figures.book).toMatchObject({ outstanding: 0, loans: 0, rate: null, everLent: 0 })
  expect(figures.followed).toBeNull()
  expect(figures.arrears.risk30).toBeNull()
  expect(figures.reserve).toMatchObject({ interestCoverage: null, capitalCoverage: null })
  expect([figures.years, figures.vintages]).toEqual([[], []])
})

test('each step of a loan shows in the figures', async () => {
  const before = await counted()
  const id = await lateBy(91)
  expect((await countTruly()).arrears.buckets.find(({ bucket }) => bucket === 'late91')).toEqual({
    bucket: 'late91',
    loans: 1,
    outstanding: 1_200,
    overdue: 1_217.94,
  })
  await desk.repay(id, { amount: 50 })
  const repaid = await countTruly()
  // 47.24 of principal and 2.76 of interest (docs/loans.md, 3).
  expect(repaid.book.outstanding).toBe(1_152.76)
  expect(repaid.followed).toMatchObject({ principal: 1_200, interest: 2.76, state: 'ACTIVE' })
  expect(repaid.followed?.late).toBeGreaterThan(0)
  expect(repaid.month.interest - before.month.interest).toBeCloseTo(2.76, 6)
  expect(repaid.month.capital).toBe(200_000)
  await countArrears(product.context.db, product.context.config.loanTolerance)
  await postDefaults(product.context)
  const lost = await countTruly()
  expect(lost.arrears.risk30).toBe(10_000)
  expect(lost.arrears.buckets.find(({ bucket }) => bucket === 'recovery')?.loans).toBe(1)
  expect(lost.years[0]).toMatchObject({ late: 1, defaults: 1, exposure: 1_152.76 })
  const { body } = await desk.askWriteOff(id, supers[0], 1_152.76)
  await desk.agreeAsSuper(body.proposalId, supers[1])
  const written = await countTruly()
  expect(written.book).toMatchObject({ outstanding: 0, loans: 0, everLent: 1 })
  expect(written.month.writtenOff).toBe(1_152.76)
  // A loan that was lost is followed as any other.
  expect(written.followed).toMatchObject({ late: 0, state: 'WRITTEN_OFF' })
  // It stays in the statistics.
  expect(written.years[0]).toMatchObject({ defaults: 1, exposure: 1_152.76 })
  const came = await desk.recover(id, { amount: 100 })
  expect((await countTruly()).month.recoveries).toBe(100)
  await desk.reverse(came)
  expect((await countTruly()).month.recoveries).toBe(0)
})

/** Small random numbers with a seed, which a failure names. */
const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test.each([7, 11, 2_026])('random histories of loans add up, seed %i', async (seed) => {
  const next = seeded(seed)
  const ids: string[] = []
  for (let turn = 0; turn < 14; turn += 1) {
    const id = ids[next(ids.length)]
    const act = next(6)
    if (act < 2 || !id) {
      const relation = next(4) === 0 ? 'operator' : 'none'
      const amount = 200 + next(900)
      ids.push(await lateBy(next(120), { amount, rateBasisPoints: next(3_000) }, { relation }))
    } else if (act === 2) await desk.repay(id, { amount: (await desk.storyOf(id)).loan.nextDue })
    else if (act === 3) {
      const { repayments } = await desk.storyOf(id)
      const last = repayments.findLast(({ reversedFor }) => reversedFor === null)
      if (last) await desk.reverse(last.id)
    } else if (act === 4) {
      await countArrears(product.context.db, product.context.config.loanTolerance)
      await postDefaults(product.context)
    } else {
      const { loan } = await desk.storyOf(id)
      const { body } = await desk.askWriteOff(id, supers[0], loan.outstanding)
      if (body.proposalId) await desk.agreeAsSuper(body.proposalId, supers[1])
    }
    if (turn % 3 === 2) await countTruly()
  }
  await countTruly()
})

describe('what is owed to investors', () => {
  test('is promised in its days, beside what is due', async () => {
    await fund(product, investor, cents(1_000_00n))
    const before = await counted()
    const open = (durationDays: number) =>
      openInvestment(product.context, {
        by: { id: investor.id, from: 'tests' },
        amount: cents(100_00n),
        durationDays,
      })
    await open(5)
    await open(12)
    const { liquidity, month } = await countTruly()
    const promised = liquidity.days.map((each, place) =>
      Math.round((each.promised - (before.liquidity.days[place]?.promised ?? 0)) * 100),
    )
    expect(promised).toEqual([105_00, 212_00, 212_00])
    expect(liquidity.owed).toBe(before.liquidity.owed - 200)
    expect(liquidity.coins).toBe(before.liquidity.coins)
    expect(month.setAside - before.month.setAside).toBe(12)
    for (const { due, expected } of liquidity.days)
      expect(expected).toBeCloseTo((due * (liquidity.collected ?? 0)) / 10_000, 0)
  })

  test('takes as long as a stuck request waits', async () => {
    await fund(product, investor, cents(1_000_00n))
    const { rows } = desk
    const one = (status: string, asked: string, more = 'NULL') =>
      rows(
        `INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at, completed_at)
         VALUES (gen_random_uuid(), $1, 'withdrawal', 1000, $2, now() - $3::interval, now(), ${more})`,
        investor.id,
        status,
        asked,
      )
    const { pool } = product.database
    await pool.query('SELECT 1')
    await product.database.superuser.query("SET session_replication_role = 'replica'")
    try {
      await one('COMPLETED', '2 hours', "now() - interval '1 hour'")
      await one('COMPLETED', '3 hours', "now() - interval '1 hour'")
      await one('COMPLETED', '200 days', "now() - interval '100 days'")
      const { payouts: quick } = await counted()
      expect(quick).toMatchObject({ completed: 2, open: 0, half: 3_600, most: 7_200, oldest: null })
      // Rounded up, so that no second tells when another one asked.
      for (const [age, told] of [
        ['61 seconds', 120],
        ['7201 seconds', 3 * 3_600],
        ['172801 seconds', 3 * 86_400],
      ] as const) {
        await one('PENDING', age)
        expect((await counted()).payouts.oldest).toBe(told)
      }
      await rows("DELETE FROM transactions WHERE status = 'PENDING'")
      await one('PENDING', '10 days')
      await one('APPROVED', '120 days')
      const { payouts: stuck } = await counted()
      expect(stuck).toMatchObject({ completed: 2, open: 2 })
      expect(stuck.oldest).toBeGreaterThanOrEqual(120 * 86_400)
      expect([stuck.half, stuck.most]).toEqual([7_200, stuck.oldest])
    } finally {
      await product.database.superuser.query("DELETE FROM transactions WHERE type = 'withdrawal'")
      await product.database.superuser.query('RESET session_replication_role')
    }
  })
})

describe('the count', () => {
  const read = async () => (await desk.rows<{ at: Date }>('SELECT at FROM pool_figures'))[0]?.at
  const set = (columns: string) => desk.rows(`UPDATE pool_figures SET ${columns}`)

  test('rests without news and after a long one', async () => {
    await counted()
    await set('took_ms = 0')
    expect(await refreshFigures(product.context)).toBe(false)
    await desk.borrower()
    await set("took_ms = 60000, at = now() - interval '19 minutes'")
    expect(await refreshFigures(product.context)).toBe(false)
    await set("at = now() - interval '21 minutes'")
    expect(await refreshFigures(product.context)).toBe(true)
  })

  test('goes on without news once figures are old', async () => {
    await counted()
    await set("took_ms = 1, at = now() - interval '14 minutes'")
    expect(await refreshFigures(product.context)).toBe(false)
    await set("at = now() - interval '16 minutes'")
    expect(await refreshFigures(product.context)).toBe(true)
  })

  test('replaces figures of another form', async () => {
    await counted()
    await set("form = 0, figures = '{}', took_ms = 60000")
    expect((await product.call(poolBook)).body).toBeNull()
    expect(await refreshFigures(product.context)).toBe(true)
    expect(await readPoolBook(product.context.db)).not.toBeNull()
  })

  test('never replaces newer figures', async () => {
    await counted()
    await set("at = now() + interval '30 seconds'")
    const newest = await read()
    await countFigures(product.context)
    expect(await read()).toEqual(newest)
    await set('at = now()')
  })
})
