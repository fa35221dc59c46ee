import { cents } from '@pool/contract/money'
import { Refusal } from '@pool/contract/refusals'
import { expect, test } from 'vitest'
import { investorWith, testProduct } from '../testing/product.ts'
import { requestWithdrawal } from '../transactions/requestWithdrawal.ts'
import { type Ledger, openLedger } from './ledger.ts'

const product = testProduct()

const LEDGERS = 8
const EACH = 10

// One ledger posts its operations in one group and never races with itself. Two ledgers that post
// everything at once hardly do either (docs/ledger.md, "Racing two ledgers").
test('eight ledgers with one withdrawal at a time never overdraw', async () => {
  const investor = await investorWith(product, 250)
  const withdraw = (ledger: Ledger): Promise<string> =>
    requestWithdrawal(
      { ...product.context, ledger },
      { by: { id: investor.id, from: 'tests' }, amount: cents(10_00n) },
    ).then(
      () => 'done',
      (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
    )
  const inTurn = async (ledger: Ledger): Promise<string[]> => {
    const outcomes: string[] = []
    for (let each = 0; each < EACH; each += 1) outcomes.push(await withdraw(ledger))
    return outcomes
  }

  const outcomes = (
    await Promise.all(
      Array.from({ length: LEDGERS }, () => inTurn(openLedger(product.database.pool))),
    )
  ).flat()
  const count = (code: string) => outcomes.filter((outcome) => outcome === code).length
  expect([count('done'), count('insufficientFunds')]).toEqual([25, LEDGERS * EACH - 25])
  expect(outcomes).toHaveLength(LEDGERS * EACH)
})
