import { refusal } from '@pool/contract/refusals'
import type { MailContext } from '../mail/send.ts'
import type { Owner } from './addFactor.ts'
import { factorsOf } from './queries.ts'
import { recordFactorChange } from './recordFactorChange.ts'
import { forgetCodes, renewCodes } from './recoveryCodes.ts'

type Named = { readonly id: string; readonly name: string }

/** Renames a factor of the caller. Throws `factorNotFound`. */
export const renameFactor = (
  context: MailContext,
  { by, language }: Owner,
  { id, name }: Named,
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

/** Removes a factor of the caller. Throws `factorNotFound`, and `lastFactor` for a needed one. */
export const removeFactor = (
  context: MailContext,
  { by, language }: Owner,
  { id, required }: Removal,
): Promise<void> =>
  context.db.transaction().execute(async (transaction) => {
    const factors = await factorsOf(transaction, by.id)
    const factor = factors.find((each) => each.id === id)
    if (!factor) throw refusal('factorNotFound')
    const isLast = factors.length === 1
    if (isLast && required) throw refusal('lastFactor')
    await transaction.deleteFrom('factors').where('id', '=', id).execute()
    if (isLast) await forgetCodes(transaction, by.id)
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.removed',
      change: 'removed',
      before: { kind: factor.kind, name: factor.name },
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
    })
    return codes
  })
