import { askProposal, type Proposal } from '@pool/contract/agreements/proposals'
import {
  approveOpenProposal,
  declineOpenProposal,
  listOpenProposals,
} from '@pool/contract/agreements/staffProposals'
import { listRates, setRate } from '@pool/contract/chain/rates'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { LIVE } from '../../testing/live.ts'
import { codeOf, type Person, type Product, person, rewoundProduct } from '../../testing/product.ts'
import { applyDue } from './applyDue.ts'

let product: Product
let asker: Person
/** The pool that the tests of a mode share. */
const servedBy = (environment?: Record<string, string>) => {
  const shared = rewoundProduct(environment)
  beforeEach(async () => {
    product = shared
    asker = await person(product, ['ADMIN'])
  })
}
afterEach(async () => {
  await expectWhole(product, /rate/)
})

const admin = () => person(product, ['ADMIN'])
const set = (dollars: string, by = asker, coin: 'BTC' | 'USDC' = 'BTC') =>
  product.call(setRate, { token: by.token, payload: { coin, dollars } })
const rateOf = async (coin = 'BTC') =>
  (await product.call(listRates, { token: asker.token })).body.find((each) => each.coin === coin)
const waiting = async (): Promise<Proposal[]> =>
  (await product.call(listOpenProposals, { token: asker.token })).body
const onlyOne = async () => (await waiting())[0]?.id ?? ''
const approve = (by: Person, id: string) =>
  product.call(approveOpenProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineOpenProposal, { token: by.token, params: { id } })
const rows = async <Row>(text: string): Promise<Row[]> =>
  (await product.database.superuser.query(text)).rows
/** Ages rows. Their triggers refuse changes, so they are lifted. */
const age = (table: string, change: string) =>
  rows(`ALTER TABLE ${table} DISABLE TRIGGER USER; UPDATE ${table} SET ${change};
    ALTER TABLE ${table} ENABLE TRIGGER USER`)

describe('a rate in a sandbox', () => {
  servedBy()

  test('is set by one person at once', async () => {
    expect((await set(' 64123.450 ')).status).toBe(200)
    expect(await rateOf()).toMatchObject({
      dollars: '64123.45',
      source: 'SET',
      setBy: asker.email,
      state: 'counts',
    })
    expect(
      await rows("SELECT action, actor, after FROM audit_entries WHERE subject_type = 'rate'"),
    ).toEqual([
      { action: 'rate.set', actor: asker.email, after: { coin: 'BTC', dollars: '64123.45' } },
    ])
  })

  test('counts for four hours, then not at all', async () => {
    await set('64000')
    await age('rates', "at = at - interval '4 hours 1 minute'")
    expect(await rateOf()).toMatchObject({ dollars: '64000.00', state: 'old' })
  })

  test('of a dollar coin counts for nothing when far off', async () => {
    expect(await rateOf('USDC')).toMatchObject({ dollars: null, isDollar: true, state: 'counts' })
    await set('0.97', asker, 'USDC')
    expect(await rateOf('USDC')).toMatchObject({ dollars: '0.97', state: 'far' })
    await age('rates', "at = at - interval '400 days'")
    expect(await rateOf('USDC')).toMatchObject({ state: 'far' })
    await set('0.9991', asker, 'USDC')
    expect(await rateOf('USDC')).toMatchObject({ dollars: '0.9991', state: 'counts' })
  })

  test.each(['0', '-1', '1e5', '1,000', '', '1.0000000000001', '1000000000', 'NaN'])(
    'of %j dollars is refused',
    async (dollars) => {
      expect((await set(dollars)).status).toBe(400)
      expect(await rows('SELECT FROM rates')).toEqual([])
    },
  )

  test('that SQL wrote is named by the audit', async () => {
    await set('64000')
    const forged = async (dollars: string) => {
      await rows(`INSERT INTO rates (id, coin, dollars, source, at, set_by)
        VALUES (gen_random_uuid(), 'BTC', ${dollars}, 'SET', now(), '${asker.id}')`)
      return (await checkRowsAgainstTrail(product.context.db)).findings
    }
    expect(await forged('1.5')).toContain('The rate of BTC was set to $1.5, but no entry sets it.')
    await rows('ALTER TABLE rates DISABLE TRIGGER USER; DELETE FROM rates WHERE dollars = 1.5')
  })
})

describe('a rate in live mode', () => {
  servedBy(LIVE)
  // As the product's first start writes it.
  beforeEach(() =>
    rows(
      "INSERT INTO pool_mode (mode, set_at, mac) VALUES ('live', now(), 'tests') ON CONFLICT DO NOTHING",
    ),
  )

  test('counts once a second person approves it', async () => {
    const other = await admin()
    expect(await set('64000.5')).toMatchObject({ status: 200, body: { waits: true } })
    const [proposal] = await waiting()
    expect(proposal).toMatchObject({
      kind: 'SET_RATE',
      facts: { coin: 'BTC', dollars: '64000.50' },
      askedBy: asker.email,
      restsUntil: null,
    })
    expect(await rateOf()).toMatchObject({ dollars: null, state: 'none' })
    const id = proposal?.id ?? ''
    expect(codeOf(await set('65000', other))).toBe('rateAsked')
    expect(codeOf(await approve(asker, id))).toBe('ownProposal')
    await age('proposals', "asked_at = asked_at - interval '30 minutes'")
    expect((await approve(other, id)).status).toBe(200)
    expect(await rateOf()).toMatchObject({
      dollars: '64000.50',
      state: 'counts',
      setBy: asker.email,
    })
    // The price is as old as the request.
    expect(await rows("SELECT (now() - at > interval '29 minutes') AS old FROM rates")).toEqual([
      { old: true },
    ])
    expect(codeOf(await approve(other, id))).toBe('proposalClosed')
    expect(
      await rows("SELECT action, actor FROM audit_entries WHERE subject_type = 'rate' ORDER BY id"),
    ).toEqual([
      { action: 'agreement.asked', actor: asker.email },
      { action: 'agreement.approved', actor: other.email },
      { action: 'rate.set', actor: other.email },
    ])
  })

  test('cannot be approved after an hour', async () => {
    const other = await admin()
    await set('64000')
    const id = await onlyOne()
    await age('proposals', "asked_at = asked_at - interval '61 minutes'")
    expect(codeOf(await approve(other, id))).toBe('proposalClosed')
    expect(await waiting()).toEqual([])
    expect((await set('65000')).status).toBe(200)
    await age('proposals', "asked_at = asked_at - interval '61 minutes' WHERE ended_at IS NULL")
    expect(await applyDue(product.context)).toBe(1)
    expect(await rows('SELECT FROM rates')).toEqual([])
  })

  test('that cannot be ended holds up no other', async () => {
    await admin()
    await set('64000')
    const coin = { coin: 'ETH', dollars: '2000' }
    await product.call(setRate, { token: asker.token, payload: coin })
    await age('proposals', "asked_at = asked_at - interval '61 minutes'")
    await age(
      'proposals',
      "kind = 'LATER', asked_at = asked_at - interval '7 days' WHERE subject = 'BTC'",
    )
    await expect(applyDue(product.context)).rejects.toThrow()
    const ended = await rows('SELECT subject FROM proposals WHERE ended_at IS NOT NULL')
    expect(ended).toEqual([{ subject: 'ETH' }])
  })

  test('is not written without two people by SQL', async () => {
    await expect(
      rows(
        `INSERT INTO rates (id, coin, dollars, source, at, set_by) VALUES (gen_random_uuid(), 'BTC', 1, 'SET', now(), '${asker.id}')`,
      ),
    ).rejects.toThrow('takes two people')
  })

  test('is not set by a person alone', async () => {
    expect(codeOf(await set('64000'))).toBe('rateNeedsTwo')
    expect(await rows("SELECT FROM proposals WHERE kind = 'SET_RATE'")).toEqual([])
    const boss = await person(product, ['SUPER_ADMIN'])
    await rows(`UPDATE users SET suspended_at = now() WHERE id = '${asker.id}'`)
    const friend = await person(product)
    const grant = { userId: friend.id, kind: 'GRANT', role: 'ADMIN', reason: 'A second account' }
    await product.call(askProposal, { token: boss.token, payload: grant })
    expect(codeOf(await set('64000', boss))).toBe('rateNeedsTwo')
  })

  test('that was turned down or withdrawn never counts', async () => {
    const other = await admin()
    for (const by of [other, asker]) {
      await set('64000')
      expect((await decline(by, await onlyOne())).status).toBe(200)
    }
    expect(await rows('SELECT FROM rates')).toEqual([])
  })

  test('is decided about once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const others = [await admin(), await admin(), await admin()]
      await set(String(64_000 + round))
      const id = await onlyOne()
      const decided = await Promise.all(
        others.map((each, place) => (place === round ? decline(each, id) : approve(each, id))),
      )
      expect(decided.filter(({ status }) => status === 200)).toHaveLength(1)
      const isApproved = decided[round]?.status !== 200
      expect(await rows(`SELECT FROM rates WHERE dollars = ${64_000 + round}`)).toHaveLength(
        isApproved ? 1 : 0,
      )
    }
  })
})
