/** Posts an operation in the transaction of its caller, beside rows that the caller writes. */
import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Outcome, Posted } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import { type GroupClient, readFacts } from './facts.ts'
import { refusalFor } from './ledger.ts'
import { decideBy } from './postGroup.ts'
import { writes } from './write.ts'

const clientOn = (transaction: Kysely<Schema>): GroupClient => ({
  query: (asked) => {
    const { text, values = [] } = typeof asked === 'string' ? { text: asked } : asked
    return transaction.executeQuery(CompiledQuery.raw(text, values))
  },
})

/**
 * Posts an operation as a group by itself would, and leaves the commit to the caller. Throws as
 * `Ledger.post` does. After an error of the database the transaction must be rolled back.
 */
export const postIn = async (
  transaction: Kysely<Schema>,
  operation: Operation,
): Promise<Posted> => {
  const client = clientOn(transaction)
  const facts = await readFacts(client, [operation], '')
  const { verdicts } = await decideBy(client, [operation], facts)
  const outcome = outcomeOf(verdicts)
  if ('refused' in outcome) throw refusalFor(outcome, operation)
  await Promise.all(writes(client, [operation], facts, verdicts))
  return outcome
}

const outcomeOf = ([verdict]: readonly { readonly outcome: Outcome }[]): Outcome => {
  if (!verdict) throw new Error('an operation has an outcome')
  return verdict.outcome
}
