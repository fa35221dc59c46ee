import { languages } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import type { Actor } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import type { MailContext } from '../mail/send.ts'
import { recordFactorChange } from '../recovery/recordFactorChange.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { factorsOf } from './queries.ts'
import { forgetCodes } from './recoveryCodes.ts'

type Reset = { readonly email: string; readonly by: Actor }

/**
 * Removes all factors and recovery codes of a user, and ends their sessions. Returns the number of
 * factors. Throws `userNotFound`.
 */
export const resetFactors = (context: MailContext, { email, by }: Reset): Promise<number> =>
  endingSessions(context.db, async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select('id')
      .where('username', '=', email.trim().toLowerCase())
      .executeTakeFirst()
    if (!user) throw refusal('userNotFound')
    const factors = await factorsOf(transaction, user.id)
    if (factors.length === 0) return 0
    await transaction.deleteFrom('factors').where('user_id', '=', user.id).execute()
    await forgetCodes(transaction, user.id)
    await takeBack(transaction, context, { userId: user.id, by, act: 'factorsReset' })
    await recordFactorChange(transaction, context, {
      userId: user.id,
      by,
      language: languages[0],
      action: 'factor.reset',
      change: 'reset',
      before: { factors: factors.map(({ kind, name }) => `${kind} ${name}`) },
    })
    return factors.length
  })
