import { refusal } from '@pool/contract/base/refusals'
import { endingSessions } from '../../base/sessions/ending.ts'
import type { MailContext } from '../mail/send.ts'
import { recordFactorChange } from '../recovery/recordFactorChange.ts'
import { type Owner, trustFactors } from './addFactor.ts'
import { codesDigest, factorDigest } from './digests.ts'
import { factorsOf } from './queries.ts'
import { forgetCodes, renewCodes } from './recoveryCodes.ts'
import { isLeaked } from './secrets.ts'

type FactorName = { readonly id: string; readonly name: string }

/** Renames a factor of the caller. Throws `factorNotFound`. */
export const renameFactor = (
  context: MailContext,
  { by, language }: Owner,
  { id, name }: FactorName,
): Promise<void> =>
  context.db.transaction().execute(async (transaction) => {
    const factor = (await factorsOf(transaction, by.id)).find((each) => each.id === id)
    if (!factor) throw refusal('factorNotFound')
    if (factor.name === name) return
    await transaction.updateTable('factors').set({ name }).where('id', '=', id).execute()
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.renamed',
      change: 'renamed',
      before: { name: factor.name },
      after: { name },
    })
  })

/** The factor to remove. `required` refuses the last one. */
type Removal = { readonly id: string; readonly required: boolean }

/**
 * Removes a factor of the caller. One whose key leaked takes the account back, as it may have
 * started sessions. Throws `factorNotFound`, and `lastFactor` for a needed one.
 */
export const removeFactor = (
  context: MailContext,
  { by, language }: Owner,
  { id, required }: Removal,
): Promise<void> =>
  endingSessions(context.db, async (transaction) => {
    const factors = await factorsOf(transaction, by.id)
    const factor = factors.find((each) => each.id === id)
    if (!factor) throw refusal('factorNotFound')
    const others = factors.filter((each) => each !== factor)
    const isLast = others.length === 0
    if (required && others.every(({ keyId }) => isLeaked(context.keys, keyId)))
      throw refusal('lastFactor')
    if (isLeaked(context.keys, factor.keyId)) await trustFactors(transaction, context, by)
    const digest = await factorDigest(transaction, id)
    await transaction.deleteFrom('factors').where('id', '=', id).execute()
    if (isLast) await forgetCodes(transaction, by.id)
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.removed',
      change: 'removed',
      before: { kind: factor.kind, name: factor.name, digest },
    })
  })

/**
 * Replaces the caller's recovery codes and returns the new ones. Throws `factorNotFound` without a
 * factor.
 */
export const renewRecoveryCodes = (
  context: MailContext,
  { by, language }: Owner,
): Promise<string[]> =>
  context.db.transaction().execute(async (transaction) => {
    if ((await factorsOf(transaction, by.id)).length === 0) throw refusal('factorNotFound')
    const codes = await renewCodes(transaction, by.id)
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.codesRenewed',
      change: 'codesRenewed',
      after: { codes: await codesDigest(transaction, by.id) },
    })
    return codes
  })
