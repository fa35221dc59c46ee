import type { Pool, PoolClient } from 'pg'
import { boundCommit } from '../../base/db/connection.ts'
import { inOneWrite } from '../../base/db/inOneWrite.ts'
import type { Outcome } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import { answerAtOnce, decide, type Verdict } from './decide.ts'
import { type GroupClient, type GroupFacts, prepare, readFacts } from './facts.ts'
import { writeAndCommit } from './write.ts'

/** Longest wait for a commit. A stop waits for it, so it is shorter than `STOP_SECONDS`. */
const COMMIT_TIMEOUT_MS = 15_000

/**
 * Posts a group in one transaction. Returns the outcomes by position. Rejects with the database's
 * error; {@link isBeforeWriting} tells those that came before any write.
 */
export const postGroup = async (
  pool: Pool,
  operations: readonly Operation[],
  commitTimeout = COMMIT_TIMEOUT_MS,
): Promise<readonly Outcome[]> => {
  const client = await pool.connect().catch(markBeforeWriting)
  try {
    const { facts, verdicts } = await decideGroup(client, operations).catch(markBeforeWriting)
    const committing = inOneWrite(client, () => writeAndCommit(client, operations, facts, verdicts))
    await boundCommit(client, commitTimeout, committing)
    client.release()
    return verdicts.map(({ outcome }) => outcome)
  } catch (error) {
    await abandon(client)
    throw error
  }
}

type Decided = { readonly facts: GroupFacts; readonly verdicts: readonly Verdict[] }

const decideGroup = async (
  client: PoolClient,
  operations: readonly Operation[],
): Promise<Decided> => {
  const facts = await inOneWrite(client, () => readFacts(client, operations))
  return decideBy(client, operations, facts)
}

/** Decides a group by its facts. */
export const decideBy = async (
  client: GroupClient,
  operations: readonly Operation[],
  facts: GroupFacts,
): Promise<Decided> => {
  const answered = answerAtOnce(operations, facts)
  const undecided = operations.filter((_, position) => answered[position] === undefined)
  const refused = await prepare(client, undecided, facts)
  // These refusals leave the key free, as the ones before any rule do.
  const all = operations.map((each, position) => answered[position] ?? refused.get(each))
  return { facts, verdicts: decide(operations, facts, all) }
}

const beforeWriting = new WeakSet<Error>()

const markBeforeWriting = (error: unknown): never => {
  if (error instanceof Error) beforeWriting.add(error)
  throw error
}

/** True for an error of a group that came before it wrote anything. */
export const isBeforeWriting = (error: unknown): boolean =>
  error instanceof Error && beforeWriting.has(error)

/** Rolls back and keeps the connection, or closes it when it does not answer. */
const abandon = async (client: PoolClient): Promise<void> => {
  try {
    await client.query('ROLLBACK')
    client.release()
  } catch {
    client.release(true)
  }
}
