/** Compares coins on the chains with the books, and pauses withdrawals at a break (5.25). */
import { isDollar, coins as known } from '@pool/contract/base/assets'
import { PAR, type Rate, rateFrom, textOfRate } from '@pool/contract/chain/rates'
import type { ComparisonProblem } from '@pool/contract/coins/reconciliation'
import { type Kysely, sql } from 'kysely'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import type { BlockName, Limits } from '../../chain/nodes/node.ts'
import type { WithConfig } from '../../http/context.ts'
import { custodyInCents, typedInCents } from '../../ledger/sums/custody.ts'
import { isByBreak, pauseByBreak } from '../../money/brakes/pauses.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
import { isWithin } from '../custody/breaks.ts'
import { centsOf } from '../custody/worth.ts'
import { type Compared, compare } from './compare.ts'
import { recordCompared } from './compared.ts'
import { readBooks } from './readBooks.ts'
import { readChain } from './readChain.ts'

type Db = Kysely<Schema>

type OfNetwork = { readonly network: string } & (
  | { readonly problem: ComparisonProblem }
  | {
      readonly problem: null
      readonly block: BlockName
      readonly addresses: number
      readonly coins: readonly Compared[]
    }
)

type ReconcilingContext = OnRecord & WithConfig

/** The outcome of a comparison. Amounts are cents. */
export type Outcome = {
  readonly id: string
  readonly isWhole: boolean
  readonly isPausing: boolean
  readonly breakCents: bigint
  readonly networks: readonly OfNetwork[]
}

/** Compares every network with a node, writes the result, and pauses withdrawals at a break. */
export const reconcile = async (
  context: ReconcilingContext,
  limits: Limits = {},
): Promise<Outcome | undefined> => {
  const networks: OfNetwork[] = []
  for (const settings of context.config.chains)
    networks.push(await compareNetwork(context, settings, limits))
  if (limits.stopping?.aborted) return undefined
  return context.db
    .transaction()
    .execute((transaction) => write({ ...context, db: transaction }, networks))
}

const compareNetwork = async (
  { config, db }: ReconcilingContext,
  settings: ChainSettings,
  limits: Limits,
): Promise<OfNetwork> => {
  const { network } = settings
  const chain = await readChain(db, settings, limits)
  if (typeof chain === 'string') return { network, problem: chain }
  const books = await readBooks(db, config, { network, block: chain.block })
  if (!books) return { network, problem: 'BEHIND' }
  const { block, addresses } = chain
  return { network, problem: null, block, addresses, coins: compare(chain, books) }
}

/** A compared coin with its rate, and the part of its break that two people accepted. */
type Judged = Compared & {
  readonly network: string
  readonly accepted: bigint
  readonly rate: Rate | null
}

const write = async ({ config, db, keys }: ReconcilingContext, networks: readonly OfNetwork[]) => {
  // Proposals and pauses change under this lock, so an end of a pause comes before or after.
  await takeLock(db, 'groups')
  const compared = networks.flatMap((each) =>
    each.problem === null ? each.coins.map((coin) => ({ ...coin, network: each.network })) : [],
  )
  const judged = await judge(db, compared)
  const open = judged.map(({ difference, accepted, ...coin }) => ({
    ...coin,
    units: difference - accepted,
  }))
  const breakCents = open.reduce((sum, { units, decimals, rate }) => {
    const cents = rate === null ? 0n : centsOf({ units, decimals, rate })
    return sum + (cents < 0n ? -cents : cents)
  }, 0n)
  const isUnpriced = open.some(({ units, rate }) => units !== 0n && rate === null)
  const isBeyond = isUnpriced || breakCents > config.breakLimit
  const isWhole = judged.every(({ difference }) => difference === 0n)
  const id = newId()
  const isPausing = isBeyond && !(await isByBreak(db, 'withdrawals'))
  await db
    .insertInto('reconciliations')
    .values({
      id,
      break_cents: breakCents,
      is_unpriced: isUnpriced,
      is_whole: isWhole,
      limit_cents: config.breakLimit,
      is_pausing: isPausing,
      custody_cents: await custodyInCents(db),
      typed_cents: await typedInCents(db),
      coins_cents: worthOf(judged),
    })
    .execute()
  await writeParts(db, id, networks, judged)
  await recordCompared({ db, keys }, id)
  if (isPausing) await pauseByBreak({ db, keys }, { reconciliationId: id, by: SYSTEM })
  return { id, isWhole, isPausing, breakCents, networks }
}

const worthOf = (judged: readonly Judged[]): bigint =>
  judged.reduce((sum, { lines, decimals, rate }) => {
    const units = lines.reduce((all, { chain }) => all + chain, 0n)
    return rate === null ? sum : sum + centsOf({ units, decimals, rate })
  }, 0n)

type KnownBreak = {
  readonly accepted: string | null
  readonly dollars: string | null
}

/** Reads rates of any age, and what was accepted. An acceptance shrinks with its break. */
const judge = async (
  db: Db,
  compared: readonly (Compared & { readonly network: string })[],
): Promise<Judged[]> => {
  const { rows } = await sql<KnownBreak>`
    SELECT (SELECT dollars::text FROM rates WHERE coin = named.asset ORDER BY created_at DESC, id DESC LIMIT 1) AS dollars,
      coalesce((
        SELECT units FROM accepted_breaks AS a WHERE a.network_name = named.network AND a.asset = named.asset
          AND a.at > coalesce(before.at, '-infinity') ORDER BY a.at DESC LIMIT 1), before.accepted)::text AS accepted
    FROM unnest(${compared.map(({ network }) => network)}::text[], ${compared.map(({ asset }) => asset)}::text[])
      WITH ORDINALITY AS named (network, asset, place)
    LEFT JOIN LATERAL (
      SELECT r.at, c.accepted FROM reconciled_coins AS c JOIN reconciliations AS r ON r.id = c.reconciliation_id
      WHERE c.network_name = named.network AND c.asset = named.asset ORDER BY r.at DESC LIMIT 1) AS before ON true
    ORDER BY place`.execute(db)
  return compared.map((coin, place) => {
    const { accepted, dollars } = rows[place] ?? { accepted: null, dollars: null }
    const agreed = BigInt(accepted ?? 0)
    const { difference, asset } = coin
    const shrunk = isWithin(difference, agreed) ? difference : agreed
    return {
      ...coin,
      accepted: isWithin(shrunk, difference) ? shrunk : 0n,
      rate: dollars === null ? parOf(asset) : rateFrom(dollars),
    }
  })
}

/** One dollar for a coin of a dollar that never had a rate. */
const parOf = (asset: string): Rate | null => {
  const coin = known.find((each) => each === asset)
  return coin !== undefined && isDollar(coin) ? PAR : null
}

const writeParts = async (
  db: Db,
  id: string,
  networks: readonly OfNetwork[],
  judged: readonly Judged[],
): Promise<void> => {
  const rows = networks.map((each) => ({
    reconciliation_id: id,
    network_name: each.network,
    problem: each.problem,
    ...(each.problem === null && {
      height: BigInt(each.block.height),
      block_hash: each.block.hash,
      addresses: each.addresses,
    }),
  }))
  if (rows.length > 0) await db.insertInto('reconciled_networks').values(rows).execute()
  if (judged.length === 0) return
  await db
    .insertInto('reconciled_coins')
    .values(
      judged.map(({ network, asset, decimals, rate, ...units }) => ({
        reconciliation_id: id,
        network_name: network,
        asset,
        decimals,
        unexplained: String(units.unexplained),
        uncovered: String(units.uncovered),
        difference: String(units.difference),
        accepted: String(units.accepted),
        dollars: rate === null ? null : textOfRate(rate),
      })),
    )
    .execute()
  const lines = judged.flatMap(({ network, asset, lines: all }) =>
    all.map(({ account, chain, booked, pending, unopened }) => ({
      reconciliation_id: id,
      network_name: network,
      asset,
      account,
      chain: String(chain),
      booked: String(booked),
      pending: String(pending),
      unopened: String(unopened),
    })),
  )
  if (lines.length > 0) await db.insertInto('reconciled_lines').values(lines).execute()
}
