import type { FactorAnswer, PasskeyResponse } from '@pool/contract/accounts/factors'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { recordFactorChange } from '../recovery/recordFactorChange.ts'
import { secondsNow } from './enrolTotp.ts'
import { admitGuess, guessSucceeded } from './guesses.ts'
import { usePasskey } from './passkeys.ts'
import { useCode } from './recoveryCodes.ts'
import { completeReset, stopOwnReset } from './resets.ts'
import { isLeaked, secretOf } from './secrets.ts'
import { stepAt, stepOf } from './totp.ts'

/** The person who answers, and where the product is reached. */
export type Answering = {
  readonly by: Caller
  readonly language: Language
  readonly origin: string
}

/** A used factor. One that is leaked lets its user in to replace it, and proves nothing. */
export type Proof = { readonly madeAt: Date; readonly isLeaked: boolean }

/**
 * Uses a factor, which stops a reset of factors unless its key leaked. Throws `factorWrong`,
 * `passkeyRefused`, `tooManyGuesses`, and `unauthenticated` after a reset.
 */
export const proveFactor = async (
  context: MailContext,
  answering: Answering,
  answer: FactorAnswer,
): Promise<Proof> => {
  const { by } = answering
  if (await completeReset(context, by.id)) throw refusal('unauthenticated')
  const proof = await use(context, answering, answer)
  if (proof) {
    if (!proof.isLeaked) await stopOwnReset(context, by)
    return proof
  }
  await record(context.db, context.keys, {
    by,
    action: 'factor.refused',
    subject: { type: 'user', id: by.id },
    ownerId: by.id,
  })
  throw refusal(answer.kind === 'PASSKEY' ? 'passkeyRefused' : 'factorWrong')
}

/** Uses what was shown. Returns undefined for a wrong answer. */
const use = (
  context: MailContext,
  answering: Answering,
  answer: FactorAnswer,
): Promise<Proof | undefined> => {
  switch (answer.kind) {
    case 'TOTP':
      return useTotp(context, answering.by.id, answer.code)
    case 'RECOVERY_CODE':
      return useRecovery(context, answering, answer.code)
    case 'PASSKEY':
      return provePasskey(context, answering, answer.response)
  }
}

const provePasskey = async (
  context: MailContext,
  { by, origin }: Answering,
  response: PasskeyResponse,
): Promise<Proof | undefined> => {
  const used = await usePasskey(context, { purpose: 'prove', userId: by.id }, { response, origin })
  return used && { madeAt: used.madeAt, isLeaked: false }
}

/** Uses a code of one of the user's authenticator apps. Each step works once. */
const useTotp = async (
  context: MailContext,
  userId: string,
  code: string,
): Promise<Proof | undefined> => {
  const { db, keys } = context
  await admitGuess(db, userId)
  const apps = await db
    .selectFrom('factors')
    .select(['id', 'key_id', 'created_at'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'TOTP')
    .execute()
  const now = stepAt(await secondsNow(context))
  for (const { id, key_id, created_at } of apps) {
    const secret = secretOf(keys, userId, { id, keyId: key_id ?? '' })
    const step = secret && stepOf(secret, code, now)
    if (step === undefined) continue
    const { numUpdatedRows } = await db
      .updateTable('factors')
      .set({ last_step: BigInt(step), last_used_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('last_step', '<', BigInt(step))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return undefined
    await guessSucceeded(db, userId)
    return { madeAt: created_at, isLeaked: isLeaked(keys, key_id) }
  }
  return undefined
}

/** Uses a recovery code and tells its owner, who may not have used it. */
const useRecovery = (
  context: MailContext,
  { by, language }: Answering,
  code: string,
): Promise<Proof | undefined> =>
  context.db.transaction().execute(async (transaction) => {
    const madeAt = await useCode(transaction, by.id, code)
    if (!madeAt) return undefined
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.codeUsed',
      change: 'codeUsed',
    })
    return { madeAt, isLeaked: false }
  })
