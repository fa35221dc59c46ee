import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import type { MailContext } from '../mail/send.ts'
import { addFactor, type Owner } from './addFactor.ts'
import { newEnrolment, placeOf } from './enrolments.ts'
import { admitGuess, guessSucceeded } from './guesses.ts'
import { base32Of, newPlace, otpauthUri, secretOf } from './secrets.ts'
import { stepAt, stepOf } from './totp.ts'

/** Returns the secret of a new authenticator app. Stores nothing. */
export const beginTotp = ({ config, keys }: MailContext, by: Caller) => {
  const place = newPlace(keys)
  const secret = secretOf(keys, by.id, place)
  if (!secret) throw new Error('There is no key for a new secret.')
  return {
    enrolment: newEnrolment(keys, by, place),
    secret: base32Of(secret),
    uri: otpauthUri(secret, config.productName, by.name),
  }
}

export type Confirmation = {
  readonly enrolment: string
  readonly name: string
  readonly code: string
}

/**
 * Adds an authenticator app by its first code. A wrong code counts as a guess. Throws
 * `enrolmentEnded`, `factorWrong` for another code, and `tooManyGuesses`.
 */
export const confirmTotp = async (
  context: MailContext,
  owner: Owner,
  { enrolment, name, code }: Confirmation,
): Promise<string[]> => {
  const { db, keys } = context
  const userId = owner.by.id
  const place = placeOf(keys, owner.by, enrolment)
  const secret = place && secretOf(keys, userId, place)
  if (!secret) throw refusal('enrolmentEnded')
  await admitGuess(db, userId)
  const last_step = stepOf(secret, code, stepAt(await secondsNow(context)))
  if (last_step === undefined) throw refusal('factorWrong')
  await guessSucceeded(db, userId)
  const { id, keyId: key_id } = place
  return addFactor(context, owner, { id, kind: 'TOTP', name, key_id, last_step: BigInt(last_step) })
}

/** Seconds since 1970 by the database's clock, which all nodes share. */
export const secondsNow = async ({ db }: Pick<MailContext, 'db'>): Promise<number> => {
  const { rows } = await sql<{
    seconds: number
  }>`SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds`.execute(db)
  return rows[0]?.seconds ?? 0
}
