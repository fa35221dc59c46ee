import { cents } from '@pool/contract/base/money'
import {
  actionsFor,
  approve,
  confirm,
  reject,
  rejectDeposit,
  type TransactionAction,
  transactionActions,
} from '@pool/contract/requests/decisions'
import { transactionStatuses, transactionTypes } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { requestDeposit } from './requestDeposit.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const product = testProduct()
let investor: Person
let admin: Person
beforeAll(async () => {
  investor = await person(product)
  admin = await person(product, ['ADMIN'])
  await fund(product, investor, cents(9_000_00n))
})

const asked = () => ({ by: { id: investor.id, from: 'tests' }, amount: cents(10_00n) })
const idOf = ({ transactionId }: { readonly transactionId: string }) => transactionId

/** The transaction of this type that a paid investment has. */
const invested = async (type: 'investment' | 'payout'): Promise<string> => {
  const { context, database } = product
  const config = { ...context.config, daySeconds: 0 }
  const opened = await openInvestment({ ...context, config }, { ...asked(), durationDays: 1 })
  await payMaturities(context)
  const { rows } = await database.pool.query(
    'SELECT id FROM transactions WHERE $1 IN (id, investment_id) AND type = $2',
    [opened.investmentId, type],
  )
  return rows[0].id
}
/** A payment for a deposit that was taken back, a part of a loss, or of what came back of it. */
const made = async (type: 'reversal' | 'loss' | 'recovery'): Promise<string> => {
  const id = newId()
  await tamper(
    product.database,
    `INSERT INTO transactions (id, user_id, type, amount, status, created_at, updated_at)
     VALUES ('${id}', '${investor.id}', '${type}', 1000, 'COMPLETED', now(), now())`,
  )
  return id
}
const newOf = {
  deposit: () => requestDeposit(product.context.ledger, asked()).then(idOf),
  withdrawal: () => requestWithdrawal(product.context, asked()).then(idOf),
  investment: () => invested('investment'),
  payout: () => invested('payout'),
  reversal: () => made('reversal'),
  loss: () => made('loss'),
  recovery: () => made('recovery'),
}

const call = (action: TransactionAction, transactionId: string) => {
  const { token } = admin
  if (action === 'reject')
    return product.call(reject, { token, params: { id: transactionId }, payload: {} })
  if (action === 'rejectDeposit')
    return product.call(rejectDeposit, {
      token,
      params: { id: transactionId },
      payload: { reason: 'No payment' },
    })
  return action === 'confirm'
    ? product.call(confirm, { token, payload: { transactionId } })
    : product.call(approve, { token, payload: { transactionId, userId: investor.id } })
}

/** The columns of a withdrawal that was sent, and of one that was completed. */
const marks = (status: string): string => {
  const sent = `, sent_at = now(), sent_by = '${admin.id}', sent_network = 'Bitcoin', sent_evidence = 'x'`
  const completed = `, completed_at = now(), completed_by = '${admin.id}'`
  if (status === 'PROCESSING') return sent
  return status === 'COMPLETED' ? sent + completed : ''
}

const cases = transactionTypes.flatMap((type) =>
  transactionStatuses.map((status) => [type, status] as const),
)

test.each(cases)("a %s that is %s allows its table's actions", async (type, status) => {
  for (const action of Object.keys(transactionActions) as TransactionAction[]) {
    const id = await newOf[type]()
    await tamper(
      product.database,
      `UPDATE transactions SET status = '${status}'${type === 'withdrawal' ? marks(status) : ''} WHERE id = '${id}'`,
    )
    const { body } = await call(action, id)
    const isOpen = actionsFor(type, status).includes(action)
    expect([action, body.status]).toEqual([
      action,
      isOpen ? transactionActions[action].to : undefined,
    ])
  }
})
