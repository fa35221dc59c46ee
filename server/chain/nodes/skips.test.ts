import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { listChains } from '@pool/contract/chain/chains'
import { MOST_SKIPPED } from '@pool/contract/chain/skips'
import { listUnseen } from '@pool/contract/coins/unseen'
import { listAudit } from '@pool/contract/reports/audit'
import { listNotices } from '@pool/contract/reports/notices'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareBalances } from '../../coins/reconciliation/unseen/compareBalances.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type Anvil, hasAnvil, playToken } from '../../testing/anvil.ts'
import { type BlockDoor, openBlockDoor } from '../../testing/blockDoor.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, type Person, person } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { openNode } from './open.ts'
import { pollNode } from './states.ts'

const REASON = 'The provider lost this block for good'

describe.skipIf(!hasAnvil)('a block that can never be read', () => {
  let paid: PaidProduct
  let anvil: Anvil
  let door: BlockDoor
  let first: Person
  let second: Person
  beforeAll(async () => {
    paid = await startPaidProduct({}, async (url) => {
      door = await openBlockDoor(url)
      return door.url
    })
    anvil = paid.anvil
    first = await person(paid.product, ['SUPER_ADMIN'])
    second = await person(paid.product, ['SUPER_ADMIN'])
  })
  afterAll(() => paid?.close())
  beforeEach(async () => {
    await anvil.ask('anvil_mine', '0x50')
    await paid.look()
  })
  afterEach(async () => {
    door.broken.clear()
    await paid.look()
    await expectWhole(paid.product)
    expect((await checkRowsAgainstTrail(paid.product.context.db)).findings).toEqual([])
  })

  const newest = async () => Number(await anvil.ask<string>('eth_blockNumber'))
  const look = async () => {
    const { context } = paid.product
    const { config: pricing, keys } = context
    const { settings } = paid
    const node = openNode(settings)
    const followed = { settings, node, pricing, keys, receivers: new Map() }
    // The first look keeps the blocks below the one that fails.
    await pollNode(context.db, followed)
    return pollNode(context.db, followed)
  }
  /** Breaks the next block, in which `act` pays, and buries it. */
  const breakNext = async (act: () => Promise<unknown> = () => anvil.ask('anvil_mine', '0x1')) => {
    const from = (await newest()) + 1
    door.broken.add(from)
    await act()
    await anvil.ask('anvil_mine', '0x50')
    expect(await look()).toMatchObject({ state: 'LYING', unread: from })
    return from
  }
  const ask = (from: number, to = from, { token } = first, networkName = 'Ethereum') =>
    paid.product.call(askProposal, {
      token,
      payload: { kind: 'SKIP_BLOCKS', networkName, from, to, reason: REASON },
    })
  const approve = (id: string, { token } = second) =>
    paid.product.call(approveProposal, { token, params: { id } })
  const agree = async (from: number, to = from) => {
    const { body } = await ask(from, to)
    expect((await approve(body.id)).status).toBe(200)
    return body.id
  }
  const chain = async () => (await paid.product.call(listChains, { token: first.token })).body[0]
  const lastSkip = async () => (await chain())?.skips[0]
  const entriesOf = async (id: string) =>
    (await paid.product.call(listAudit, { token: first.token })).body
      .filter(({ subjectId }: { subjectId: string }) => subjectId === id)
      .map(({ action, actor }: { action: string; actor: string }) => [action, actor])

  test('is left behind once two people agreed', async () => {
    const from = await breakNext()
    expect(await chain()).toMatchObject({ state: 'LYING', unreadHeight: from, skips: [] })
    const id = await agree(from, from + 1)
    expect(await lastSkip()).toMatchObject({ id, state: 'AGREED', skippedAt: null })
    expect(await look()).toMatchObject({ state: 'FINE' })
    expect(await chain()).toMatchObject({
      state: 'FINE',
      unreadHeight: null,
      skips: [
        {
          id,
          from,
          to: from + 1,
          state: 'SKIPPED',
          reason: REASON,
          askedBy: first.email,
          agreedBy: second.email,
        },
      ],
    })
    expect(await entriesOf(id)).toEqual([
      ['skip.done', 'system'],
      ['skip.approved', second.email],
      ['skip.asked', first.email],
    ])
    const { body: notices } = await paid.product.call(listNotices, { token: paid.admin.token })
    expect(JSON.stringify(notices)).toContain('"skip.done"')
    const { owner, address } = await paid.investor(20)
    await paid.usdc.send(address, dollars(20))
    await paid.settle()
    expect(await paid.available(owner)).toBe(20)
  })

  test('is skipped by nobody alone', async () => {
    const from = await breakNext()
    const { body } = await ask(from)
    expect(codeOf(await approve(body.id, first))).toBe('ownProposal')
    expect(codeOf(await ask(from, from, paid.admin))).toBe('forbidden')
    const forged = paid.product.database.pool.query(
      `INSERT INTO block_skips (id, network_name, from_height, to_height) VALUES ($1, 'Ethereum', $2, $2)`,
      [body.id, from],
    )
    await expect(forged).rejects.toThrow('takes two super admins')
    expect(await look()).toMatchObject({ state: 'LYING' })
    await approve(body.id)
  })

  test('is the only one that may be skipped', async () => {
    const height = (await newest()) + 1
    expect(codeOf(await ask(height))).toBe('blockReadable')
    const from = await breakNext()
    const { body } = await ask(from)
    for (const other of [from - 1, from + 1])
      expect(codeOf(await ask(other, from + 1))).toBe('blockNotNext')
    for (const to of [from - 1, from + MOST_SKIPPED, await newest()])
      expect(codeOf(await ask(from, to))).toBe('skipRange')
    expect(codeOf(await ask(from, from, first, 'Solana'))).toBe('skipUncompared')
    expect(codeOf(await ask(from))).toBe('proposalAsked')
    door.broken.clear()
    await paid.look()
    // The state is judged again when it is agreed.
    expect(codeOf(await approve(body.id))).toBe('blockReadable')
  })

  test('is read if it can be after all', async () => {
    const from = await breakNext(() => anvil.pay(newAddress('Ethereum'), 1n))
    const id = await agree(from)
    expect(codeOf(await ask(from))).toBe('skipWaits')
    door.broken.clear()
    await look()
    expect(await lastSkip()).toMatchObject({ id, state: 'READ' })
    expect((await entriesOf(id))[0]).toEqual(['skip.ended', 'system'])
  })

  test('hides no payment from the comparison of balances', async () => {
    const { context, database } = paid.product
    const compare = () =>
      compareBalances(context, { settings: paid.settings, node: openNode(paid.settings) })
    const known = await paid.investor()
    // An address of the stock, which is older than the first look and was never compared.
    const stock = newAddress('Ethereum')
    await addWallet(
      context,
      { address: stock, networkName: 'Ethereum' },
      { name: 'tests', from: 'tests' },
    )
    await database.superuser.query('UPDATE chains SET followed_since = now()')
    await compare()
    const from = await breakNext(async () => {
      await anvil.ask('evm_setAutomine', false)
      await paid.usdc.send(known.address, 17n)
      await anvil.pay(stock, 19n)
      await anvil.ask('anvil_mine', '0x1')
      await anvil.ask('evm_setAutomine', true)
    })
    await agree(from)
    await look()
    expect(await compare()).toBe(1)
    const later = await person(paid.product)
    const assign = 'UPDATE wallets SET owner_id = $1 WHERE address = $2'
    await database.superuser.query(assign, [later.id, stock])
    await anvil.ask('anvil_mine', '0x50')
    await paid.look()
    expect(await compare()).toBe(1)
    const { body } = await paid.product.call(listUnseen, { token: first.token })
    expect(body).toMatchObject([
      { address: stock, asset: 'ETH', amount: '0.000000000000000019', userId: later.id },
      { address: known.address, asset: 'USDC', amount: '0.000017', userId: known.owner.id },
    ])
  })

  test('is skipped once by two agreements at once', async () => {
    const third = await person(paid.product, ['SUPER_ADMIN'])
    const from = await breakNext()
    const { body } = await ask(from)
    const answers = await Promise.all([
      ...[second, third, second, third].map((by) => approve(body.id, by)),
      ask(from, from, third),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await Promise.allSettled([look(), look()])
    expect(await look()).toMatchObject({ state: 'FINE' })
    expect((await entriesOf(body.id)).filter(([action]) => action === 'skip.done')).toHaveLength(1)
    const { rows } = await paid.product.database.superuser.query(
      'SELECT count(*)::int AS skips FROM block_skips WHERE from_height = $1',
      [from],
    )
    expect(rows).toEqual([{ skips: 1 }])
  })

  test('comes back by a longer branch alone, which is told', async () => {
    const from = await breakNext()
    const id = await agree(from)
    await look()
    const depth = (await newest()) - from + 1
    await anvil.ask('anvil_reorg', depth, [])
    // This node forgets the code of play tokens then.
    await playToken(anvil, 6, paid.usdc.contract)
    await playToken(anvil, 18, paid.usdt.contract)
    expect(await look()).toMatchObject({ state: 'BEHIND' })
    expect(await lastSkip()).toMatchObject({ id, state: 'SKIPPED' })
    await anvil.ask('anvil_mine', '0x1')
    // The new block with its number takes another agreement.
    expect(await look()).toMatchObject({ state: 'LYING', unread: from })
    expect(await lastSkip()).toMatchObject({ id, state: 'UNDONE' })
    expect((await entriesOf(id))[0]).toEqual(['skip.ended', 'system'])
  })

  test('has no entries of two people by SQL alone', async () => {
    const { context, database } = paid.product
    const change = (by: number) =>
      tamper(
        database,
        `UPDATE block_skips SET to_height = to_height + ${by} WHERE skipped_at IS NOT NULL AND to_height > from_height`,
      )
    await change(1)
    expect((await checkRowsAgainstTrail(context.db)).findings).toEqual([
      expect.stringMatching(
        /^The skip of blocks \d+ to \d+ of Ethereum has no entries of two people/,
      ),
    ])
    await change(-1)
  })
})
