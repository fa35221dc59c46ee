import { askProposal, listProposals, type Proposal } from '@pool/contract/agreements/proposals'
import {
  approveOpenProposal,
  declineOpenProposal,
  listOpenProposals,
  listProposedAddresses,
  waits,
} from '@pool/contract/agreements/staffProposals'
import { cents } from '@pool/contract/base/money'
import type { Refusal } from '@pool/contract/base/refusals'
import {
  archiveWallet,
  createWallet,
  createWallets,
  deleteWallet,
  listWallets,
  walletStock,
} from '@pool/contract/chain/wallets'
import { listNotices } from '@pool/contract/reports/notices'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { LIVE } from '../../testing/live.ts'
import { codeOf, type Person, person, rewoundProduct, wallets } from '../../testing/product.ts'
import { applyDue } from './applyDue.ts'

const product = rewoundProduct(LIVE)
let adder: Person
beforeEach(async () => {
  adder = await person(product, ['ADMIN'])
})
afterEach(() => expectWhole(product))

const admin = () => person(product, ['ADMIN'])
const add = (by = adder, address = newAddress(), networkName = 'Bitcoin') =>
  product.call(createWallet, { token: by.token, payload: { address, networkName } })
const addList = (addresses: readonly string[], by = adder) =>
  product.call(createWallets, {
    token: by.token,
    payload: { addresses, networkName: 'Bitcoin' },
  })
const waiting = async (by = adder): Promise<Proposal[]> =>
  (await product.call(listOpenProposals, { token: by.token })).body
const onlyOne = async (): Promise<string> => (await waiting())[0]?.id ?? ''
const approve = (by: Person, id: string) =>
  product.call(approveOpenProposal, { token: by.token, params: { id } })
const decline = (by: Person, id: string) =>
  product.call(declineOpenProposal, { token: by.token, params: { id } })
const rows = async <Row>(text: string): Promise<Row[]> =>
  (await product.database.superuser.query(text)).rows

/** Asks for a deposit as an investor does. Returns the address, or the code of the refusal. */
const ask = async (investor?: Person, networkName = 'Bitcoin', ledger = product.context.ledger) =>
  requestDeposit(ledger, {
    by: { id: (investor ?? (await person(product))).id, from: 'tests' },
    amount: cents(50_00n),
    networkName,
  }).then(
    ({ address }) => address,
    (error: Refusal) => error.code,
  )

/** Moves a moment of all proposals. Their triggers refuse changes, so they are lifted. */
const past = (change: string) =>
  rows(`ALTER TABLE proposals DISABLE TRIGGER USER; UPDATE proposals SET ${change};
    ALTER TABLE proposals ENABLE TRIGGER USER`)

describe('an added address', () => {
  test('is given to nobody before another person compared it', async () => {
    const other = await admin()
    const address = newAddress()
    expect(await add(adder, address)).toMatchObject({
      status: 200,
      narration: waits.wallet,
      body: { address, assigned: false, waits: true },
    })
    expect(await ask()).toBe('noWalletOnNetwork')
    const [proposal, ...others] = await waiting(other)
    expect(others).toEqual([])
    expect(proposal).toMatchObject({
      kind: 'ADD_WALLETS',
      facts: { networkName: 'Bitcoin', count: 1, first: address, last: address },
      askedBy: adder.email,
      restsUntil: null,
    })
    const id = proposal?.id ?? ''
    expect(codeOf(await approve(adder, id))).toBe('ownProposal')
    expect(await ask()).toBe('noWalletOnNetwork')
    expect((await approve(other, id)).status).toBe(200)
    expect(await ask()).toBe(address)
    expect(codeOf(await approve(other, id))).toBe('proposalClosed')
    expect(
      await rows(
        "SELECT action, actor FROM audit_entries WHERE subject_type = 'wallet' ORDER BY id",
      ),
    ).toEqual([
      { action: 'wallet.added', actor: adder.email },
      { action: 'agreement.asked', actor: adder.email },
      { action: 'agreement.approved', actor: other.email },
    ])
  })

  test('waits with its list, which others read', async () => {
    const other = await admin()
    const addresses = [newAddress(), newAddress(), newAddress()]
    expect(await addList(addresses)).toMatchObject({
      narration: waits.wallets,
      body: { added: 3, assigned: 0, waiting: 3 },
    })
    const id = await onlyOne()
    const read = async (status?: string) =>
      (
        await product.call(listWallets, {
          token: other.token,
          ...(status !== undefined && { query: { status } }),
        })
      ).body
    expect((await read('waiting')).map(({ address }) => address).sort()).toEqual(
      addresses.toSorted(),
    )
    expect(await read()).toEqual([])
    expect((await product.call(walletStock, { token: other.token })).body).toEqual([])
    const { body } = await product.call(listProposedAddresses, {
      token: other.token,
      params: { id },
    })
    expect(body).toEqual(addresses)
    const [wallet] = await read('waiting')
    const params = { id: wallet?.id ?? '' }
    expect(codeOf(await product.call(deleteWallet, { token: other.token, params }))).toBe(
      'walletWaits',
    )
    await approve(other, id)
    expect((await product.call(walletStock, { token: other.token })).body).toEqual([
      { networkName: 'Bitcoin', available: 3, total: 3 },
    ])
  })

  test('goes when it is turned down or runs out', async () => {
    const other = await admin()
    const address = newAddress()
    await add(adder, address)
    expect(codeOf(await add(other, address))).toBe('walletExists')
    expect((await decline(other, await onlyOne())).status).toBe(200)
    expect(await rows('SELECT FROM wallets')).toEqual([])

    await add(adder, address)
    expect(await applyDue(product.context)).toBe(0)
    await past("asked_at = asked_at - interval '8 days'")
    expect(await applyDue(product.context)).toBe(1)
    expect(await rows('SELECT FROM wallets')).toEqual([])
    expect((await add(other, address)).status).toBe(200)
  })

  test('counts after a day where nobody else can compare it', async () => {
    const auditor = await person(product, ['AUDITOR'])
    const address = newAddress()
    await add(adder, address)
    const [proposal] = await waiting()
    expect(proposal?.restsUntil).not.toBeNull()
    expect(
      await rows("SELECT recipient FROM mails WHERE template = 'proposalRests' ORDER BY recipient"),
    ).toEqual(
      [adder, auditor]
        .map(({ email }) => ({ recipient: email }))
        .toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1)),
    )
    const { body } = await product.call(listNotices, { token: auditor.token })
    expect(body.notices.map(({ kind }) => kind)).toEqual(['wallet.asked'])
    // One who comes later cannot shorten the day.
    expect(codeOf(await approve(await admin(), proposal?.id ?? ''))).toBe('proposalClosed')
    expect(await applyDue(product.context)).toBe(0)
    expect(await ask()).toBe('noWalletOnNetwork')
    await past("rests_until = now() - interval '1 minute'")
    expect(await ask()).toBe('noWalletOnNetwork')
    expect(await applyDue(product.context)).toBe(1)
    expect(await ask()).toBe(address)
  })

  test('can be stopped, and goes with its adder', async () => {
    await add()
    expect((await decline(adder, await onlyOne())).status).toBe(200)
    expect(await rows('SELECT FROM wallets')).toEqual([])
    await add()
    await past("rests_until = now() - interval '1 minute'")
    await rows(`UPDATE users SET suspended_at = now() WHERE id = '${adder.id}'`)
    expect(await applyDue(product.context)).toBe(1)
    expect(await rows('SELECT FROM wallets')).toEqual([])
  })

  test('of an investor needs nobody on another network', async () => {
    await admin()
    const address = newAddress('Ethereum')
    await addWallet(product.context, { address, networkName: 'Ethereum' }, { name: 'x', from: 'x' })
    expect(await ask(undefined, 'Ethereum')).toBe(address)
    expect((await add(adder, address, 'Polygon')).body).toMatchObject({ assigned: true })
    expect(await waiting()).toEqual([])
  })

  test('is decided about once, and given to one investor', async () => {
    for (let round = 0; round < 5; round += 1) {
      const others = [await admin(), await admin(), await admin()]
      const addresses = [newAddress(), newAddress()]
      await addList(addresses)
      const id = await onlyOne()
      const asking = Array.from({ length: 6 }, async () => {
        const investor = await person(product)
        return ask(investor, 'Bitcoin', openLedger(product.database.pool))
      })
      const decided = await Promise.all(
        others.map((each, place) => (place === round % 3 ? decline(each, id) : approve(each, id))),
      )
      expect(decided.filter(({ status }) => status === 200)).toHaveLength(1)
      const isApproved = decided[round % 3]?.status !== 200
      const early = (await Promise.all(asking)).filter((got) => addresses.includes(got))
      expect(new Set(early).size).toBe(early.length)
      expect(isApproved || early.length === 0).toBe(true)
      const left = await rows<{ address: string }>('SELECT address FROM wallets')
      const known = left.filter(({ address }) => addresses.includes(address))
      expect(known).toHaveLength(isApproved ? 2 : 0)
      await rows('DELETE FROM wallets WHERE owner_id IS NULL')
    }
  })

  test('cannot have an owner, whoever writes', async () => {
    await admin()
    await add()
    await expect(
      product.database.pool.query('UPDATE wallets SET owner_id = $1', [adder.id]),
    ).rejects.toThrow(/wallets_waiting_are_free/)
  })

  test('is not compared by an account let in alone', async () => {
    await rows(`UPDATE users SET suspended_at = now() WHERE id = '${adder.id}'`)
    const boss = await person(product, ['SUPER_ADMIN'])
    const friend = await person(product)
    const grant = { userId: friend.id, kind: 'GRANT', role: 'ADMIN', reason: 'A second account' }
    expect(
      (await product.call(askProposal, { token: boss.token, payload: grant })).body,
    ).toMatchObject({ isInForce: true })
    await add(boss)
    const [resting] = await waiting(boss)
    expect(resting?.restsUntil).not.toBeNull()
    const second = await person(product, ['SUPER_ADMIN'])
    await rows(
      `INSERT INTO user_roles (user_id, role, alone_by) VALUES ('${second.id}', 'ADMIN', '${boss.id}')`,
    )
    await add(second)
    const open = (await waiting(boss)).find(({ restsUntil }) => restsUntil === null)
    expect(codeOf(await approve(boss, open?.id ?? ''))).toBe('samePerson')
    await rows("UPDATE user_roles SET granted_at = granted_at - interval '25 hours'")
    expect((await approve(boss, open?.id ?? '')).status).toBe(200)
  })

  test('is in the queue of super admins by its words', async () => {
    const boss = await person(product, ['SUPER_ADMIN'])
    await add()
    const { body } = await product.call(listProposals, { token: boss.token })
    expect(body.map(({ kind }) => kind)).toEqual(['ADD_WALLETS'])
  })
})

describe('a removal', () => {
  const idsOf = async (condition: string) =>
    (await rows<{ id: string }>(`SELECT id FROM wallets WHERE ${condition}`)).map(({ id }) => id)
  const remove = (id: string) => product.call(deleteWallet, { token: adder.token, params: { id } })

  test('of more than a tenth of the stock takes two', async () => {
    const other = await admin()
    await wallets(product, 20)
    const ids = await idsOf('owner_id IS NULL')
    const answers = await Promise.all(ids.slice(0, 8).map(remove))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.filter(({ body }) => body.waits)).toHaveLength(6)
    expect(await idsOf('true')).toHaveLength(18)
    const [wanted] = await waiting()
    expect(wanted).toMatchObject({ kind: 'DELETE_WALLET', restsUntil: null })
    expect(codeOf(await approve(adder, wanted?.id ?? ''))).toBe('ownProposal')
    expect((await approve(other, wanted?.id ?? '')).status).toBe(200)
    expect(await idsOf('true')).toHaveLength(17)
    // The next day one person may again.
    await rows(`ALTER TABLE audit_entries DISABLE TRIGGER USER;
      UPDATE audit_entries SET created_at = created_at - interval '25 hours' WHERE action = 'wallet.deleted';
      ALTER TABLE audit_entries ENABLE TRIGGER USER; SELECT recount_tallies()`)
    const [id = ''] = (await idsOf('owner_id IS NULL')).filter(
      (each) => !ids.slice(0, 8).includes(each),
    )
    expect((await remove(id)).body).toEqual({ id })
  })

  test('that waits is dropped when an investor got the wallet', async () => {
    const other = await admin()
    await wallets(product, 2)
    const [first = '', second = ''] = await idsOf('true')
    await remove(first)
    expect((await remove(second)).body).toEqual({ id: second, waits: true })
    expect(codeOf(await remove(second))).toBe('proposalAsked')
    expect(await ask()).not.toBe('noWalletOnNetwork')
    expect(codeOf(await approve(other, await onlyOne()))).toBe('walletAssigned')
    expect(await waiting()).toHaveLength(1)
  })

  test('of assigned wallets takes two as well', async () => {
    const other = await admin()
    await wallets(product, 3)
    for (let n = 0; n < 3; n += 1) await ask()
    const archive = (id: string) =>
      product.call(archiveWallet, { token: adder.token, params: { id } })
    const [first = '', second = ''] = await idsOf('owner_id IS NOT NULL')
    expect((await archive(first)).body).toHaveProperty('dateArchived')
    expect(await archive(second)).toMatchObject({ status: 200, narration: waits.removal })
    expect((await archive(first)).body).toHaveProperty('dateArchived')
    expect(await idsOf('archived_at IS NOT NULL')).toEqual([first])
    await approve(other, await onlyOne())
    expect((await idsOf('archived_at IS NOT NULL')).sort()).toEqual([first, second].sort())
  })

  test('rests a day where nobody else can approve it', async () => {
    await wallets(product, 2)
    const [first = '', second = ''] = await idsOf('true')
    await remove(first)
    await remove(second)
    await past("rests_until = now() - interval '1 minute'")
    expect(await applyDue(product.context)).toBe(1)
    expect(await idsOf('true')).toEqual([])
  })
})
