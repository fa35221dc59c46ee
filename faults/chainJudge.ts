/** The judge of credits. It reads the node, and what the product's books say of it. */

import { balancesOf } from '../server/ledger/families/accounts.ts'
import type { World } from './chainWorld.ts'
import type { Output, PlayChain } from './playChain.ts'

/** The least and the most that the product credits, in cents. */
const [LEAST, MOST] = [10_00n, 1_000_00n]

/** The cents that an output counts as, rounded down. */
const worthOf = ({ rateAt }: World, { coin, height, units, decimals }: Output): bigint =>
  (units * rateAt(coin, height)) / 10n ** BigInt(decimals)

/** The credits of an output, and their cents. */
type Net = { times: number; cents: bigint }

/** A deposit that was taken back is no credit. */
const netOf = async ({ product }: World, { network }: PlayChain): Promise<Map<string, Net>> => {
  const { rows } = await product.database.superuser.query(
    `SELECT t.evidence, t.evidence_output AS output, w.address, t.amount::text
     FROM transactions AS t JOIN wallets AS w ON w.id = t.wallet_id
     WHERE t.type = 'deposit' AND t.status = 'APPROVED' AND w.network_name = $1`,
    [network],
  )
  const net = new Map<string, Net>()
  for (const { evidence, output, address, amount } of rows) {
    const key = `${evidence}${output === null ? '' : `:${output}`} to ${address}`
    const { times, cents } = net.get(key) ?? { times: 0, cents: 0n }
    net.set(key, { times: times + 1, cents: cents + BigInt(amount) })
  }
  return net
}

/**
 * Compares credits with the outputs that the node's best chain has deep enough: each once, at the
 * rates on record, and no other credit. Returns the differences in words.
 */
export const differences = async (world: World, chain: PlayChain): Promise<string[]> => {
  const { product, people } = world
  const outputs = await chain.confirmed(
    people.filter(({ coin }) => coin.chain === chain).map(({ address }) => address),
  )
  const net = await netOf(world, chain)
  const found: string[] = []
  const owed = new Map<string, bigint>()
  for (const output of outputs) {
    const worth = worthOf(world, output)
    const key = `${output.key} to ${output.to}`
    const { times, cents } = net.get(key) ?? { times: 0, cents: 0n }
    net.delete(key)
    const due = worth >= LEAST && worth <= MOST ? worth : 0n
    owed.set(output.to, (owed.get(output.to) ?? 0n) + due)
    if (cents !== due || times > 1)
      found.push(`${key}: ${times} credits of ${cents} cents, and ${due} are due`)
  }
  for (const [key, { times, cents }] of net)
    if (times !== 0 || cents !== 0n) found.push(`${key}: ${cents} cents that the node lacks`)
  for (const { owner, address, coin } of people) {
    if (coin.chain !== chain) continue
    const { available, held, invested } = await balancesOf(product.context.db, owner.id)
    const has = BigInt(Math.round((available + held + invested) * 100))
    const due = owed.get(address) ?? 0n
    if (has !== due) found.push(`${address}: ${has} cents to spend, and ${due} are due`)
  }
  return found
}
