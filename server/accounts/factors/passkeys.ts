/** Passkeys (WebAuthn). The library that checks them loads with the first one. */
import type { PasskeyOptions, PasskeyResponse } from '@pool/contract/accounts/factors'
import { refusal } from '@pool/contract/base/refusals'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import type { MailContext } from '../mail/send.ts'
import { addFactor, type Owner } from './addFactor.ts'
import { CHALLENGE_MS, type For, isOpen, newChallenge, useChallenge } from './challenges.ts'

const library = () => import('@simplewebauthn/server')

/** Ed25519, ES256 and RS256, by their numbers in COSE: what devices have. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey belongs to the host name of the product. */
const rpIdOf = (origin: string): string => new URL(origin).hostname

const passkeysOf = (db: Kysely<Schema>, userId: string) =>
  db
    .selectFrom('factors')
    .select(['id', 'credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'PASSKEY')
    .execute()

const credentialsOf = async (db: Kysely<Schema>, userId: string) =>
  (await passkeysOf(db, userId)).map(({ credential_id, transports }) => ({
    id: (credential_id ?? Buffer.alloc(0)).toString('base64url'),
    transports: transports ?? [],
  }))

/** Options for a browser that makes a new passkey. */
export const beginPasskey = async (
  { config, db, keys }: MailContext,
  { id: userId, name, session }: Caller,
  origin: string,
): Promise<PasskeyOptions> => {
  const { generateRegistrationOptions } = await library()
  return {
    ...(await generateRegistrationOptions({
      rpName: config.productName,
      rpID: rpIdOf(origin),
      userName: name,
      userID: Uint8Array.from(Buffer.from(userId)),
      challenge: newChallenge(keys, { purpose: 'add', userId, session }),
      timeout: CHALLENGE_MS,
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: await credentialsOf(db, userId),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })),
  }
}

type NewPasskey = {
  readonly name: string
  readonly response: PasskeyResponse
  readonly origin: string
}

/** Adds a passkey that a browser has made. Throws `passkeyRefused`. */
export const confirmPasskey = async (
  context: MailContext,
  owner: Owner,
  { name, response, origin }: NewPasskey,
): Promise<string[]> => {
  const { id: userId, session } = owner.by
  const use = { purpose: 'add', userId, session } as const
  const made = await checkNew(context, use, { response, origin })
  if (!made) throw refusal('passkeyRefused')
  return addFactor(context, owner, {
    id: newId(),
    kind: 'PASSKEY',
    name,
    credential_id: Buffer.from(made.id, 'base64url'),
    public_key: Buffer.from(made.publicKey),
    counter: BigInt(made.counter),
    transports: made.transports ?? [],
  })
}

type Signed = { readonly response: PasskeyResponse; readonly origin: string }

const textOf = (challenge: string): string => Buffer.from(challenge, 'base64url').toString()

/** The new passkey in a response. Undefined for one that proves nothing. */
const checkNew = async ({ db, keys }: MailContext, use: For, { response, origin }: Signed) => {
  const { verifyRegistrationResponse } = await library()
  let challenge = ''
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: (given) => {
      challenge = textOf(given)
      return isOpen(keys, challenge, use)
    },
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refused)
  return registrationInfo && (await useChallenge(db, challenge))
    ? registrationInfo.credential
    : undefined
}

/** The library throws for every fault of a response. */
const refused = () => ({ registrationInfo: undefined, authenticationInfo: undefined })

/** Options for a browser that proves a passkey of a user, or of any user without one. */
export const passkeyOptions = async (
  { db, keys }: Pick<MailContext, 'db' | 'keys'>,
  use: For,
  origin: string,
): Promise<PasskeyOptions> => {
  const { generateAuthenticationOptions } = await library()
  const { userId } = use
  return {
    ...(await generateAuthenticationOptions({
      rpID: rpIdOf(origin),
      challenge: newChallenge(keys, use),
      timeout: CHALLENGE_MS,
      // Without a password, the device must know its owner.
      userVerification: userId === undefined ? 'required' : 'preferred',
      ...(userId !== undefined && { allowCredentials: await credentialsOf(db, userId) }),
    })),
  }
}

/** A passkey that proved its user, with the moment of its making. */
export type UsedPasskey = { readonly userId: string; readonly madeAt: Date }

/** Uses a passkey. Returns undefined for a response that proves nothing. */
export const usePasskey = async (
  { db, keys }: Pick<MailContext, 'db' | 'keys'>,
  use: For,
  { response, origin }: Signed,
): Promise<UsedPasskey | undefined> => {
  const passkey = await db
    .selectFrom('factors')
    .select(['id', 'user_id', 'public_key', 'counter', 'created_at'])
    .where('credential_id', '=', Buffer.from(response.id, 'base64url'))
    .executeTakeFirst()
  if (!passkey?.public_key || passkey.counter === null) return undefined
  if (use.userId !== undefined && passkey.user_id !== use.userId) return undefined
  const { verifyAuthenticationResponse } = await library()
  let challenge = ''
  const { authenticationInfo } = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: (given) => {
      challenge = textOf(given)
      return isOpen(keys, challenge, use)
    },
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    credential: {
      id: response.id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: Number(passkey.counter),
    },
    requireUserVerification: use.userId === undefined,
  })
    .then((checked) => (checked.verified ? checked : refused()))
    .catch(refused)
  if (!authenticationInfo || !(await useChallenge(db, challenge))) return undefined
  const counter = BigInt(authenticationInfo.newCounter)
  const { numUpdatedRows } = await db
    .updateTable('factors')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', passkey.id)
    // Another use may have counted further. Zero is a device that does not count.
    .where(sql<boolean>`(counter < ${counter} OR counter = 0 AND ${counter} = 0)`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? { userId: passkey.user_id, madeAt: passkey.created_at } : undefined
}
