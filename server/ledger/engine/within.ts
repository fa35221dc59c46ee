/** Posts an operation in the transaction of its caller, beside rows that the caller writes. */
import { refusal } from '@pool/contract/base/refusals'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Outcome, Posted, Query } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import { isBooked, readUses, type Using } from '../families/uses.ts'
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

/** Sends the ledger's own statements outside its groups. */
export const queryOf =
  (db: Kysely<Schema>): Query =>
  async <Row>(_name: string, text: string, values: readonly unknown[] = []) =>
    (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[]

/** Throws `transactionBooked` of an act that the ledger would refuse by what rests on its coins. */
export const requireUnbooked = async (db: Kysely<Schema>, using: Using): Promise<void> => {
  const uses = await readUses(queryOf(db), [using])
  if (isBooked(using, uses)) throw refusal('transactionBooked')
}
