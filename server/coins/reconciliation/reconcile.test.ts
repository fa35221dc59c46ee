import { approveProposal, askProposal, listProposals } from '@pool/contract/agreements/proposals'
import { setRate } from '@pool/contract/chain/rates'
import { readCapital } from '@pool/contract/coins/capital'
import { listOwnAddresses } from '@pool/contract/coins/custody'
import { readReconciliation } from '@pool/contract/coins/reconciliation'
import { poolBook } from '@pool/contract/lending/poolBook'
import { listPauses, pause, resume } from '@pool/contract/money/pauses'
import { listAudit } from '@pool/contract/reports/audit'
import { withdraw } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { countFigures } from '../../lending/pool/figures.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type Anvil, hasAnvil } from '../../testing/anvil.ts'
import { settleSpending, writeSpending } from '../../testing/coinFacts.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, type Person, person } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkCoins } from '../custody/checkCoins.ts'
import { reconcile } from './reconcile.ts'
import { withLockOrSkip } from './withLockOrSkip.ts'

describe.skipIf(!hasAnvil)('coins compared with the books', () => {
  let paid: PaidProduct
  let anvil: Anvil
  let first: Person
  let second: Person
  beforeAll(async () => {
    paid = await startPaidProduct()
    anvil = paid.anvil
  })
  afterAll(() => paid?.close())
  beforeEach(async () => {
    const { superuser } = paid.product.database
    await superuser.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE pauses SET paused_at = NULL, paused_by = NULL, reason = NULL, reconciliation_id = NULL;
       DELETE FROM accepted_breaks; DELETE FROM reconciled_lines; DELETE FROM reconciled_coins; DELETE FROM reconciled_networks;
       DELETE FROM reconciliations; DELETE FROM coin_movements; DELETE FROM contributions WHERE source <> 'PLAY'; DELETE FROM coin_facts_due; DELETE FROM payments;
       DELETE FROM spent_coins; DELETE FROM sent_coins; DELETE FROM spendings; DELETE FROM own_addresses;
       UPDATE proposals SET status = 'WITHDRAWN', ended_at = now(), decided_at = now(), decided_by = asked_by WHERE ended_at IS NULL;
       DELETE FROM wallets; DELETE FROM transactions; COMMIT`,
    )
    const { product } = paid
    first = await person(product, ['SUPER_ADMIN'])
    second = await person(product, ['SUPER_ADMIN'])
    await product.call(setRate, { token: first.token, payload: { coin: 'ETH', dollars: '2000' } })
  })

  const run = () => reconcile(paid.product.context)
  /** Makes all blocks final, reads them, and compares. */
  const compare = async () => {
    await anvil.ask('anvil_mine', '0x44')
    await paid.look()
    return run()
  }
  const newest = async () => {
    const { body } = await paid.product.call(readReconciliation, { token: first.token })
    if (!('newest' in body) || !body.newest) throw new Error('There is no comparison')
    return body.newest
  }
  const coin = async (asset: string) => (await newest()).coins.find((each) => each.asset === asset)
  const pauses = async () => (await paid.product.call(listPauses)).body
  const ask = (payload: object, { token } = first) =>
    paid.product.call(askProposal, { token, payload: { reason: 'A drill', ...payload } as never })
  const approve = (id: string, { token } = second) =>
    paid.product.call(approveProposal, { token, params: { id } })
  const agree = async (payload: object) => {
    const asked = await ask(payload)
    expect(asked.status).toBe(200)
    return approve(asked.body.id)
  }
  /** Gives or takes coins of an address, as no transaction shows. */
  const slip = async (address: string, units: bigint) => {
    const before = BigInt(await anvil.ask<string>('eth_getBalance', address, 'latest'))
    await anvil.ask('anvil_setBalance', address, `0x${(before + units).toString(16)}`)
  }
  /** Takes $2,000 of ether for each coin. */
  const steal = (address: string, coins = 1) => slip(address, -BigInt(coins) * 10n ** 18n)
  const ended = async () => {
    const { id, breaks } = await newest()
    return { kind: 'END_BREAK', reconciliationId: id, amount: breaks }
  }
  /** An address of an investor with that many coins, seen and whole. */
  const holding = async (coins: number) => {
    const investor = await paid.investor()
    await anvil.pay(investor.address, BigInt(coins) * 10n ** 18n)
    await paid.usdc.send(investor.address, dollars(40))
    expect(await compare()).toMatchObject({ isWhole: true, isPausing: false })
    return investor
  }

  test('are equal line by line after payments', async () => {
    await holding(3)
    expect(await newest()).toMatchObject({
      isWhole: true,
      breaks: 0,
      limit: 1000,
      networks: [{ network: 'Ethereum', addresses: 1, problem: null, height: expect.any(Number) }],
      valuation: { coins: 6040 },
    })
    expect(await coin('ETH')).toMatchObject({
      difference: '0',
      lines: [{ account: 'deposit', chain: '3', booked: '3', pending: '0', unopened: '0' }],
    })
    expect((await coin('USDC'))?.lines).toMatchObject([{ chain: '40', booked: '40' }])
    expect(await checkCoins(paid.product.context.db)).toBeUndefined()
  })

  test('find what no payment shows in a new pool', async () => {
    const { address } = await paid.investor()
    await slip(address, 10n ** 18n)
    expect(await compare()).toMatchObject({ isWhole: false, breakCents: 2000_00n })
  })

  test('name what waits, and do not call it a break', async () => {
    const { address } = await paid.investor()
    await compare()
    await anvil.pay(address, 5n)
    await anvil.ask('anvil_mine', '0x44')
    await paid.look()
    await paid.product.database.superuser.query(
      "UPDATE payments SET state = 'SEEN', confirmed_at = NULL",
    )
    expect(await run()).toMatchObject({ isWhole: true })
    expect((await coin('ETH'))?.lines).toMatchObject([
      { chain: '0.000000000000000005', booked: '0', pending: '0.000000000000000005' },
    ])
  })

  test('pause withdrawals where more than the limit is missing', async () => {
    const { address, owner } = await holding(3)
    await steal(address)
    expect(await compare()).toMatchObject({ isWhole: false, isPausing: true, breakCents: 2000_00n })
    expect(await newest()).toMatchObject({ breaks: 2000, isPausing: true })
    expect(await coin('ETH')).toMatchObject({ difference: '-1', dollars: -2000 })
    expect(await pauses()).toMatchObject([
      { name: 'withdrawals', reason: expect.stringContaining('differ from our books') },
    ])
    const { product } = paid
    expect(
      await product.call(withdraw, {
        token: owner.token,
        payload: { userId: owner.id, amount: 10 },
      }),
    ).toMatchObject({ status: 503, body: { code: 'paused' } })
    // One pause, however often it is found.
    expect(await compare()).toMatchObject({ isPausing: false })
    const { body } = await product.call(listAudit, {
      token: first.token,
      query: { action: 'switch.paused', limit: '1' },
    })
    expect(body).toMatchObject([{ actor: 'system', subjectId: 'withdrawals' }])
    await expectWhole(product)
  })

  test('go on below the limit, with a break', async () => {
    const { address } = await holding(3)
    await slip(address, -(10n ** 17n))
    expect(await compare()).toMatchObject({ isWhole: false, isPausing: false, breakCents: 200_00n })
    expect(await pauses()).toEqual([])
  })

  test('do not set a surplus of one coin against another', async () => {
    const { address } = await holding(3)
    await steal(address)
    await paid.usdc.sendSilently(address, dollars(2000))
    expect(await compare()).toMatchObject({ breakCents: 4000_00n })
  })

  test('are missing while a spending is unexplained', async () => {
    const { address } = await holding(3)
    await steal(address)
    await anvil.ask('anvil_mine', '0x1')
    const height = Number(await anvil.ask<string>('eth_blockNumber'))
    const { superuser } = paid.product.database
    const units = 10n ** 18n
    const id = await writeSpending(superuser, {
      transaction: '0xstolen',
      height,
      decimals: 18,
      spent: [{ address, asset: 'ETH', units }],
      sent: [{ address: newAddress('Ethereum'), asset: 'ETH', units }],
    })
    expect(await compare()).toMatchObject({ isPausing: true, breakCents: 2000_00n })
    expect(await coin('ETH')).toMatchObject({
      unexplained: '1',
      difference: '-1',
      lines: [{ chain: '2', booked: '2' }],
    })
    await settleSpending(superuser, id, [first.id, second.id])
    expect(await compare()).toMatchObject({ isWhole: true })
  })

  describe('a pause by a break', () => {
    const broken = async () => {
      const investor = await holding(9)
      await steal(investor.address)
      await compare()
      return investor
    }

    test('ends by two super admins with a reason alone', async () => {
      await broken()
      const { product } = paid
      const params = { name: 'withdrawals' }
      expect(codeOf(await product.call(resume, { token: first.token, params }))).toBe(
        'pausedByBreak',
      )
      await product.call(pause, { token: first.token, params, payload: { reason: 'Mine' } })
      expect(codeOf(await product.call(resume, { token: first.token, params }))).toBe(
        'pausedByBreak',
      )
      const asked = await ask(await ended())
      expect(asked.status).toBe(200)
      const { id } = asked.body
      expect(codeOf(await approve(id, first))).toBe('ownProposal')
      expect((await ask({ ...(await ended()), reason: ' ' })).status).toBe(400)
      const { body } = await product.call(listProposals, { token: second.token })
      expect(body).toMatchObject([{ kind: 'END_BREAK', facts: { amount: '$2,000.00' } }])
      expect((await approve(id)).status).toBe(200)
      expect(await pauses()).toEqual([])
      await expectWhole(product)
    })

    test('does not come back for the accepted difference alone', async () => {
      const { address } = await broken()
      expect((await agree(await ended())).status).toBe(200)
      expect(await compare()).toMatchObject({ isWhole: false, isPausing: false, breakCents: 0n })
      expect(await coin('ETH')).toMatchObject({ difference: '-1', accepted: '-1' })
      await steal(address)
      expect(await compare()).toMatchObject({ isPausing: true, breakCents: 2000_00n })
      expect(await pauses()).toHaveLength(1)
    })

    test('comes back for a new break of the same size', async () => {
      const { address } = await broken()
      await agree(await ended())
      await compare()
      await steal(address, -1)
      expect(await compare()).toMatchObject({ isWhole: true })
      await steal(address)
      expect(await compare()).toMatchObject({ isPausing: true })
    })

    test('stays where the break grew before the approval', async () => {
      const { address } = await broken()
      const asked = await ask(await ended())
      await steal(address)
      await compare()
      expect(codeOf(await approve(asked.body.id))).toBe('breakChanged')
      expect(await pauses()).toHaveLength(1)
    })

    test('needs a break, and a second super admin', async () => {
      await holding(1)
      expect(codeOf(await ask(await ended()))).toBe('breakChanged')
    })
  })

  test('are compared by one process at a time', async () => {
    await holding(1)
    const { locks } = paid.product.database
    let going = 0
    let most = 0
    const work = async () => {
      going += 1
      most = Math.max(most, going)
      const outcome = await run()
      going -= 1
      return outcome
    }
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => withLockOrSkip(() => locks.connect(), work)),
    )
    expect([most, outcomes.filter(Boolean).length >= 1]).toEqual([1, true])
    expect(await withLockOrSkip(() => locks.connect(), work)).toBeDefined()
  })

  test('pause once where many comparisons find a break', async () => {
    const { address } = await holding(3)
    await steal(address)
    await anvil.ask('anvil_mine', '0x44')
    await paid.look()
    const outcomes = await Promise.all(Array.from({ length: 4 }, run))
    expect(outcomes.filter((each) => each?.isPausing)).toHaveLength(1)
  })

  test('say which network could not be compared', async () => {
    await holding(1)
    const { superuser } = paid.product.database
    await superuser.query("UPDATE chains SET state = 'STUCK'")
    await run()
    expect((await newest()).networks).toMatchObject([{ problem: 'NOT_FINE', height: null }])
    await superuser.query("UPDATE chains SET state = 'FINE'")
    await stopLooks(paid.product.database)
    await run()
    expect((await newest()).networks).toMatchObject([{ problem: 'NOT_FINE', height: null }])
    await paid.look()
    await superuser.query(
      `UPDATE chain_blocks SET hash = 'another' WHERE height <= (SELECT final_height FROM chains)`,
    )
    await run()
    expect((await newest()).networks).toMatchObject([{ problem: 'OTHER_CHAIN' }])
    await superuser.query('DELETE FROM chain_blocks; DELETE FROM chains')
    await run()
    expect((await newest()).networks).toMatchObject([{ problem: 'UNREAD' }])
    await paid.look()
  })

  describe('capital of the operator', () => {
    const capital = async () => {
      const { body } = await paid.product.call(readCapital, { token: first.token })
      return body
    }
    const reserve = async () => poolBalance(paid.product.context.db, 'reserve')
    /** Coins of a stranger at an own address, as the list has them. */
    const brought = async (coins: number) => {
      const address = newAddress('Ethereum')
      const named = { kind: 'OWN_ADDRESS', networkName: 'ethereum', address, class: 'COLD' }
      expect((await agree(named)).status).toBe(200)
      await compare()
      await paid.usdc.send(address, dollars(coins))
      expect(await compare()).toMatchObject({ isWhole: true })
      const [found] = (await capital()).payments
      if (!found) throw new Error('The payment is not listed')
      const {
        id: paymentId,
        network: networkName,
        asset,
        evidence,
        coins: sum,
        dollars: amount,
      } = found
      return { kind: 'PUT_IN_CAPITAL', paymentId, networkName, asset, evidence, coins: sum, amount }
    }
    const answers = async (payload: object) => codeOf((await ask(payload)) as never)

    test('is booked once from a payment, and is no break', async () => {
      const before = await reserve()
      const payload = await brought(750)
      expect(payload).toMatchObject({ amount: 750, coins: '750', asset: 'USDC' })
      const [one, other] = [
        await ask(payload),
        await ask({ ...payload, evidence: `${payload.evidence}:0` }),
      ]
      expect([one.status, codeOf(other as never)]).toEqual([200, 'capitalUnknown'])
      expect((await approve(one.body.id)).status).toBe(200)
      expect((await reserve()) - before).toBe(750_00n)
      expect(await answers(payload)).toBe('transactionBooked')
      expect((await capital()).payments).toEqual([])
      expect(await compare()).toMatchObject({ isWhole: true, isPausing: false })
      expect((await newest()).valuation).toMatchObject({ difference: 0 })
      await expectWhole(paid.product)
    })

    test('is refused unless it is as a node shows it', async () => {
      const payload = await brought(50)
      expect(await answers({ ...payload, amount: 51 })).toBe('capitalCountsAs')
      expect(await answers({ ...payload, coins: '51', amount: 51 })).toBe('capitalUnknown')
      expect(await answers({ ...payload, paymentId: crypto.randomUUID() })).toBe('capitalUnknown')
      const { paymentId: _, ...typed } = payload
      expect(await answers(typed)).toBe('capitalNotSeen')
      const { address } = await paid.investor()
      await paid.usdc.send(address, dollars(5))
      await compare()
      expect((await capital()).payments).toHaveLength(1)
    })

    test.each([
      ['typed by SQL', `'TYPED', 'Ethereum', 'USDC', 900000000, 6, '0x1', NULL`],
      [
        'of a payment that is none',
        `'SEEN', 'Ethereum', 'USDC', 900000000, 6, '0x1', gen_random_uuid()`,
      ],
    ])('%s is a break, and the public is told', async (_, columns) => {
      await holding(1)
      await tamper(
        paid.product.database,
        `INSERT INTO contributions (id, amount, note, contributed_by, created_at, source, network_name, asset, units, decimals, evidence, payment_id)
         VALUES (gen_random_uuid(), 90000, 'Typed', 'me', now(), ${columns})`,
      )
      expect(await compare()).toMatchObject({ isWhole: false, breakCents: 900_00n })
      expect(await coin('USDC')).toMatchObject({ uncovered: '900', difference: '-900' })
      await countFigures(paid.product.context)
      const { body } = await paid.product.call(poolBook)
      expect(body?.trust.reconciliation).toMatchObject({ isWhole: false, breaks: 900 })
    })

    test('whose payment leaves the chain is a break', async () => {
      const payload = await brought(200)
      expect((await agree(payload)).status).toBe(200)
      await tamper(
        paid.product.database,
        `UPDATE payments SET state = 'REVERSED' WHERE id = '${payload.paymentId}'`,
      )
      await run()
      expect(await coin('USDC')).toMatchObject({ uncovered: '200' })
    })
  })

  describe('coins from before', () => {
    const named = async (kind = 'COLD') => {
      const address = newAddress('Ethereum')
      const payload = { kind: 'OWN_ADDRESS', networkName: 'ethereum', address, class: kind }
      expect((await agree(payload)).status).toBe(200)
      return address
    }
    const opening = (amount: string, more: object = {}) => ({
      kind: 'OPENING',
      networkName: 'Ethereum',
      asset: 'ETH',
      account: 'cold',
      amount,
      ...more,
    })

    test('pause nothing, and are booked by two people', async () => {
      await holding(1)
      const address = newAddress('Ethereum')
      await slip(address, 7n * 10n ** 18n)
      await agree({ kind: 'OWN_ADDRESS', networkName: 'ethereum', address, class: 'COLD' })
      expect(await compare()).toMatchObject({ isWhole: true })
      expect((await coin('ETH'))?.lines).toContainEqual({
        account: 'cold',
        chain: '7',
        booked: '0',
        pending: '0',
        unopened: '7',
      })
      expect((await agree(opening('7.5'))).status).toBe(200)
      expect(await compare()).toMatchObject({ isPausing: false, breakCents: 1000_00n })
      expect((await agree(opening('-0.5'))).status).toBe(200)
      expect(await compare()).toMatchObject({ isWhole: true })
      expect((await coin('ETH'))?.lines).toContainEqual({
        account: 'cold',
        chain: '7',
        booked: '7',
        pending: '0',
        unopened: '0',
      })
    })

    test('are a break once their class was whole', async () => {
      await holding(1)
      const address = await named()
      await compare()
      await slip(address, 10n ** 18n)
      expect(await compare()).toMatchObject({ isPausing: true, breakCents: 2000_00n })
    })

    test.each([
      ['no coins', opening('0')],
      ['more decimals than the coin has', opening('0.0000000000000000001')],
      ['a coin of another network', opening('1', { asset: 'BTC' })],
      ['an unknown class', opening('1', { account: 'investors' })],
    ])('are refused with %s', async (_, payload) => {
      expect((await ask(payload)).status).toBe(400)
    })

    test('are at an address that two people name', async () => {
      const address = await named('SAFE')
      const { product } = paid
      expect((await product.call(listOwnAddresses, { token: first.token })).body).toMatchObject([
        { network: 'Ethereum', address, class: 'SAFE' },
      ])
      const again = { kind: 'OWN_ADDRESS', networkName: 'Ethereum', class: 'COLD' }
      const { address: given } = await paid.investor()
      const cases = [
        [address.toLowerCase(), 'addressOurs'],
        [given, 'addressOurs'],
        ['0x12', 'invalidAddress'],
        [newAddress('Bitcoin'), 'invalidAddress'],
      ] as const
      for (const [wrong, code] of cases)
        expect([wrong, codeOf(await ask({ ...again, address: wrong }))]).toEqual([wrong, code])
    })
  })
})
