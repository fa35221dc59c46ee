import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { listChains } from '@pool/contract/chain/chains'
import { MOST_SKIPPED } from '@pool/contract/chain/skips'
import { listUnseen } from '@pool/contract/coins/unseen'
import { listAudit } from '@pool/contract/reports/audit'
import { listNotices } from '@pool/contract/reports/notices'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { compareBalances } from '../../coins/reconciliation/compareBalances.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type Anvil, hasAnvil, playToken } from '../../testing/anvil.ts'
import { type BlockDoor, openBlockDoor } from '../../testing/blockDoor.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, type Person, person } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { openNode } from './open.ts'
import { skipBlocks } from './skips.ts'
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
    await expectWhole(paid.product, /./)
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
      ['agreement.approved', second.email],
      ['agreement.asked', first.email],
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
    const forged = paid.product.database.pool.query(
      `INSERT INTO block_skips (id, network_name, from_height, to_height) VALUES ($1, 'Ethereum', $2, $2)`,
      [body.id, from],
    )
    await expect(forged).rejects.toThrow('takes two people')
    expect(await look()).toMatchObject({ state: 'LYING' })
    await approve(body.id)
  })

  test('is not left out by the only super admin', async () => {
    const from = await breakNext()
    const { superuser } = paid.product.database
    await superuser.query("DELETE FROM user_roles WHERE role = 'SUPER_ADMIN' AND user_id <> $1", [
      first.id,
    ])
    expect(codeOf(await ask(from))).toBe('custodyNeedsTwo')
    await superuser.query("INSERT INTO user_roles (user_id, role) VALUES ($1, 'SUPER_ADMIN')", [
      second.id,
    ])
    expect(await look()).toMatchObject({ state: 'LYING' })
  })

  test('is left out by SQL for its own agreement alone', async () => {
    const from = await breakNext()
    const { database } = paid.product
    const agreed = { networkName: 'Ethereum', from, to: from }
    const done = { kind: 'SKIP_BLOCKS', status: 'DONE', payload: agreed }
    const forged = [
      { ...done, status: 'OPEN' },
      { ...done, status: 'REJECTED' },
      { ...done, kind: 'ACCEPT_BREAK' },
      { ...done, payload: { ...agreed, networkName: 'Polygon' } },
      { ...done, payload: { ...agreed, from: from - 1 } },
      { ...done, payload: { ...agreed, to: from + 1 } },
    ]
    for (const { kind, status, payload } of forged) {
      const id = newId()
      const isOpen = status === 'OPEN'
      // One transaction, as an approval is.
      const skipped = database.superuser.query(
        `INSERT INTO proposals (id, kind, subject, payload, language, reason, asked_by, status, decided_by, decided_at, ended_at)
         VALUES ('${id}', '${kind}', '${id}', '${JSON.stringify(payload)}', 'en', 'forged', '${first.id}', '${status}',
           ${isOpen ? 'NULL, NULL, NULL' : `'${second.id}', now(), now()`});
         INSERT INTO block_skips (id, network_name, from_height, to_height) VALUES ('${id}', 'Ethereum', ${from}, ${from})`,
      )
      await expect(skipped).rejects.toThrow('takes two people')
    }
    expect(await look()).toMatchObject({ state: 'LYING' })
  })

  test('is left behind once the last one is final', async () => {
    const from = await breakNext()
    const to = (await newest()) - 1
    await agree(from, to)
    expect(await look()).toMatchObject({ state: 'LYING', unread: from })
    await anvil.ask('anvil_mine', '0x50')
    // One of another block stays where it is.
    const { context } = paid.product
    const skipAt = (at: number) => {
      const node = openNode(paid.settings)
      return skipBlocks(context, { network: 'Ethereum', node, at, upTo: to })
    }
    expect([await skipAt(from - 1), await skipAt(from + 1)]).toEqual([undefined, undefined])
    expect(await look()).toMatchObject({ state: 'FINE' })
    expect(await lastSkip()).toMatchObject({ from, to, state: 'SKIPPED' })
  })

  test('is the only one that may be skipped', async () => {
    const height = (await newest()) + 1
    expect(codeOf(await ask(height))).toBe('blockReadable')
    const from = await breakNext()
    // An unread block tells nothing once looks have stopped.
    await stopLooks(paid.product.database)
    expect(codeOf(await ask(from))).toBe('blockReadable')
    expect(await look()).toMatchObject({ state: 'LYING' })
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

  test('gives up no payment in it that was seen before', async () => {
    const { superuser } = paid.product.database
    const address = newAddress('Ethereum')
    let transaction = ''
    const from = await breakNext(async () => {
      transaction = await anvil.pay(address, 1n)
    })
    // A block of another branch had it.
    await superuser.query(
      `INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state)
       VALUES ($1, 'Ethereum', $2, -1, $3, 'ETH', 1, 18, 'SEEN')`,
      [newId(), transaction, address],
    )
    await agree(from)
    expect(await look()).toMatchObject({ state: 'FINE' })
    const chosen = 'FROM payments WHERE transaction_id = $1'
    const { rows } = await superuser.query(`SELECT state ${chosen}`, [transaction])
    expect(rows).toEqual([{ state: 'SEEN' }])
    await superuser.query(`DELETE ${chosen}`, [transaction])
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

  test('keeps its moments once they are written', async () => {
    for (const change of [
      "skipped_at = skipped_at - interval '1 hour' WHERE skipped_at IS NOT NULL AND ended_at IS NULL",
      'skipped_at = NULL WHERE skipped_at IS NOT NULL AND ended_at IS NULL',
      'ended_at = NULL WHERE ended_at IS NOT NULL',
    ])
      await expect(
        paid.product.database.pool.query(`UPDATE block_skips SET ${change}`),
      ).rejects.toThrow('UPDATE of block_skips is not allowed')
  })

  test('has no entries of two people by SQL alone', async () => {
    const { context, database } = paid.product
    const change = (by: number) =>
      tamper(
        database,
        `UPDATE block_skips SET to_height = to_height + ${by} WHERE id = (SELECT id FROM block_skips ORDER BY id LIMIT 1)`,
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
