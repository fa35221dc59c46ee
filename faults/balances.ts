/** What each investor must have, reckoned from what the clients know: whose money moved. */
import { cents } from '@pool/contract/money'
import { interestOn, plans } from '@pool/contract/plans'
import type { Database } from '../server/db/connection.ts'
import { type LoadPlan, type Operation, REQUESTED } from './plan.ts'

/** What each investor of a load began with, in cents, by id. */
export type Funds = ReadonlyMap<string, bigint>

/** Each of them began with the same, in cents. */
export const fundsOf = (
  { people, restless, deputy }: Pick<LoadPlan, 'people' | 'restless' | 'deputy'>,
  each: bigint,
): Funds => new Map([...people, restless, deputy].map(({ userId }) => [userId, each]))

type Balances = Record<'available' | 'held' | 'invested', bigint>
type Kind = keyof Balances
type Move = readonly [from: Kind | 'outside', to: Kind | 'outside', amount: bigint]

/** The plan of every investment that the load opens. */
const [PLAN] = plans

/** Where an operation that is there moved its investor's money, and how much. */
const moveOf = ({ kind, about, decision, cents: principal = 0 }: Operation): Move | undefined => {
  if (kind === 'withdrawal') return ['available', 'held', REQUESTED]
  if (kind === 'investment') return ['available', 'invested', BigInt(principal)]
  if (kind !== 'decision') return undefined
  if (about?.kind === 'deposit') return ['outside', 'available', REQUESTED]
  return ['held', decision === 'APPROVED' ? 'outside' : 'available', REQUESTED]
}

/**
 * Sentences about accounts whose balance is not what the operations come to that took effect. Only
 * the state of an investment is read from the database: no client is told that one matured.
 */
export const wrongBalances = async (
  done: readonly Operation[],
  funds: Funds,
  client: Pick<Database['pool'], 'query'>,
): Promise<readonly string[]> => {
  const owed = new Map<string, Balances>(
    [...funds].map(([id, available]) => [id, { available, held: 0n, invested: 0n }]),
  )
  const move = (owner: string | undefined, [from, to, amount]: Move): void => {
    const balances = owed.get(owner ?? '')
    if (balances === undefined) return
    if (from !== 'outside') balances[from] -= amount
    if (to !== 'outside') balances[to] += amount
  }
  for (const operation of done) {
    const moved = moveOf(operation)
    if (moved) move(operation.about?.owner ?? operation.userId, moved)
  }

  const owners = [...funds.keys()]
  const { rows: matured } = await client.query<{ user_id: string; principal: bigint }>(
    "SELECT user_id, principal FROM investments WHERE status = 'COMPLETED' AND user_id = ANY ($1)",
    [owners],
  )
  for (const { user_id: owner, principal } of matured) {
    move(owner, ['invested', 'available', principal])
    move(owner, ['outside', 'available', interestOn(cents(principal), PLAN)])
  }

  const { rows } = await client.query<{ owner_id: string; kind: Kind; balance: bigint }>(
    'SELECT owner_id, kind, balance FROM accounts WHERE owner_id = ANY ($1)',
    [owners],
  )
  const found = new Map(rows.map(({ owner_id, kind, balance }) => [`${owner_id} ${kind}`, balance]))
  return [...owed].flatMap(([owner, balances]) =>
    Object.entries(balances)
      .map(([kind, owes]) => ({ kind, owes, has: found.get(`${owner} ${kind}`) ?? 0n }))
      .filter(({ owes, has }) => owes !== has)
      .map(({ kind, owes, has }) => `${kind} of ${owner} is ${has} and must be ${owes}`),
  )
}
