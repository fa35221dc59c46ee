/** Computes each investor's balance from the clients' records. */
import { cents } from '@pool/contract/base/money'
import { defaultPlans, interestOn } from '@pool/contract/money/plans'
import type { Database } from '../server/base/db/connection.ts'
import { type LoadPlan, type Operation, REQUESTED } from './plan.ts'

/** The first balance of each investor, in cents, by id. */
export type Funds = ReadonlyMap<string, bigint>

/** Gives all of them the same first balance, in cents. */
export const fundsOf = (
  { people, leaver, deputy }: Pick<LoadPlan, 'people' | 'leaver' | 'deputy'>,
  each: bigint,
): Funds => new Map([...people, leaver, deputy].map(({ userId }) => [userId, each]))

type Balances = Record<'available' | 'held' | 'invested', bigint>
type Kind = keyof Balances
type Move = readonly [from: Kind | 'outside', to: Kind | 'outside', amount: bigint]

/** The plan of all the load's investments. */
const [PLAN] = defaultPlans

/** The movement of an operation that took effect: the accounts and the amount. */
const moveOf = ({ kind, about, decision, cents: principal = 0 }: Operation): Move | undefined => {
  if (kind === 'withdrawal') return ['available', 'held', REQUESTED]
  if (kind === 'investment') return ['available', 'invested', BigInt(principal)]
  if (kind !== 'decision') return undefined
  if (about?.kind === 'deposit') return ['outside', 'available', REQUESTED]
  return ['held', decision === 'APPROVED' ? 'outside' : 'available', REQUESTED]
}

/**
 * One sentence for each account whose balance differs from its operations. The database tells the
 * states of investments, because no client hears of a maturity.
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
