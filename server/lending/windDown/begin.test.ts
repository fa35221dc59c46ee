import { askProposal, listProposals } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { approveProposal } from '../../agreements/proposals/decide.ts'
import { LOCKS, shareSql } from '../../base/locks.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import {
  actAs,
  codeOf,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { ownAddress } from '../../testing/windDowns.ts'
import { currentWindDown } from './windDown.ts'

let product: Product
let supers: readonly [Person, Person]
let investor: Person
let desk: ReturnType<typeof openDesk>

beforeAll(async () => {
  product = await startProduct({ LOAN_CONCENTRATION: '100' })
  supers = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  desk = openDesk(product, await person(product, ['ADMIN']), await person(product, ['ADMIN']))
  investor = await investorWith(product, 1_000)
})
afterAll(async () => {
  await expectWhole(product)
  await product.close()
})

const ask = async (
  kind: 'WIND_DOWN' | 'END_WIND_DOWN' | 'WITHDRAW_CAPITAL' | 'OWN_ADDRESS',
  more = {},
) => {
  const { status, body } = await product.call(askProposal, {
    token: supers[0].token,
    payload: { kind, reason: 'The operator retires', ...more } as never,
  })
  expect(status).toBe(200)
  return body.id
}
const agree = (id: string) => approveProposal(product.context, { id, by: actAs(supers[1]) })

beforeEach(async () => {
  if (await currentWindDown(product.context.db)) await agree(await ask('END_WIND_DOWN'))
})

/** Another node, whose groups wait for those of the others. */
const elsewhere = () => ({ ...product.context, ledger: openLedger(product.database.pool) })
const by = () => ({ id: investor.id, from: 'tests' })
const invest = () =>
  openInvestment(elsewhere(), { by: by(), amount: cents(100_00n), durationDays: 12 })

/** Waits until so many sessions wait for the lock of groups. */
const untilWaiting = (count: number) =>
  vi.waitFor(
    async () =>
      expect(
        await desk.rows(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCKS.groups} AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      ).toHaveLength(count),
    { timeout: 60_000 },
  )

test('new money that waits behind the beginning is refused', async () => {
  const loan = await desk.approved()
  const { body } = await desk.disburse(loan)
  const id = await ask('WIND_DOWN')
  const group = await product.database.superuser.connect()
  try {
    await group.query(`BEGIN; ${shareSql('groups')}`)
    const begun = agree(id)
    await untilWaiting(1)
    const late = Promise.allSettled([
      invest(),
      requestDeposit(elsewhere().ledger, { by: by(), amount: cents(50_00n) }),
      desk.agree(body.proposalId),
    ])
    await untilWaiting(3)
    await group.query('COMMIT')
    await begun
    expect(await late).toMatchObject([
      { status: 'rejected', reason: { code: 'paused' } },
      { status: 'rejected', reason: { code: 'paused' } },
      { status: 'fulfilled', value: { body: { code: 'windingDown' } } },
    ])
  } finally {
    group.release()
  }
  expect(await desk.statusOf(loan)).toBe('APPROVED')
  expect(
    await desk.rows(
      "SELECT FROM transactions WHERE user_id = $1 AND (type = 'investment' OR status = 'PENDING')",
      investor.id,
    ),
  ).toEqual([])
})

test('an investment under way is in the last maturity', async () => {
  const id = await ask('WIND_DOWN')
  const holder = await product.database.superuser.connect()
  try {
    // Its group has been decided, and cannot write the balance yet.
    await holder.query('BEGIN')
    await holder.query('SELECT FROM accounts WHERE owner_id = $1 FOR UPDATE', [investor.id])
    const invested = invest()
    await vi.waitFor(
      async () =>
        expect(
          await desk.rows(
            "SELECT FROM pg_stat_activity WHERE wait_event IN ('transactionid', 'tuple') AND datname = current_database()",
          ),
        ).not.toEqual([]),
      { timeout: 60_000 },
    )
    const begun = agree(id)
    await untilWaiting(1)
    expect(await currentWindDown(product.context.db)).toBeUndefined()
    await holder.query('COMMIT')
    const { investmentId } = await invested
    await begun
    const [row] = await desk.rows<{ matures: Date }>(
      'SELECT matures_at AS matures FROM transactions WHERE id = $1',
      investmentId,
    )
    expect((await currentWindDown(product.context.db))?.lastMaturityAt).toEqual(row?.matures)
  } finally {
    holder.release()
  }
})

test('capital leaves as two people agree alone', async () => {
  const pool = await startProduct({}, { reserve: cents(1_000_00n) })
  const before = [product, supers] as const
  try {
    product = pool
    supers = [await person(pool, ['SUPER_ADMIN']), await person(pool, ['SUPER_ADMIN'])]
    await agree(await ask('WIND_DOWN'))
    const own = ownAddress()
    const taking = { kind: 'WITHDRAW_CAPITAL', reason: 'The operator retires', amount: 400, ...own }
    const refused = await pool.call(askProposal, {
      token: supers[0].token,
      payload: taking as never,
    })
    expect(codeOf(refused)).toBe('addressNotOwn')
    await agree(await ask('OWN_ADDRESS', { ...own, class: 'COLD' }))
    const id = await ask('WITHDRAW_CAPITAL', taking)
    const [proposal] = (await pool.call(listProposals, { token: supers[1].token })).body
    expect(proposal?.facts).toMatchObject(own)
    await expect(
      pool.database.pool.query(
        "INSERT INTO capital_withdrawals (id, amount) SELECT id, 40000 FROM proposals WHERE kind = 'WITHDRAW_CAPITAL'",
      ),
    ).rejects.toThrow('takes two people')
    await agree(id)
    expect(
      await pool.context.db.selectFrom('capital_withdrawals').selectAll().execute(),
    ).toMatchObject([{ id, amount: 400_00n, network_name: own.networkName, address: own.address }])
  } finally {
    ;[product, supers] = before
    await pool.close()
  }
})
