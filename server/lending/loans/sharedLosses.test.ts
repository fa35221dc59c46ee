import { askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { listLosses } from '@pool/contract/lending/losses'
import { listInvestments } from '@pool/contract/money/investments'
import { listPauses } from '@pool/contract/money/pauses'
import { listNotices } from '@pool/contract/reports/notices'
import { poolStatementSchema, readPoolStatement } from '@pool/contract/reports/poolStatements'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { approveProposal } from '../../agreements/proposals/decide.ts'
import { newId } from '../../base/db/ids.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { movements } from '../../ledger/families/movements.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { readUserFigures } from '../../reports/figures/queries.ts'
import { mailAnnounced } from '../../reports/notices/mailAnnounced.ts'
import { filesIn } from '../../testing/archives.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { expectCustody, openDesk } from '../../testing/loanDesk.ts'
import { emptyReserve } from '../../testing/lossEnds.ts'
import {
  actAs,
  codeOf,
  fund,
  investorWith,
  type Person,
  person,
  rewoundProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { countFigures, readPoolBook } from '../pool/figures.ts'
import { postShares } from './shares.ts'

const product = rewoundProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true', LOSS_NOTICE_HOURS: '1' },
  { reserve: cents(1_000_00n) },
)
let desk: ReturnType<typeof openDesk>
let supers: readonly [Person, Person]
let investors: readonly Person[]

/** Investors with these cents at work for 12 days. */
const start = async (...invested: readonly bigint[]) => {
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  const found: Person[] = []
  for (const amount of invested) {
    const investor = await investorWith(product, Number(amount / 100n) + 1)
    found.push(investor)
    await invest(investor, amount)
  }
  investors = found
}
const invest = ({ id }: Person, amount: bigint) =>
  openInvestment(product.context, {
    by: { id, from: 'tests' },
    amount: cents(amount),
    durationDays: 12,
  })
afterEach(async () => {
  await expectWhole(product, /oan|oss/)
  await expectCustody(product)
})

/** Another node. */
const elsewhere = () => ({ ...product.context, ledger: openLedger(product.database.pool) })
const book = async () => (await product.call(listLosses, { token: supers[0].token })).body
const askedAs = async (kind: 'COVER_LOSS' | 'SHARE_LOSS', more: object = {}) => {
  const { lossId, open } = await book()
  return product.call(askProposal, {
    token: supers[0].token,
    payload: { kind, lossId, amount: open, reason: 'Two of us decided', ...more },
  })
}
/** A loan of investors' principal is lost wholly. Returns it. */
const lose = async (amount: number): Promise<string> => {
  const id = await desk.active({ amount, fromInvestors: amount })
  await emptyReserve(product)
  const late = await desk.askDefault(id)
  expect((await desk.agree(late.body.proposalId)).status).toBe(200)
  const { body } = await desk.askWriteOff(id, supers[0], amount)
  expect((await desk.agreeAsSuper(body.proposalId, supers[1])).status).toBe(200)
  return id
}
/** Two people agree on a sharing that counts after these hours. */
const announce = async (lossNoticeHours = 0) => {
  const { body } = await askedAs('SHARE_LOSS')
  const config = { ...product.context.config, lossNoticeHours }
  await approveProposal({ ...product.context, config }, { id: body.id, by: actAs(supers[1]) })
}
const shared = async (amount: number): Promise<string> => {
  const id = await lose(amount)
  await announce()
  expect(await postShares(product.context)).toBe(1)
  return id
}
const partsOf = async (type: 'loss' | 'recovery', since = ''): Promise<number[]> => {
  const rows = await desk.rows<{ user_id: string; cents: number }>(
    `SELECT user_id, sum(amount)::int AS cents FROM transactions WHERE type = $1 AND ($2 = '' OR repayment_id::text = $2) GROUP BY 1`,
    type,
    since,
  )
  return investors.map(({ id }) => rows.find(({ user_id }) => user_id === id)?.cents ?? 0)
}
const paused = async () => (await product.call(listPauses)).body

describe('a shared loss', () => {
  test('is announced to all before it counts', async () => {
    await start(100_00n, 200_00n, 300_00n)
    await lose(60)
    expect(codeOf(await askedAs('SHARE_LOSS', { amount: 59 }))).toBe('lossChanged')
    expect(codeOf(await askedAs('SHARE_LOSS', { lossId: newId() }))).toBe('lossChanged')
    const { body } = await askedAs('SHARE_LOSS')
    expect(codeOf(await desk.agreeAsSuper(body.id, supers[0]))).toBe('ownProposal')
    expect((await paused()).every((each: object) => !('sharing' in each))).toBe(true)
    expect((await desk.agreeAsSuper(body.id, supers[1])).status).toBe(200)
    expect(codeOf(await askedAs('SHARE_LOSS'))).toBe('lossAnnounced')

    const countsAt = (await book()).sharedAt
    expect(countsAt).not.toBeNull()
    expect(await paused()).toMatchObject([
      { name: 'investing', sharing: { amount: 60, countsAt } },
      { name: 'withdrawals', sharing: { amount: 60, countsAt } },
    ])
    const { notices } = (
      await product.call(listNotices, { token: investors[0]?.token ?? '', query: { limit: '20' } })
    ).body
    expect(notices).toContainEqual(
      expect.objectContaining({ kind: 'loss.announced', amount: 60, countsAt }),
    )
    const users = await desk.rows('SELECT id FROM users')
    expect(await mailAnnounced(product.context)).toBe(users.length)
    expect(await mailAnnounced(product.context)).toBe(0)

    expect(await postShares(product.context)).toBe(0)
    expect(await partsOf('loss')).toEqual([0, 0, 0])
  })

  test('takes the same part of every investment', async () => {
    await start(100_00n, 200_00n, 300_00n)
    await lose(60)
    await announce()
    // Two nodes book it once.
    expect((await Promise.all([product.context, elsewhere()].map(postShares))).sort()).toEqual([
      0, 1,
    ])
    expect(await partsOf('loss')).toEqual([10_00, 20_00, 30_00])
    expect(await paused()).toEqual([])
    expect(await book()).toMatchObject({
      open: 0,
      lossId: null,
      sharedAt: null,
      lines: [{ lost: 60, borneBy: 'investments', returned: 0 }],
    })
    const [investor] = investors
    const { body: investments } = await product.call(listInvestments, {
      token: investor?.token ?? '',
      params: { userId: investor?.id ?? '' },
    })
    expect(investments).toMatchObject([{ amount: 100, borne: 10, interest: 7 }])

    await tamper(product.database, 'UPDATE transactions SET matures_at = now() WHERE borne > 0')
    expect(await payMaturities(product.context)).toMatchObject({ matured: 3, paid: 582_00n })
  })

  test('is refused where less is invested', async () => {
    await start(100_00n)
    await investorWith(product, 1_000)
    await lose(101)
    const refused = await askedAs('SHARE_LOSS')
    expect([codeOf(refused), refused.body]).toMatchObject(['lossTooLarge', {}])
  })

  test('is exact with odd cents over several investments', async () => {
    await start(33_33n, 1_00n, 77_77n, 100_01n)
    const [first] = investors
    if (!first) throw new Error('there is an investor')
    await fund(product, first, cents(20_00n))
    for (const amount of [11_11n, 50n]) await invest(first, amount)
    await shared(10)
    const parts = await partsOf('loss')
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(10_00)
    const whole = 33_33 + 11_11 + 50 + 1_00 + 77_77 + 100_01
    for (const [at, invested] of [33_33 + 11_11 + 50, 1_00, 77_77, 100_01].entries())
      expect(Math.abs((parts[at] ?? 0) - (10_00 * invested) / whole)).toBeLessThan(1)
  })

  test('is covered or shared, not both', async () => {
    await start(100_00n, 50_00n)
    await lose(50)
    await announce()
    await contributeCapital(product.context, {
      amount: cents(50_00n),
      note: 'For the loss',
      contributedBy: 'tests',
    })
    const { body } = await askedAs('COVER_LOSS')
    const approving = { id: body.id, by: actAs(supers[1]) }
    const [approved, shared] = await Promise.allSettled([
      approveProposal(product.context, approving),
      postShares(elsewhere()),
    ])
    const isShared = shared.status === 'fulfilled' && shared.value === 1
    expect(approved.status === 'fulfilled').toBe(!isShared)
    const [covered, borne] = [await desk.rows('SELECT id FROM loss_covers'), await partsOf('loss')]
    expect(borne.reduce((sum, part) => sum + part, 0)).toBe(covered.length === 1 ? 0 : 50_00)
    expect(await postShares(elsewhere())).toBe(0)
  })

  test('leaves what is being paid at its moment', async () => {
    await start(100_00n, 100_00n)
    await lose(50)
    await announce()
    const [first] = investors
    await tamper(
      product.database,
      `UPDATE transactions SET matures_at = now() WHERE type = 'investment' AND user_id = '${first?.id}'`,
    )
    const client = await product.database.superuser.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pay_matured(ARRAY[uuidv7()], $1)', [
        JSON.stringify(movements.investment_matured.legs),
      ])
      const sharing = postShares(product.context)
      await waiting('FOR NO KEY UPDATE')
      await client.query('COMMIT')
      expect(await sharing).toBe(1)
    } finally {
      client.release()
    }
    expect(await partsOf('loss')).toEqual([0, 50_00])
    expect(
      await desk.rows("SELECT FROM transactions WHERE type = 'payout' AND amount = 10700"),
    ).toHaveLength(1)
  })

  test('that is killed half way has not happened', async () => {
    await start(100_00n, 100_00n, 100_00n)
    await lose(30)
    await announce()
    const client = await product.database.superuser.connect()
    try {
      await client.query('BEGIN')
      // The share holds its investments, and waits for this account.
      await client.query(
        "SELECT id FROM accounts WHERE kind = 'invested' AND owner_id = $1 FOR UPDATE",
        [investors[2]?.id],
      )
      const sharing = postShares(product.context).catch((error: { code?: string }) => error.code)
      const pid = await waiting('loss_sharings')
      await client.query('SELECT pg_terminate_backend($1)', [pid])
      await sharing
      await client.query('ROLLBACK')
    } finally {
      client.release()
    }
    expect(await partsOf('loss')).toEqual([0, 0, 0])
    expect(await paused()).toHaveLength(2)
    await vi.waitFor(async () => expect(await postShares(product.context)).toBe(1), {
      timeout: 60_000,
    })
    expect(await partsOf('loss')).toEqual([10_00, 10_00, 10_00])
  })

  test('comes back first to those who bore it', async () => {
    await start(100_00n, 200_00n, 33_33n)
    const id = await shared(50)
    const borne = await partsOf('loss')
    await desk.recover(id, { amount: 10 })
    const back = await partsOf('recovery')
    expect(back.reduce((sum, part) => sum + part, 0)).toBe(10_00)
    for (const [at, part] of back.entries())
      expect(Math.abs(part - (borne[at] ?? 0) / 5)).toBeLessThan(1)
    expect(await desk.balanceOf('reserve')).toBe(0)

    // The reserve pays for a recovery that was none, and gets it back by the next ones.
    await contributeCapital(product.context, {
      amount: cents(10_00n),
      note: 'More',
      contributedBy: 'tests',
    })
    const { repayments } = await desk.storyOf(id)
    expect((await desk.reverse(repayments.at(-1)?.id ?? '')).status).toBe(200)
    expect(await desk.balanceOf('reserve')).toBe(0)
    expect(await partsOf('recovery')).toEqual(back)
    await desk.recover(id, { amount: 50 })
    expect(await partsOf('recovery')).toEqual(borne)
    expect(await desk.balanceOf('reserve')).toBe(10_00)
    expect((await book()).lines[0]).toMatchObject({ borneBy: 'investments', returned: 50 })
    // Everybody reads who bore it. No income of the pool is what went back.
    await countFigures(product.context)
    const shown = await readPoolBook(product.context.db)
    expect(shown?.losses).toEqual({ writtenOff: 50, borne: 50, recovered: 50, returned: 50 })
    expect(shown?.month.recoveries).toBe(0)
    // The dashboard adds up: what was lost came back to the balance.
    const figures = await readUserFigures(product.context.db, investors[0]?.id ?? '')
    expect(figures).toMatchObject({ invested: 85, interestToCome: 7 })
    expect(figures.totals.at(-1)?.total).toBe(101)
  })

  test('is one posting of the books, as is its return', async () => {
    await start(100_00n, 200_00n, 300_00n)
    const id = await shared(60)
    await desk.recover(id, { amount: 30 })
    const period = new Date().toISOString().slice(0, 7)
    const { body } = await product.call(readPoolStatement, {
      token: supers[0].token,
      params: { period, form: 'json' },
    })
    const { lines } = poolStatementSchema.parse(JSON.parse(String(Object.values(filesIn(body))[0])))
    const postingsOf = (movement: string) => {
      const found = lines.filter((line) => line.movement === movement)
      expect(new Set(found.map(({ investorId }) => investorId)).size).toBe(3)
      return [...new Set(found.map(({ posting, loanId }) => `${posting} ${loanId}`))]
    }
    const [sharing, ...otherSharings] = postingsOf('loss_shared')
    const [returned, ...otherReturns] = postingsOf('loss_returned')
    expect([...otherSharings, ...otherReturns]).toEqual([])
    expect(sharing).toMatch(/ null$/)
    expect(returned).toMatch(` ${id}`)
    expect(returned).not.toBe(sharing)
  })

  test('gives a closed account nothing back', async () => {
    await start(100_00n, 100_00n)
    const id = await shared(20)
    const [gone] = investors
    await tamper(product.database, `UPDATE users SET closed_at = now() WHERE id = '${gone?.id}'`)
    await desk.recover(id, { amount: 15 })
    expect(await partsOf('recovery')).toEqual([0, 10_00])
    expect(await desk.balanceOf('reserve')).toBe(5_00)
    const { repayments } = await desk.storyOf(id)
    expect(repayments.at(-1)).toMatchObject({ recovered: 15, toReserve: 5 })
    await tamper(product.database, `UPDATE users SET closed_at = NULL WHERE id = '${gone?.id}'`)
  })

  test('cannot be written past its two people and its notice', async () => {
    await start(100_00n)
    await lose(50)
    await announce(1)
    const refuses = (statement: string) =>
      expect(product.database.pool.query(statement)).rejects.toThrow(
        /takes two|is not allowed|bears/,
      )
    await refuses(
      'INSERT INTO loss_sharings (id, amount, invested) SELECT id, amount, 10000 FROM loss_announcements',
    )
    await refuses(
      "INSERT INTO loss_announcements (id, loss_id, amount, counts_at) SELECT id, (SELECT id FROM loan_write_offs), 1, now() FROM proposals WHERE kind = 'WRITE_OFF_LOAN'",
    )
    await refuses("UPDATE transactions SET borne = 1 WHERE type = 'investment'")
    await refuses('INSERT INTO losses_borne (write_off_id) SELECT id FROM loan_write_offs')
    await refuses(
      'INSERT INTO loss_sharings (id, amount, invested) SELECT id, amount - 1, 10000 FROM loss_announcements',
    )
  })
})

/** The process id of a backend of the product that waits for a lock in this statement. */
const waiting = async (statement: string): Promise<number> =>
  vi.waitFor(
    async () => {
      const [row] = await desk.rows<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%' AND datname = current_database()`,
        statement,
      )
      if (!row) throw new Error('no backend waits')
      return row.pid
    },
    { timeout: 60_000 },
  )
