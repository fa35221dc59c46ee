/** Forgets what an absurd answer of a node left behind (docs/chains.md, "Beginning again"). */
import type { NetworkName } from '@pool/contract/base/networks'
import { sql } from 'kysely'
import type { Actor } from '../../base/sessions/actor.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import type { BlockName, Node } from './node.ts'
import { goBackTo, keptBlocks } from './payments.ts'

type NewBeginning = {
  readonly network: NetworkName
  readonly node: Node
  /** The block to begin above. Without one, the highest read block that the node has. */
  readonly from: number | undefined
  readonly by: Actor
  readonly reason: string
  /** The super admin who agreed. Missing in a sandbox. */
  readonly agreedBy?: string | undefined
}

/**
 * Lets a network be read again above a block of the node. Payments above it wait to be found again.
 * Nothing is taken back by it. Throws a `NodeFault`, and an `Error` for a block that is not there.
 */
export const beginAgain = async (
  { db, keys }: OnRecord,
  { network, node, from, by, reason, agreedBy }: NewBeginning,
): Promise<BlockName> => {
  await node.check()
  const kept = await keptBlocks(db, network)
  const block = from === undefined ? await highestOn(node, kept) : await blockAt(node, from)
  const [top] = kept
  if (top && block.height > top.height)
    throw new Error(`Block ${block.height} is above block ${top.height}, up to which was read.`)
  await goBackTo({ db, keys }, network, block.height)
  await db.transaction().execute(async (transaction) => {
    await sql`DELETE FROM chain_blocks WHERE network_name = ${network}`.execute(transaction)
    await transaction
      .insertInto('chain_blocks')
      .values({ network_name: network, height: BigInt(block.height), hash: block.hash })
      .execute()
    await sql`
      UPDATE chains SET state = 'UNCHECKED', words = '', since = now(), height = NULL, head_hash = NULL,
        height_since = NULL, read_height = ${block.height}, final_height = NULL, final_since = NULL
      WHERE network_name = ${network}`.execute(transaction)
    await record(transaction, keys, {
      by,
      action: 'chain.reset',
      subject: { type: 'chain', id: network },
      before: { height: top?.height },
      after: { networkName: network, height: block.height, agreedBy },
      reason,
    })
  })
  return block
}

const highestOn = async (node: Node, kept: readonly BlockName[]): Promise<BlockName> => {
  for (const block of kept) if ((await node.hashAt(block.height)) === block.hash) return block
  throw new Error('The node has none of the blocks that were read. Name one of its blocks: --from')
}

const blockAt = async (node: Node, height: number): Promise<BlockName> => {
  const hash = await node.hashAt(height)
  if (hash === undefined) throw new Error(`The node has no block ${height}.`)
  return { height, hash }
}
