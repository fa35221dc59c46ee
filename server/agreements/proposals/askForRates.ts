/** The call of staff that sets a rate. In live mode a second member of staff has a say. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { type Rate, rateFrom, textOfRate } from '@pool/contract/chain/rates'
import type { MailContext } from '../../accounts/mail/send.ts'
import { shareLock } from '../../base/locks.ts'
import { insertSetRate } from '../../chain/rates/rates.ts'
import { type ProposalAsker, propose } from './ask.ts'

/**
 * Sets a rate, or asks for it in live mode. The dollars are decimal text. Throws `rateAsked` while
 * another one waits, and `rateNeedsTwo` without a second person.
 */
export const setRate = (
  context: MailContext,
  { by, language }: ProposalAsker,
  { coin, dollars: typed }: PayloadOf<'SET_RATE'>,
): Promise<{ readonly id: string; readonly waits?: true }> =>
  context.db.transaction().execute(async (transaction) => {
    await shareLock(transaction, 'groups')
    // The call checked its form.
    const dollars = textOfRate(rateFrom(typed) as Rate)
    if (context.config.poolMode !== 'live')
      return {
        id: await insertSetRate(transaction, context.keys, { coin, dollars, setBy: by.id, by }),
      }
    const { id } = await propose(
      { transaction, context, by },
      { by: by.id, language },
      { kind: 'SET_RATE', reason: '', coin, dollars },
    )
    return { id, waits: true }
  })
