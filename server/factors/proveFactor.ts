import type { FactorAnswer, PasskeyResponse } from '@pool/contract/factors'
import type { Language } from '@pool/contract/languages'
import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import { record } from '../audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { secondsNow } from './enrolTotp.ts'
import { admitGuess, guessSucceeded } from './guesses.ts'
import { usePasskey } from './passkeys.ts'
import { recordFactorChange } from './recordFactorChange.ts'
import { useCode } from './recoveryCodes.ts'
import { completeReset, stopOwnReset } from './resets.ts'
import { secretOf } from './secrets.ts'
import { stepAt, stepOf } from './totp.ts'

/** The person who answers, and where the product is reached. */
export type Answering = {
  readonly by: Caller
  readonly language: Language
  readonly origin: string
}

/**
 * Checks a factor's answer and uses it up, which stops a reset of the factors. Throws `factorWrong`
 * or `passkeyRefused`, `tooManyGuesses`, and `unauthenticated` after a reset of all factors.
 */
export const proveFactor = async (
  context: MailContext,
  answering: Answering,
  answer: FactorAnswer,
): Promise<void> => {
  const { by } = answering
  if (await completeReset(context, by.id)) throw refusal('unauthenticated')
  if (await isRight(context, answering, answer)) return stopOwnReset(context, by)
  await record(context.db, context.keys, {
    by,
    action: 'factor.refused',
    subject: { type: 'user', id: by.id },
    ownerId: by.id,
  })
  throw refusal(answer.kind === 'PASSKEY' ? 'passkeyRefused' : 'factorWrong')
}

const isRight = (
  context: MailContext,
  answering: Answering,
  answer: FactorAnswer,
): Promise<boolean> => {
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
): Promise<boolean> =>
  (await usePasskey(context, { purpose: 'prove', userId: by.id }, { response, origin })) === by.id

/** Uses a code of one of the user's authenticator apps. Each step works once. */
const useTotp = async (context: MailContext, userId: string, code: string): Promise<boolean> => {
  const { db, keys } = context
  await admitGuess(db, userId)
  const apps = await db
    .selectFrom('factors')
    .select(['id', 'key_id'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'TOTP')
    .execute()
  const now = stepAt(await secondsNow(context))
  for (const { id, key_id } of apps) {
    const secret = secretOf(keys, userId, { id, keyId: key_id ?? '' })
    const step = secret && stepOf(secret, code, now)
    if (step === undefined) continue
    const { numUpdatedRows } = await db
      .updateTable('factors')
      .set({ last_step: BigInt(step), last_used_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('last_step', '<', BigInt(step))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await guessSucceeded(db, userId)
    return true
  }
  return false
}

/** Uses a recovery code and tells its owner, who may not have used it. */
const useRecovery = (
  context: MailContext,
  { by, language }: Answering,
  code: string,
): Promise<boolean> =>
  context.db.transaction().execute(async (transaction) => {
    if (!(await useCode(transaction, by.id, code))) return false
    await recordFactorChange(transaction, context, {
      userId: by.id,
      by,
      language,
      action: 'factor.codeUsed',
      change: 'codeUsed',
    })
    return true
  })
