/** Rates that two members of staff set (docs/decisions/046). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { insertSetRate } from '../../chain/rates/rates.ts'
import type { Rules } from './kind.ts'

const facts = ({ coin, dollars }: PayloadOf<'SET_RATE'>) => ({ coin, dollars })

export const setRate: Rules<'SET_RATE'> = {
  about: ({ coin }) => ({ subject: coin, userId: null }),
  facts,
  again: 'rateAsked',
  apply: async ({ transaction, context, by }, { id, payload, alone, askedBy }) => {
    // A price cannot rest, so it always takes two.
    if (alone) throw refusal('rateNeedsTwo')
    const { asked_at } = await transaction
      .selectFrom('proposals')
      .select('asked_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await insertSetRate(transaction, context.keys, {
      ...payload,
      setBy: askedBy,
      at: asked_at,
      agreedId: id,
      by,
    })
  },
}
