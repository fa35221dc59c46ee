import { currentUser } from '@pool/contract/accounts/users'
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { invest } from '@pool/contract/money/investments'
import { listNotices } from '@pool/contract/reports/notices'
import { approve } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NodeFault } from '../../chain/nodes/fault.ts'
import type { Payment } from '../../chain/nodes/node.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { collectClaims } from '../../money/claims/collectClaims.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, fund, type Person, person } from '../../testing/product.ts'
import { expectStatements } from '../../testing/statements.ts'
import { tamper } from '../../testing/tamper.ts'
import { creditPayments } from './creditPayments.ts'
import { reverseDeposits } from './reverseDeposits.ts'

/** Blocks that take back every final one of a test. */
const DEEP = 72

describe.skipIf(!hasAnvil)('coins that go after their credit', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await paid.settle()
  })
  afterAll(() => paid.close())
  afterAll(() => expectWhole(paid.product))
  afterEach(async () => {
    const lines = await expectStatements(paid.product)
    const arrived = lines.filter(
      ({ movement, evidence }) => movement === 'deposit_confirmed' && evidence !== null,
    )
    expect(arrived.length).toBeGreaterThan(0)
    // Each has its payment on the chain and its coins.
    for (const { network, evidence, asset, coins } of arrived)
      expect([network, evidence, asset, coins]).toEqual([
        'Ethereum',
        expect.stringMatching(/^0x[0-9a-f]{64}$/),
        'USDC',
        expect.stringMatching(/^\d+$/),
      ])
  })

  /** Investors with a credited deposit of these dollars each. */
  const creditedAll = async (...amounts: readonly number[]) => {
    const { usdc, settle, investor } = paid
    const people = []
    for (const amount of amounts) {
      const { owner, id, address } = await investor(amount)
      people.push({ owner, id, hash: await usdc.send(address, dollars(amount)) })
    }
    expect(await settle()).toMatchObject({ credited: amounts.length })
    return people
  }
  const credited = async (amount: number) => {
    const [one] = await creditedAll(amount)
    return one as NonNullable<typeof one>
  }
  const claimOf = async (depositId: string) =>
    (
      await paid.product.database.pool.query(
        'SELECT amount::int, open::int FROM claims WHERE deposit_id = $1',
        [depositId],
      )
    ).rows
  const look = ({ token, email }: Person) =>
    paid.product.call(currentUser, { token, query: { username: email } })
  const asksForTen = ({ id: userId, token }: Person) =>
    paid.product.call(withdraw, {
      token,
      payload: {
        userId,
        amount: 10,
        destinationAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
      },
    })

  test('take the balance back, and the history says so', async () => {
    const { product, reorganise, reverse, available, depositsOf } = paid
    const { owner, id } = await credited(50)
    expect(await reverse()).toBe(0)
    await reorganise(DEEP)
    // A state counts for as long as looks go on.
    await stopLooks(product.database)
    expect(await reverse()).toBe(0)
    await paid.look()
    expect(await reverse()).toBe(1)
    expect(await reverse()).toBe(0)
    expect(await available(owner)).toBe(0)
    expect(await claimOf(id)).toEqual([{ amount: 50_00, open: 0 }])
    expect(await depositsOf(owner)).toMatchObject([
      { amount: 50, status: 'REVERSED' },
      { amount: 50, status: 'COMPLETED' },
    ])
    const { token } = owner
    const { body: story } = await product.call(transactionStory, { token, params: { id } })
    expect(story.events.map(({ what }) => what)).toEqual(['requested', 'confirmed', 'reversed'])
    expect(story.payments).toMatchObject([{ state: 'REVERSED' }])
    expect(story.transfers).toMatchObject([
      { movement: 'deposit_confirmed', amount: 50 },
      { movement: 'deposit_reversed', from: 'claims', to: 'custody', amount: 50 },
    ])
    const { body: list } = await product.call(listTransactions, { token, query: {} })
    const [reversal] = list
    expect(reversal).toMatchObject({ type: 'reversal', amount: 50 })
    const collected = await product.call(transactionStory, {
      token,
      params: { id: reversal?.id ?? '' },
    })
    expect(collected.body.transfers).toMatchObject([
      { from: 'available', to: 'claims', amount: 50 },
    ])
    const { body } = await product.call(listNotices, { token, query: {} })
    expect(
      body.notices
        .map(({ kind }) => kind)
        .slice(0, 2)
        .sort(),
    ).toEqual(['deposit.collected', 'deposit.reversed'])
    const staff = await product.call(listNotices, { token: paid.admin.token, query: {} })
    expect(staff.body.notices).toMatchObject([{ kind: 'deposit.reversed', transactionId: id }])
  })

  test('leave a debt of what was spent, which rests withdrawals', async () => {
    const { product, usdc, settle, reorganise, reverse, available, admin } = paid
    const { owner, id } = await credited(100)
    await openInvestment(product.context, {
      by: { id: owner.id, from: 'tests' },
      amount: cents(60_00n),
      durationDays: 1,
    })
    const pending = await asksForTen(owner)
    expect(pending.status).toBe(200)
    await reorganise(DEEP)
    await reverse()
    expect(await available(owner)).toBe(0)
    expect(await claimOf(id)).toEqual([{ amount: 100_00, open: 70_00 }])
    expect((await look(owner)).body).toMatchObject({ owes: 70 })
    const invests = await product.call(invest, {
      token: owner.token,
      payload: { userId: owner.id, amount: 1, durationDays: 1 },
    })
    expect(codeOf(invests)).toBe('claimOpen')

    // New coins pay the debt before anything else.
    const { address } = await paid.ask(owner, 25)
    await usdc.send(address, dollars(25))
    await settle()
    expect(await asksForTen(owner)).toMatchObject({ status: 409, body: { code: 'claimOpen' } })
    const approving = {
      token: admin.token,
      payload: { transactionId: pending.body.transactionId, userId: owner.id },
    }
    expect(codeOf(await product.call(approve, approving))).toBe('ownerOwes')
    expect(await collectClaims(product.context)).toBe(1)
    expect(await available(owner)).toBe(0)
    expect(await claimOf(id)).toEqual([{ amount: 100_00, open: 45_00 }])

    // Two super admins give up the rest.
    const [first, second] = [
      await person(product, ['SUPER_ADMIN']),
      await person(product, ['SUPER_ADMIN']),
    ]
    const writeOff = { kind: 'WRITE_OFF', userId: owner.id, claimId: id, reason: 'Fork' } as const
    const asking = (amount: number) =>
      product.call(askProposal, { token: first.token, payload: { ...writeOff, amount } })
    expect(codeOf(await asking(45.01))).toBe('claimSettled')
    const asked = await asking(45)
    const params = { id: asked.body.id }
    const own = await product.call(approveProposal, { token: first.token, params })
    expect(codeOf(own)).toBe('ownProposal')
    const reserve = `SELECT balance::int FROM accounts WHERE kind = 'reserve'`
    const before = (await product.database.pool.query(reserve)).rows[0].balance
    const agreed = await product.call(approveProposal, { token: second.token, params })
    expect(agreed.status).toBe(200)
    expect(await claimOf(id)).toEqual([{ amount: 100_00, open: 0 }])
    expect((await product.database.pool.query(reserve)).rows[0].balance).toBe(before - 45_00)
    expect((await look(owner)).body).toMatchObject({ owes: 0 })
    await fund(product, owner, cents(20_00n))
    expect((await asksForTen(owner)).status).toBe(200)
  })

  test('are credited anew when they return', async () => {
    const { anvil, reorganise, reverse, credit, settle, available, depositsOf } = paid
    const { owner, hash } = await credited(30)
    // The next look notes the deposit of the payment.
    await credit()
    const raw = await anvil.ask<string>('eth_getRawTransactionByHash', hash)
    await reorganise(DEEP)
    expect(await reverse()).toBe(1)
    expect(await available(owner)).toBe(0)
    expect(await anvil.ask('eth_sendRawTransaction', raw)).toBe(hash)
    expect(await settle()).toEqual({ opened: 1, credited: 1 })
    expect(await available(owner)).toBe(30)
    expect((await depositsOf(owner)).map(({ status }) => status)).toEqual([
      'REVERSED',
      'COMPLETED',
      'APPROVED',
    ])
    expect(await reverse()).toBe(0)
  })

  test('are believed gone from the node alone', async () => {
    const { product, anvil, reverse, available } = paid
    const { owner, hash } = await credited(40)
    const forge = async (set: string, where = 'transaction_id = $1') => {
      await product.database.pool.query(`UPDATE payments SET ${set} WHERE ${where}`, [hash])
      expect(await reverse()).toBe(0)
    }
    await forge("state = 'REVERSED'")
    await forge("state = 'CONFIRMED', units = units * 2")
    await forge('units = units / 2')
    await product.database.superuser.query(
      `INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state)
       SELECT gen_random_uuid(), network_name, transaction_id, 99, address, asset, units, decimals, 'REVERSED' FROM payments WHERE transaction_id = $1`,
      [hash],
    )
    expect(await reverse()).toBe(0)
    await product.database.superuser.query('DELETE FROM payments WHERE output = 99')
    // Back in the pool of the node, it may still come.
    const raw = await anvil.ask<string>('eth_getRawTransactionByHash', hash)
    await anvil.ask('evm_setAutomine', false)
    await paid.reorganise(DEEP)
    await anvil.ask('eth_sendRawTransaction', raw)
    expect(await reverse()).toBe(0)
    // The coins may go for good, so the money stays.
    expect(codeOf(await asksForTen(owner))).toBe('depositUnsure')
    await anvil.ask('evm_setAutomine', true)
    await paid.settle()
    expect(await reverse()).toBe(0)
    expect(await available(owner)).toBe(40)
  })

  test('are taken back though a node cannot tell of others', async () => {
    const { product, settings, reorganise, available } = paid
    const [one, other] = await creditedAll(20, 20)
    await reorganise(DEEP)
    const node = openNode(settings)
    const transaction: typeof node.transaction = async (id) => {
      if (id === one?.hash) throw new NodeFault('AWAY', 'pruned')
      return node.transaction(id)
    }
    const source = { settings, node: { ...node, transaction } }
    expect(await reverseDeposits(product.context, source)).toBe(1)
    expect(await available(other?.owner as Person)).toBe(0)
    expect(await reverseDeposits(product.context, { settings, node })).toBe(1)
  })

  test('are credited by what another block makes of them', async () => {
    const { product, settings, credit, available } = paid
    const { owner, hash } = await credited(15)
    await credit()
    // As a contract may pay more once its transaction is in another block.
    await product.database.superuser.query(
      'UPDATE payments SET units = units * 2 WHERE transaction_id = $1',
      [hash],
    )
    const node = openNode(settings)
    const block: typeof node.block = async (height, watched) => {
      const found = await node.block(height, watched)
      const twice = (each: Payment) => ({ ...each, units: each.units * 2n })
      return found && { ...found, payments: found.payments.map(twice) }
    }
    const source = { settings, node: { ...node, block } }
    expect(await reverseDeposits(product.context, source)).toBe(1)
    expect(await creditPayments(product.context, source)).toMatchObject({ credited: 1 })
    expect(await available(owner)).toBe(30)
  })

  test('are written off by two people alone', async () => {
    const { product, reorganise, reverse } = paid
    const { owner, id } = await credited(20)
    await openInvestment(product.context, {
      by: { id: owner.id, from: 'tests' },
      amount: cents(20_00n),
      durationDays: 1,
    })
    await reorganise(DEEP)
    await reverse()
    /** Rows that the product's role could write, with the entry that its approval needs. */
    const forge = (approver: string, amount: number, claim = id) =>
      product.database.pool.query(
        `WITH agreed AS (SELECT gen_random_uuid() AS id)
         INSERT INTO proposals (id, kind, subject, user_id, payload, language, reason, asked_by, decided_by, status, decided_at, ended_at)
         SELECT id, 'WRITE_OFF', '${claim}', '${owner.id}', '{"amount": 20}', 'en', 'forged', '${paid.admin.id}', '${approver}', 'DONE', now(), now() FROM agreed;
         INSERT INTO write_offs (id, claim_id, amount) SELECT id, '${id}', ${amount} FROM proposals WHERE reason = 'forged'`,
      )
    const other = await person(product, ['SUPER_ADMIN'])
    const byTwo = /takes two people/
    await expect(forge(owner.id, 20_00)).rejects.toThrow(byTwo)
    await expect(forge(other.id, 19_00)).rejects.toThrow(byTwo)
    await expect(forge(other.id, 20_00, 'another')).rejects.toThrow(byTwo)
    await forge(other.id, 20_00)
    const { findings } = await checkRowsAgainstTrail(product.context.db)
    expect(findings.join()).toContain('has no entries of two people')
    await tamper(
      product.database,
      `DELETE FROM write_offs WHERE id IN (SELECT id FROM proposals WHERE reason = 'forged');
       DELETE FROM proposals WHERE reason = 'forged'`,
    )
  })

  test('are taken back once by many at the same moment', async () => {
    const { product, reorganise, reverse, available } = paid
    const contexts = Array.from({ length: 3 }, () => ({
      ...product.context,
      ledger: openLedger(product.database.pool),
    }))
    const people = await creditedAll(20, 20, 20)
    await reorganise(DEEP)
    await Promise.allSettled([
      ...contexts.map((context) => reverse(context)),
      ...contexts.map((context) => collectClaims(context)),
      ...people.map(({ owner }) => asksForTen(owner)),
    ])
    await reverse()
    await collectClaims(product.context)
    for (const { owner, id } of people) {
      const [claim] = await claimOf(id)
      const [held] = (
        await product.database.pool.query(
          "SELECT balance::int FROM accounts WHERE owner_id = $1 AND kind = 'held'",
          [owner.id],
        )
      ).rows
      expect(await available(owner)).toBe(0)
      expect(claim).toEqual({ amount: 20_00, open: held.balance })
    }
  })
})
