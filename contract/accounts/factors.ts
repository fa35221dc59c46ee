/** Second factors, and the calls that enrol and prove them. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { passwordSchema, textSchema } from '../base/fields.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** An authenticator app (RFC 6238), or a passkey (WebAuthn). */
export const factorKinds = ['TOTP', 'PASSKEY'] as const
export type FactorKind = (typeof factorKinds)[number]

/** Minutes for which a proven factor serves calls with `stepUp`. */
export const FACTOR_MINUTES = 5
/** Most factors of a user. Each authenticator app makes a guess more likely. */
export const MOST_FACTORS = 5
/** Recovery codes of a user with a factor. Each works once. */
export const RECOVERY_CODES = 10

/**
 * A response of a browser's authenticator. The server hands it to its WebAuthn library, which
 * checks all of it.
 */
export const passkeyResponseSchema = z.looseObject({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(10_000) }),
  clientExtensionResults: z.looseObject({}),
})
export type PasskeyResponse = z.infer<typeof passkeyResponseSchema>

/** Options for the browser's WebAuthn, in the form of its JSON. */
const passkeyOptionsSchema = z.looseObject({ challenge: z.string() })
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>

const codeSchema = z.string().max(100)

/** The proof of a factor, or a recovery code in its place. */
export const factorAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('TOTP'), code: codeSchema }),
  z.object({ kind: z.literal('RECOVERY_CODE'), code: codeSchema }),
  z.object({ kind: z.literal('PASSKEY'), response: passkeyResponseSchema }),
])
export type FactorAnswer = z.infer<typeof factorAnswerSchema>

export const factorSchema = z.object({
  id: idSchema,
  kind: z.enum(factorKinds),
  name: z.string(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  /** The key of this app leaked. The next factor that is added takes its place. */
  leaked: z.boolean(),
})
export type Factor = z.infer<typeof factorSchema>

const FACTORS = '/api/v1/user/factors'
const nameSchema = textSchema(60).pipe(z.string().min(1))
/** The first factor needs the password. Later ones need a factor. */
const beginSchema = z.object({ password: passwordSchema.optional() })
/** New recovery codes, shown once. Empty when the user keeps those from before. */
const codesSchema = z.object({ recoveryCodes: z.array(z.string()) })

export const listFactors = {
  method: 'GET',
  path: FACTORS,
  access: 'user',
  withoutFactor: true,
  summary: "List the caller's second factors",
  body: z.object({
    factors: z.array(factorSchema),
    /** The recovery codes that are left. */
    recoveryCodes: z.number().int(),
    /** Staff in live mode must have a factor. */
    required: z.boolean(),
  }),
} as const satisfies Endpoint

export const beginTotp = {
  method: 'POST',
  path: `${FACTORS}/totp`,
  access: 'user',
  ownAccount: true,
  withoutFactor: true,
  stepUp: true,
  summary: 'Begin to add an authenticator app. Nothing is stored before the first code',
  payload: beginSchema,
  body: z.object({
    enrolment: z.string(),
    /** The secret in base32, to type. */
    secret: z.string(),
    /** The secret as an `otpauth` URI, to scan. */
    uri: z.string(),
  }),
} as const satisfies Endpoint

export const confirmTotp = {
  method: 'POST',
  path: `${FACTORS}/totp/confirm`,
  access: 'user',
  ownAccount: true,
  withoutFactor: true,
  stepUp: true,
  summary: 'Add the authenticator app by its first code',
  payload: z.object({ enrolment: z.string().max(200), name: nameSchema, code: codeSchema }),
  body: codesSchema,
} as const satisfies Endpoint

export const beginPasskey = {
  method: 'POST',
  path: `${FACTORS}/passkey`,
  access: 'user',
  ownAccount: true,
  withoutFactor: true,
  stepUp: true,
  summary: 'Begin to add a passkey. Nothing is stored before it is made',
  payload: beginSchema,
  body: passkeyOptionsSchema,
} as const satisfies Endpoint

export const confirmPasskey = {
  method: 'POST',
  path: `${FACTORS}/passkey/confirm`,
  access: 'user',
  ownAccount: true,
  withoutFactor: true,
  stepUp: true,
  summary: 'Add the passkey that the browser has made',
  payload: z.object({ name: nameSchema, response: passkeyResponseSchema }),
  body: codesSchema,
} as const satisfies Endpoint

export const renameFactor = {
  method: 'PUT',
  path: `${FACTORS}/{id}`,
  access: 'user',
  ownAccount: true,
  stepUp: true,
  summary: 'Rename a second factor',
  params: z.object({ id: idSchema }),
  payload: z.object({ name: nameSchema }),
  body: z.null(),
} as const satisfies Endpoint

export const removeFactor = {
  method: 'DELETE',
  path: `${FACTORS}/{id}`,
  access: 'user',
  ownAccount: true,
  stepUp: true,
  summary: 'Remove a second factor. The recovery codes go with the last one',
  params: z.object({ id: idSchema }),
  body: z.null(),
} as const satisfies Endpoint

export const renewRecoveryCodes = {
  method: 'POST',
  path: `${FACTORS}/recovery-codes`,
  access: 'user',
  ownAccount: true,
  stepUp: true,
  summary: 'Replace the recovery codes by new ones',
  body: codesSchema,
} as const satisfies Endpoint

export const passkeyOptions = {
  method: 'POST',
  path: '/api/v1/user/factor/passkey',
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  withoutFactor: true,
  summary: "Options for the browser to prove one of the caller's passkeys",
  body: passkeyOptionsSchema,
} as const satisfies Endpoint

/** Proves a factor again, for calls with `stepUp`. */
export const proveFactor = {
  method: 'POST',
  path: '/api/v1/user/factor',
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  withoutFactor: true,
  summary: `Prove a second factor. Calls that ask for it are open for ${FACTOR_MINUTES} minutes`,
  payload: factorAnswerSchema,
  body: z.null(),
} as const satisfies Endpoint

export const passkeySignInOptions = {
  method: 'POST',
  path: '/api/v1/public/users/login/passkey/options',
  access: 'public',
  summary: 'Options for the browser to sign in by a passkey alone',
  body: passkeyOptionsSchema,
} as const satisfies Endpoint
