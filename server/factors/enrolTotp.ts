import { refusal } from '@pool/contract/refusals'
import { sql } from 'kysely'
import type { MailContext } from '../mail/send.ts'
import type { Caller } from '../sessions/actor.ts'
import { addFactor, type Owner } from './addFactor.ts'
import { base32Of, enrolmentOf, newPlace, otpauthUri, placeOf, secretOf } from './secrets.ts'
import { stepAt, stepOf } from './totp.ts'

/** Returns the secret of a new authenticator app. Stores nothing. */
export const beginTotp = ({ config, keys }: MailContext, { id: userId, name }: Caller) => {
  const place = newPlace(keys)
  const secret = secretOf(keys, userId, place)
  if (!secret) throw new Error('There is no key for a new secret.')
  return {
    enrolment: enrolmentOf(place),
    secret: base32Of(secret),
    uri: otpauthUri(secret, config.productName, name),
  }
}

export type Confirmation = {
  readonly enrolment: string
  readonly name: string
  readonly code: string
}

/** Adds an authenticator app by its first code. Throws `factorWrong` for another code. */
export const confirmTotp = async (
  context: MailContext,
  owner: Owner,
  { enrolment, name, code }: Confirmation,
): Promise<string[]> => {
  const place = placeOf(enrolment)
  const secret = place && secretOf(context.keys, owner.by.id, place)
  const last_step = secret && stepOf(secret, code, stepAt(await secondsNow(context)))
  if (!place || last_step === undefined) throw refusal('factorWrong')
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
