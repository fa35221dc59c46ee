import { type FactorKind, MOST_FACTORS } from '@pool/contract/factors'
import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import type { Insertable } from 'kysely'
import { violatedConstraint } from '../db/errors.ts'
import type { Schema } from '../db/schema.ts'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { requireThawed } from '../sessions/frozen.ts'
import { endSessionsOf, noteFactor } from '../sessions/sessions.ts'
import { factorsOf } from './queries.ts'
import { recordFactorChange } from './recordFactorChange.ts'
import { renewCodes } from './recoveryCodes.ts'
import { stopReset } from './resets.ts'

/** A caller who changes their own factors. */
export type Owner = { readonly by: Caller; readonly language: Language }

/** A factor of a user that was just proven, without its user. */
type NewFactor = Omit<Insertable<Schema['factors']>, 'user_id'> & { readonly kind: FactorKind }

const changes = { TOTP: 'totpAdded', PASSKEY: 'passkeyAdded' } as const
const refusals: Readonly<Record<string, 'passkeyKnown' | 'factorWrong'>> = {
  factors_credential_id_key: 'passkeyKnown',
  // The second confirmation of one enrolment.
  factors_pkey: 'factorWrong',
}

/**
 * Adds a proven factor. The first one brings recovery codes, which are returned, and ends the
 * user's other sessions, which were started without it. Throws `accountFrozen`.
 */
export const addFactor = (
  context: MailContext,
  { by, language }: Owner,
  factor: NewFactor,
): Promise<string[]> =>
  endingSessions(context.db, async (transaction) => {
    const { session } = by
    const count = (await factorsOf(transaction, by.id)).length
    // Ends sessions after the user's row is locked and before the freeze is looked for, as all who
    // end sessions do. In another order, two nodes would wait for each other.
    if (count === 0) await endSessionsOf(transaction, by.id, session)
    await requireThawed(transaction, by.id)
    if (count >= MOST_FACTORS) throw refusal('tooManyFactors')
    try {
      await transaction
        .insertInto('factors')
        .values({ ...factor, user_id: by.id })
        .execute()
    } catch (error) {
      const refused = refusals[violatedConstraint(error) ?? '']
      throw refused ? refusal(refused) : error
    }
    await stopReset(transaction, context, { userId: by.id, by })
    if (session !== undefined) await noteFactor(transaction, session)
    const recoveryCodes = count === 0 ? await renewCodes(transaction, by.id) : []
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.added',
      change: changes[factor.kind],
      after: { kind: factor.kind, name: factor.name },
    })
    return recoveryCodes
  })
