/** Steps of two super admins who wind a pool down. */
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { readWindDown } from '@pool/contract/lending/windDown'
import { expect } from 'vitest'
import { openLedger } from '../ledger/engine/ledger.ts'
import { newAddress } from './addresses.ts'
import type { TestDatabase } from './database.ts'
import { openDesk } from './loanDesk.ts'
import { type Person, person, startProduct } from './product.ts'
import { tamper } from './tamper.ts'

/** An address of the operator, which two super admins name. */
export const ownAddress = () => ({ networkName: 'Bitcoin', address: newAddress() })

type Kind = 'WIND_DOWN' | 'END_WIND_DOWN' | 'WITHDRAW_CAPITAL'

/** A pool with so many cents in its reserve, and its staff. */
export const startWindDown = async (reserve = 1_000_00n, database?: TestDatabase) => {
  const product = await startProduct(
    { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true' },
    { reserve: cents(reserve), ...(database && { database }) },
  )
  const clerk = await person(product, ['ADMIN'])
  const desk = openDesk(product, clerk, await person(product, ['ADMIN']))
  const supers: readonly [Person, Person] = [
    await person(product, ['SUPER_ADMIN']),
    await person(product, ['SUPER_ADMIN']),
  ]
  const own = ownAddress()
  const ask = (kind: Kind | 'OWN_ADDRESS', more: object = {}, by = supers[0]) =>
    product.call(askProposal, {
      token: by.token,
      payload: {
        kind,
        reason: 'The operator retires',
        ...(kind === 'WITHDRAW_CAPITAL' && own),
        ...more,
      } as never,
    })
  const decide = (id: string, by = supers[1]) =>
    product.call(approveProposal, { token: by.token, params: { id } })
  const agree = async (kind: Kind | 'OWN_ADDRESS', more: object = {}) => {
    const asked = await ask(kind, more)
    expect(asked).toMatchObject({ status: 200 })
    return decide(asked.body.id)
  }
  const progress = async () => (await product.call(readWindDown, { token: clerk.token })).body
  await agree('OWN_ADDRESS', { ...own, class: 'COLD' })
  return {
    product,
    clerk,
    own,
    desk,
    supers,
    ask,
    decide,
    agree,
    progress,
    begin: async () => expect((await agree('WIND_DOWN')).status).toBe(200),
    /** Both take capital out, and say that all repayments arrived. */
    take: async (amount: number) =>
      agree('WITHDRAW_CAPITAL', { amount, repayments: (await progress()).repayments }),
    /** Another node. */
    elsewhere: () => ({ ...product.context, ledger: openLedger(product.database.pool) }),
    /** Lets the days pass after which balances hold back no capital. */
    shiftBack: () =>
      tamper(
        product.database,
        "UPDATE wind_downs SET created_at = created_at - interval '91 days', last_maturity_at = last_maturity_at - interval '91 days'",
      ),
    /** Accounts with a balance other than none, by their transfers. */
    standing: () =>
      desk.rows<{ kind: string; cents: number }>(
        `SELECT kind, sum(side.amount)::int AS cents FROM transfers AS t
         CROSS JOIN LATERAL (VALUES (from_account_id, -t.amount), (to_account_id, t.amount)) AS side (account_id, amount)
         JOIN accounts AS a ON a.id = side.account_id GROUP BY kind HAVING sum(side.amount) <> 0 ORDER BY kind`,
      ),
  }
}

export type WindingDown = Awaited<ReturnType<typeof startWindDown>>
