/** Watch-only keys, from which deposit addresses follow (docs/decisions/044). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { filledSchema, textSchema } from '../base/fields.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

/** Addresses of a key that wait for investors. Wallets look no further ahead than 20. */
export const ADDRESSES_AHEAD = 20

/** Addresses given in a row, none of which was paid, after which staff are warned. */
export const UNPAID_WARNING = 20

/** Addresses that a second person compares with the wallet. */
export const COMPARED = 5

const BASE58 = '[1-9A-HJ-NP-Za-km-z]'

/** Extended private keys, private keys of one address, and phrases of 12 to 24 words. */
const PRIVATE = [
  new RegExp(`(?<!${BASE58})[xyztuvYZUV]prv${BASE58}{20}`),
  new RegExp(`(?<!${BASE58})[5KLc9]${BASE58}{50,51}(?!${BASE58})`),
  /^\s*(0x)?[\da-f]{64}\s*$/i,
  /^\s*(\p{L}{2,12}[\s,]+){11,23}\p{L}{2,12}\s*$/u,
]

/** True for a private key or its words. Nothing sends or keeps such a text. */
export const isPrivate = (text: string): boolean => PRIVATE.some((form) => form.test(text))

const PUBLIC = new RegExp(`(?<!${BASE58})[xyztuvYZUV]pub${BASE58}{50}`)

/** True for a text with an extended public key. A form sends and keeps no other. */
export const isPublic = (text: string): boolean => PUBLIC.test(text) && !isPrivate(text)

/** Reasons to refuse the text of a key, with what to do. */
export const keyProblems = {
  private:
    'This is a private key, or the words of one. Whoever reads it can take all coins. Never paste it anywhere. It was not stored. Move the coins to a new wallet, and paste the public key of that one.',
  underivable:
    'No public key of this network gives addresses. Please add a list of addresses instead.',
  unreadable:
    'This is no public key of an account. Please copy the descriptor, or the key that begins with xpub or zpub, from the wallet again.',
  checksum:
    'The checksum of this descriptor is wrong, so some of it is missing or changed. Please copy it from the wallet again.',
  script:
    'Addresses of this kind are not derived. Please take the descriptor that begins with wpkh, or a key that begins with zpub: native segwit.',
  branch:
    'This descriptor gives addresses for change. Please take the one that ends with /0/* or /<0;1>/*.',
  depth:
    'This is not the key of an account. Please take the one of the path 84h/0h/0h for Bitcoin, 44h/60h/0h for the others.',
  otherNetwork: 'This is a key of another network. Please take the key of this network.',
} as const
export type KeyProblem = keyof typeof keyProblems

const pastedSchema = z.object({
  networkName: filledSchema,
  key: z
    .string({ error: () => validation.fillAllFields })
    .pipe(textSchema().min(1, validation.fillAllFields)),
})

const readSchema = z.object({
  networkName: z.string(),
  /** The key as it is stored, in one form. */
  key: z.string(),
  /** Of the wallet's first key, by which hardware wallets know it. Null where it is not told. */
  fingerprint: z.string().nullable(),
  /** The first addresses, to compare with the wallet. */
  addresses: z.array(z.string()),
})
export type ReadKey = z.infer<typeof readSchema>

const KEYS = '/api/v1/admin/wallets/keys'

export const readKey = {
  method: 'POST',
  path: `${KEYS}/read`,
  access: 'staff',
  withoutStepUp: 'It changes nothing, and shows what the caller pasted.',
  summary:
    'Read a watch-only key: its fingerprint, and its first five addresses. Nothing is stored. A private key is refused',
  payload: pastedSchema,
  body: readSchema,
} as const satisfies Endpoint

const addressKeySchema = readSchema.omit({ addresses: true }).extend({
  id: idSchema,
  /** The number of the address that is derived next. */
  nextIndex: z.number().int(),
  /** Derived addresses that no investor has yet. */
  ahead: z.number().int(),
  /** Addresses given since the last one with a confirmed deposit. */
  unpaid: z.number().int(),
  /** The email of the person who added it. */
  addedBy: z.string().nullable(),
  dateCreated: timestampSchema,
})
export type AddressKey = z.infer<typeof addressKeySchema>

export const listKeys = {
  method: 'GET',
  path: KEYS,
  access: 'staff',
  summary: 'List the watch-only keys in force, with what was derived from each',
  body: z.array(addressKeySchema),
} as const satisfies Endpoint

const waitsSchema = z.literal(true).optional()
type Said = { readonly waits?: true | undefined }

export const addKey = {
  method: 'POST',
  path: KEYS,
  access: 'staff',
  stepUp: true,
  summary:
    'Add a watch-only key, from which a network’s deposit addresses are derived in order. In live mode it waits until a second member of staff has compared five of them, or for 24 hours where there is none. A private key is refused',
  payload: pastedSchema,
  narration: ({ waits }: Said): string =>
    waits
      ? 'Added. Addresses are derived once another member of staff has compared five of them. Where there is no other, it takes 24 hours.'
      : 'Key added. Its first addresses are available.',
  body: readSchema.omit({ addresses: true }).extend({ waits: waitsSchema }),
} as const satisfies Endpoint

export const endKey = {
  method: 'POST',
  path: `${KEYS}/{id}/end`,
  access: 'staff',
  stepUp: true,
  summary:
    'End a watch-only key. No more addresses follow, and those without an investor are deleted. Assigned ones stay. In live mode it waits for a second member of staff',
  params: z.object({ id: idSchema }),
  narration: ({ waits }: Said): string =>
    waits
      ? 'Asked for. A key ends only with another member of staff. Where there is no other, it takes 24 hours.'
      : 'Key ended. Its assigned addresses stay.',
  body: z.object({ id: idSchema, waits: waitsSchema }),
} as const satisfies Endpoint
