import { type FactorKind, MOST_FACTORS } from '@pool/contract/accounts/factors'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import type { Insertable, Kysely } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { requireThawed } from '../../base/sessions/frozen.ts'
import { noteFactor } from '../../base/sessions/sessions.ts'
import { record } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { recordFactorChange } from '../recovery/recordFactorChange.ts'
import { stopReset } from '../recovery/stopReset.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { codesDigest, factorDigest } from './digests.ts'
import { factorsOf } from './queries.ts'
import { renewCodes } from './recoveryCodes.ts'
import { isLeaked } from './secrets.ts'

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
 * Adds a proven factor, which takes the place of apps whose key leaked. The first one brings
 * recovery codes, which are returned. Both take the account back. Throws `accountFrozen`.
 */
export const addFactor = (
  context: MailContext,
  { by, language }: Owner,
  factor: NewFactor,
): Promise<string[]> =>
  endingSessions(context.db, async (transaction) => {
    const { session } = by
    const factors = await factorsOf(transaction, by.id)
    const leaked = factors.filter(({ keyId }) => isLeaked(context.keys, keyId))
    const isFirst = factors.length === 0
    // Ends sessions after the user's row is locked and before the freeze is looked for, as all who
    // end sessions do. In another order, two nodes would wait for each other.
    if (isFirst || leaked.length > 0) await trustFactors(transaction, context, by)
    await requireThawed(transaction, by.id)
    if (factors.length - leaked.length >= MOST_FACTORS) throw refusal('tooManyFactors')
    await removeLeaked(transaction, context, { by, leaked })
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
    if (session !== undefined)
      await noteFactor({ db: transaction, keys: context.keys }, { hash: session, userId: by.id })
    const recoveryCodes = isFirst ? await renewCodes(transaction, by.id) : []
    const digest = await factorDigest(transaction, factor.id)
    const codes = isFirst ? await codesDigest(transaction, by.id) : undefined
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.added',
      change: changes[factor.kind],
      after: { kind: factor.kind, name: factor.name, digest, codes },
    })
    return recoveryCodes
  })

/** Ends what others may have begun before the factors could be trusted. This session goes on. */
export const trustFactors = (transaction: Kysely<Schema>, context: MailContext, by: Caller) =>
  takeBack(transaction, context, { userId: by.id, by, act: 'factorTrusted', kept: by.session })

type Replaced = {
  readonly by: Caller
  readonly leaked: Awaited<ReturnType<typeof factorsOf>>
}

/** Removes apps whose key leaked. The mail about the new factor tells of the change. */
const removeLeaked = async (
  transaction: Kysely<Schema>,
  { keys }: MailContext,
  { by, leaked }: Replaced,
): Promise<void> => {
  for (const { id, kind, name } of leaked) {
    const digest = await factorDigest(transaction, id)
    await transaction.deleteFrom('factors').where('id', '=', id).execute()
    await record(transaction, keys, {
      by,
      action: 'factor.removed',
      subject: { type: 'user', id: by.id },
      ownerId: by.id,
      before: { kind, name, digest },
    })
  }
}
