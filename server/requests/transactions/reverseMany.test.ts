import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasAnvil } from '../../testing/anvil.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { tamper } from '../../testing/tamper.ts'

/** Blocks that take back every final one of a test. */
const DEEP = 72

describe.skipIf(!hasAnvil)('coins that go after their credit', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await paid.settle()
  })
  afterAll(() => paid.close())

  /** An investor with a credited deposit of these dollars. */
  const credited = async (amount: number) => {
    const { owner, id, address } = await paid.investor(amount)
    const hash = await paid.usdc.send(address, dollars(amount))
    expect(await paid.settle()).toMatchObject({ credited: 1 })
    return { owner, id, hash }
  }
  const claimOf = async (depositId: string) =>
    (
      await paid.product.database.pool.query(
        'SELECT amount::int, open::int FROM claims WHERE deposit_id = $1',
        [depositId],
      )
    ).rows

  test('hundreds that stay undecided hold up no other', async () => {
    const { product, usdc, settle, reverse, investor } = paid
    const waits = await credited(11)
    const gone = await credited(12)
    const newest = await usdc.send((await investor()).address, dollars(1))
    await paid.look()
    // Deposits whose payment is doubted while the node has its transaction, but not deep enough.
    await tamper(
      product.database,
      `WITH doubted AS (INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, evidence_network, evidence, evidence_output, created_at, updated_at)
         SELECT new_id(), user_id, type, amount, status, wallet_id, evidence_network, '${newest}', 1000 + n, created_at, updated_at
         FROM transactions, generate_series(1, 250) AS n WHERE id = '${waits.id}' RETURNING evidence_output, wallet_id)
       INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state)
       SELECT new_id(), 'Ethereum', '${newest}', evidence_output, address, 'USDC', 11000000, 6, 'DROPPED'
       FROM doubted JOIN wallets AS w ON w.id = wallet_id`,
    )
    await tamper(
      product.database,
      `UPDATE payments SET state = 'DROPPED', transaction_id = '0x${'9'.repeat(64)}' WHERE transaction_id = '${gone.hash}';
       UPDATE transactions SET evidence = '0x${'9'.repeat(64)}' WHERE id = '${gone.id}'`,
    )
    expect(await reverse()).toBe(1)
    expect(await claimOf(gone.id)).toMatchObject([{ amount: 12_00 }])
    await tamper(
      product.database,
      `DELETE FROM transactions WHERE evidence = '${newest}'; DELETE FROM payments WHERE transaction_id = '${newest}'`,
    )
    await settle()
  })

  test('hundreds of uncollectable debts hold up no other', async () => {
    const { product, reorganise, reverse } = paid
    const closed = await credited(15)
    const other = await credited(20)
    await tamper(
      product.database,
      `INSERT INTO claims (deposit_id, user_id, amount, open, payment_id, basis, created_at)
       SELECT new_id(), '${closed.owner.id}', 1, 1, new_id(), 'tests', now() - n * interval '1 second' FROM generate_series(1, 600) AS n;
       UPDATE users SET closed_at = now() WHERE id = '${closed.owner.id}'`,
    )
    await reorganise(DEEP)
    await expect(reverse()).rejects.toThrow('closed the account')
    expect(await claimOf(other.id)).toEqual([{ amount: 20_00, open: 0 }])
    await tamper(
      product.database,
      `DELETE FROM claims WHERE basis = 'tests'; UPDATE users SET closed_at = NULL WHERE id = '${closed.owner.id}'`,
    )
  })
})
