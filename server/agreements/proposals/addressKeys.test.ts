import { createHmac } from 'node:crypto'
import type { Proposal } from '@pool/contract/agreements/proposals'
import {
  approveOpenProposal,
  declineOpenProposal,
  listOpenProposals,
  listProposedAddresses,
} from '@pool/contract/agreements/staffProposals'
import { cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import type { Refusal } from '@pool/contract/base/refusals'
import {
  ADDRESSES_AHEAD,
  type AddressKey,
  addKey,
  endKey,
  listKeys,
  readKey,
  UNPAID_WARNING,
} from '@pool/contract/chain/addressKeys'
import {
  createWallet,
  createWallets,
  deleteWallet,
  walletStock,
} from '@pool/contract/chain/wallets'
import { HDKey } from '@scure/bip32'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import { deriveWallets } from '../../chain/wallets/deriveWallets.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { confirmDeposit } from '../../requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { LIVE } from '../../testing/live.ts'
import {
  actAs,
  codeOf,
  type Person,
  type Product,
  person,
  rewoundProduct,
} from '../../testing/product.ts'
import { applyDue } from './applyDue.ts'

let product: Product
let adder: Person
/** The pool that the tests of a mode share. */
const servedBy = (environment?: Record<string, string>) => {
  const shared = rewoundProduct(environment)
  beforeEach(async () => {
    product = shared
    adder = await person(product, ['ADMIN'])
  })
}
afterEach(async () => {
  await expectWhole(product, /allet|key/)
})

const root = (seed: string) =>
  HDKey.fromMasterSeed(createHmac('sha256', 'tests').update(seed).digest())
/** The key of an account, of the first wallet or another one. */
const bitcoinKey = (seed = '') => `wpkh(${root(seed).derive("m/84'/0'/0'").publicExtendedKey})`
const etherKey = (seed = '') => root(seed).derive("m/44'/60'/0'").publicExtendedKey
const addressesOf = (key: string, network: NetworkName, count: number) => {
  const { addressAt } = accountKeyOf(network, key, 'live')
  return Array.from({ length: count }, (_, index) => addressAt(index))
}

const add = (key = bitcoinKey(), networkName = 'Bitcoin', by = adder) =>
  product.call(addKey, { token: by.token, payload: { networkName, key } })
const keys = async (): Promise<AddressKey[]> =>
  (await product.call(listKeys, { token: adder.token })).body
const end = (id: string, by = adder) => product.call(endKey, { token: by.token, params: { id } })
const waiting = async (): Promise<Proposal[]> =>
  (await product.call(listOpenProposals, { token: adder.token })).body
const approve = (by: Person, id: string) =>
  product.call(approveOpenProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineOpenProposal, { token: by.token, params: { id } })
const rows = async <Row>(text: string): Promise<Row[]> =>
  (await product.database.superuser.query(text)).rows
const numbers = async (condition = 'true') =>
  (
    await rows<{ derivation_index: number }>(
      `SELECT derivation_index FROM wallets WHERE key_id IS NOT NULL AND ${condition} ORDER BY created_at, id`,
    )
  ).map(({ derivation_index }) => derivation_index)

/** Asks for a deposit as a new investor. Returns the request, or the code of the refusal. */
const ask = async (networkName = 'Bitcoin', ledger = product.context.ledger) => {
  const { id } = await person(product)
  return requestDeposit(ledger, {
    by: { id, from: 'tests' },
    amount: cents(50_00n),
    networkName,
  }).then(
    ({ address, transactionId }) => ({ address, transactionId }),
    (error: Refusal) => ({ address: error.code as string, transactionId: '' }),
  )
}
const upTo = (end: number, start = 0) =>
  Array.from({ length: end - start }, (_, index) => start + index)

describe('in a sandbox', () => {
  servedBy()

  test('a key gives its addresses in order', async () => {
    expect(await add()).toMatchObject({ status: 200, body: { networkName: 'Bitcoin' } })
    const expected = addressesOf(bitcoinKey(), 'Bitcoin', 3)
    for (const address of expected) expect((await ask()).address).toBe(address)
    expect(await keys()).toMatchObject([
      { networkName: 'Bitcoin', nextIndex: 20, ahead: 17, unpaid: 3, addedBy: adder.email },
    ])
    expect(await deriveWallets(product.context)).toBe(3)
    expect(await deriveWallets(product.context)).toBe(0)
    expect(await numbers()).toEqual(upTo(ADDRESSES_AHEAD + 3))
    const { rows: entries } = await product.database.superuser.query(
      "SELECT action, after FROM audit_entries WHERE subject_type = 'wallet' ORDER BY id",
    )
    expect(entries).toMatchObject([
      { action: 'wallet.keyAdded', after: { networkName: 'Bitcoin', fingerprint: null } },
      { action: 'wallet.derived', after: { count: 20, first: 0, last: 19 } },
      { action: 'wallet.derived', after: { count: 3, first: 20, last: 22 } },
    ])
  })

  test('a key is read without being stored', async () => {
    const payload = { networkName: 'polygon', key: etherKey() }
    const { status, body } = await product.call(readKey, { token: adder.token, payload })
    expect([status, body]).toEqual([
      200,
      {
        networkName: 'Polygon',
        key: etherKey(),
        fingerprint: null,
        addresses: addressesOf(etherKey(), 'Polygon', 5),
      },
    ])
    expect(await rows('SELECT FROM address_keys')).toEqual([])
  })

  test('a private key is refused and goes nowhere', async () => {
    const key = root('').derive("m/84'/0'/0'").privateExtendedKey
    for (const endpoint of [readKey, addKey]) {
      const refused = await product.call(endpoint, {
        token: adder.token,
        payload: { networkName: 'Bitcoin', key },
      })
      expect([refused.status, codeOf(refused)]).toEqual([400, 'badKey'])
      expect(refused.narration).toMatch(/Never paste it anywhere/)
      expect(JSON.stringify(refused)).not.toContain(key.slice(0, 20))
    }
    expect(await rows('SELECT FROM address_keys')).toEqual([])
    expect(await rows("SELECT FROM audit_entries WHERE after::text LIKE '%prv%'")).toEqual([])
  })

  test('a network has one key, whoever is first', async () => {
    const answers = await Promise.all(upTo(4).map((seed) => add(bitcoinKey(`${seed}`))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(codeOf))).toEqual(new Set([undefined, 'networkHasKey']))
    expect(await keys()).toHaveLength(1)
    expect(codeOf(await add('nothing', 'Solana'))).toBe('badKey')
  })

  test('runs at the same time derive each address once', async () => {
    await add()
    for (let round = 0; round < 4; round += 1) {
      const asking = upTo(5).map(() => ask('Bitcoin', openLedger(product.database.pool)))
      const runs = upTo(4).map(() => deriveWallets(product.context))
      const given = await Promise.all(asking)
      await Promise.all(runs)
      expect(new Set(given.map(({ address }) => address)).size).toBe(5)
    }
    await deriveWallets(product.context)
    // Their age follows their number, so investors get them in order.
    expect(await numbers()).toEqual(upTo(ADDRESSES_AHEAD + 20))
    expect(await numbers('owner_id IS NULL')).toHaveLength(ADDRESSES_AHEAD)
  })

  test('addresses that the pool has already are passed over', async () => {
    const [first = '', , third = ''] = addressesOf(bitcoinKey(), 'Bitcoin', 3)
    const payload = { networkName: 'Bitcoin', addresses: [first, third] }
    await product.call(createWallets, { token: adder.token, payload })
    await add()
    expect(await numbers()).toEqual([1, ...upTo(22, 3)])
  })

  test('one key of several networks follows their owners', async () => {
    await add(etherKey(), 'Ethereum')
    const [first = ''] = addressesOf(etherKey(), 'Ethereum', 1)
    expect((await ask('Ethereum')).address).toBe(first)
    await add(etherKey(), 'Polygon')
    const owners = await rows(
      `SELECT DISTINCT owner_id FROM wallets WHERE address = '${first}' AND owner_id IS NOT NULL`,
    )
    expect(owners).toHaveLength(1)
    await deriveWallets(product.context)
    expect(await keys()).toMatchObject([{ ahead: 19 + 1 }, { ahead: 20, unpaid: 1 }])
  })

  test('an investor gets no second address of a network', async () => {
    await add(etherKey(), 'Ethereum')
    const investor = await person(product)
    const own = newAddress('Polygon')
    await product.call(createWallet, {
      token: adder.token,
      payload: { address: own, networkName: 'Polygon' },
    })
    for (const networkName of ['Polygon', 'Ethereum'])
      await requestDeposit(product.context.ledger, {
        by: { id: investor.id, from: 'tests' },
        amount: cents(50_00n),
        networkName,
      })
    await add(etherKey(), 'Polygon')
    const [polygon] = (await keys()).filter(({ networkName }) => networkName === 'Polygon')
    expect(polygon).toMatchObject({ nextIndex: 21, ahead: 20 })
  })

  test('a deleted address is not derived again', async () => {
    await add()
    const [{ id = '' } = {}] = await rows<{ id: string }>(
      'SELECT id FROM wallets WHERE derivation_index = 0',
    )
    await product.call(deleteWallet, { token: adder.token, params: { id } })
    await deriveWallets(product.context)
    expect(await numbers()).toEqual(upTo(ADDRESSES_AHEAD + 1, 1))
  })

  test('addresses given since the last paid one are counted', async () => {
    await add()
    const given = []
    for (let n = 0; n < 4; n += 1) given.push(await ask())
    const paid = given[1]
    await confirmDeposit(product.context, {
      transactionId: paid?.transactionId ?? '',
      by: actAs(adder),
      evidence: 'ab'.repeat(32),
    })
    expect(await keys()).toMatchObject([{ unpaid: 2 }])
    const stock = async () => (await product.call(walletStock, { token: adder.token })).body
    expect(await stock()).toEqual([{ networkName: 'Bitcoin', available: 16, total: 20 }])
    await deriveWallets(product.context)
    for (let n = 2; n < UNPAID_WARNING; n += 1) await ask()
    expect(await stock()).toMatchObject([{ unpaid: UNPAID_WARNING }])
  })

  test('a key that ends leaves what investors have', async () => {
    await add()
    const [first = '', second = ''] = addressesOf(bitcoinKey(), 'Bitcoin', 2)
    expect((await ask()).address).toBe(first)
    const [key] = await keys()
    expect(await end(key?.id ?? '')).toMatchObject({ status: 200, body: { id: key?.id } })
    expect(codeOf(await end(key?.id ?? ''))).toBe('keyNotFound')
    expect(await numbers()).toEqual([0])
    expect(await deriveWallets(product.context)).toBe(0)
    expect((await ask()).address).toBe('noWalletOnNetwork')
    // The same key goes on where it ended.
    await add()
    expect((await ask()).address).toBe(second)
  })

  test('an end between requests loses no address', async () => {
    for (let round = 0; round < 3; round += 1) {
      await add()
      const [key] = await keys()
      const asking = upTo(4).map(() => ask('Bitcoin', openLedger(product.database.pool)))
      const runs = [deriveWallets(product.context), deriveWallets(product.context)]
      await end(key?.id ?? '')
      const given = (await Promise.all(asking)).filter(({ transactionId }) => transactionId !== '')
      await Promise.all(runs)
      expect(await numbers('owner_id IS NULL')).toEqual([])
      const left = await rows<{ address: string }>('SELECT address FROM wallets')
      for (const { address } of given) expect(left).toContainEqual({ address })
    }
  })
})

describe('in live mode', () => {
  servedBy(LIVE)
  const admin = () => person(product, ['ADMIN'])
  const past = (change: string) =>
    rows(`ALTER TABLE proposals DISABLE TRIGGER USER; UPDATE proposals SET ${change};
      ALTER TABLE proposals ENABLE TRIGGER USER`)

  test('a second person compares five addresses first', async () => {
    const [other, auditor] = [await admin(), await person(product, ['AUDITOR'])]
    expect(await add()).toMatchObject({ status: 200, body: { waits: true } })
    expect(await deriveWallets(product.context)).toBe(0)
    expect((await ask()).address).toBe('noWalletOnNetwork')
    const [proposal] = await waiting()
    expect(proposal).toMatchObject({
      kind: 'ADD_KEY',
      facts: { networkName: 'Bitcoin', name: expect.stringMatching(/^xpub6.*…/) },
      restsUntil: null,
    })
    const id = proposal?.id ?? ''
    for (const by of [other, auditor])
      expect(
        (await product.call(listProposedAddresses, { token: by.token, params: { id } })).body,
      ).toEqual(addressesOf(bitcoinKey(), 'Bitcoin', 5))
    expect(codeOf(await add(bitcoinKey('another')))).toBe('keyAsked')
    expect(codeOf(await approve(adder, id))).toBe('ownProposal')
    expect(await keys()).toEqual([])
    expect((await approve(other, id)).status).toBe(200)
    expect(await keys()).toMatchObject([{ ahead: 20, addedBy: adder.email }])
    expect((await ask()).address).toBe(addressesOf(bitcoinKey(), 'Bitcoin', 1)[0])
    expect(
      await rows(
        "SELECT action, actor FROM audit_entries WHERE subject_type = 'wallet' ORDER BY id",
      ),
    ).toEqual([
      { action: 'agreement.asked', actor: adder.email },
      { action: 'agreement.approved', actor: other.email },
      { action: 'wallet.keyAdded', actor: other.email },
      { action: 'wallet.derived', actor: 'system' },
    ])
  })

  test('a key that was turned down gives nothing', async () => {
    const other = await admin()
    await add()
    const [proposal] = await waiting()
    expect((await decline(other, proposal?.id ?? '')).status).toBe(200)
    expect(await deriveWallets(product.context)).toBe(0)
    expect(await rows('SELECT FROM address_keys')).toEqual([])
    expect((await add()).status).toBe(200)
  })

  test('a key is decided about once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const others = [await admin(), await admin(), await admin()]
      await add()
      const id = (await waiting())[0]?.id ?? ''
      const decided = await Promise.all(
        others.map((each, place) => (place === round % 3 ? decline(each, id) : approve(each, id))),
      )
      expect(decided.filter(({ status }) => status === 200)).toHaveLength(1)
      const isApproved = decided[round % 3]?.status !== 200
      await deriveWallets(product.context)
      expect(await numbers()).toEqual(isApproved ? upTo(20) : [])
      if (!isApproved) continue
      const [key] = await keys()
      await end(key?.id ?? '')
      await approve(others[0] as Person, (await waiting())[0]?.id ?? '')
    }
  })

  test('alone it rests for a day, after mails', async () => {
    const auditor = await person(product, ['AUDITOR'])
    await add()
    expect((await waiting())[0]?.restsUntil).not.toBeNull()
    const mails = await rows<{ recipient: string }>(
      "SELECT recipient FROM mails WHERE template = 'proposalRests'",
    )
    expect(new Set(mails.map(({ recipient }) => recipient))).toEqual(
      new Set([adder.email, auditor.email]),
    )
    expect(await applyDue(product.context)).toBe(0)
    await past("rests_until = now() - interval '1 minute'")
    expect(await applyDue(product.context)).toBe(1)
    expect(await deriveWallets(product.context)).toBe(ADDRESSES_AHEAD)
    expect(await keys()).toMatchObject([{ addedBy: adder.email }])
  })

  test('ending a key takes two people', async () => {
    const other = await admin()
    await add()
    await approve(other, (await waiting())[0]?.id ?? '')
    const [key] = await keys()
    expect((await end(key?.id ?? '')).body).toEqual({ id: key?.id, waits: true })
    expect(codeOf(await end(key?.id ?? '', other))).toBe('keyAsked')
    expect(await keys()).toHaveLength(1)
    const [proposal] = await waiting()
    expect(proposal).toMatchObject({ kind: 'END_KEY', facts: { networkName: 'Bitcoin' } })
    expect((await approve(other, proposal?.id ?? '')).status).toBe(200)
    expect([await keys(), await numbers()]).toEqual([[], []])
  })
})
