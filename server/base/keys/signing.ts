/** Ed25519 keys of files for everybody, from the secrets of the key file (docs/decisions/067). */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** The head of a private key of Ed25519 in PKCS #8 (RFC 8410), before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derives a private key, by a purpose of its own, so neither it nor a MAC tells the other. */
const privateKeyOf = (bytes: Buffer): KeyObject => {
  const seed = createHmac('sha256', bytes).update('pool signing key v1').digest()
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  })
}

/** The 32 bytes of a public key, in base64url. */
const textOf = (privateKey: KeyObject): string =>
  createPublicKey(privateKey).export({ format: 'jwk' }).x ?? ''

export type SigningKey = {
  /** The public key, 32 bytes in base64url. */
  readonly publicKey: string
  /** The signature of a text, 64 bytes in base64url. */
  readonly signText: (text: string) => string
}

export const signingKeyOf = (bytes: Buffer): SigningKey => {
  const privateKey = privateKeyOf(bytes)
  return {
    publicKey: textOf(privateKey),
    signText: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  }
}
