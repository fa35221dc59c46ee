/** A device with one passkey (WebAuthn), without a browser. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { PasskeyOptions, PasskeyResponse } from '@pool/contract/accounts/factors'

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()
const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

// The few shapes of CBOR that a passkey needs.
const cborText = (text: string) =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])

export type Device = {
  readonly create: (options: PasskeyOptions) => PasskeyResponse
  readonly get: (options: PasskeyOptions, otherwise?: Otherwise) => PasskeyResponse
  /** Sets the number of uses that the device has counted. */
  readonly count: (uses: number) => void
}

/** Faults of a response. */
type Otherwise = {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
}

export const newDevice = (origin: string): Device => {
  // Long: the answers of a device are short functions that share its state.
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let uses = 0

  const authenticatorData = (flags: number, rpId: string, attested = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(uses)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }
  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const answer = (response: object): PasskeyResponse => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    response: response as PasskeyResponse['response'],
    clientExtensionResults: {},
  })

  return {
    create: ({ challenge }) => {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // COSE: an ES256 key on P-256.
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        cborBytes(Buffer.from(x, 'base64url')),
        Buffer.from([0x22]),
        cborBytes(Buffer.from(y, 'base64url')),
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const flags = PRESENT | VERIFIED | ATTESTED
      const data = authenticatorData(flags, new URL(origin).hostname, attested)
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(data),
      ])
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', challenge, origin)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      })
    },
    get: ({ challenge }, otherwise = {}) => {
      const from = otherwise.origin ?? origin
      const client = clientData('webauthn.get', challenge, from)
      const flags = PRESENT | (otherwise.isVerified === false ? 0 : VERIFIED)
      const data = authenticatorData(flags, otherwise.rpId ?? new URL(origin).hostname)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      })
    },
    count: (next) => {
      uses = next
    },
  }
}
