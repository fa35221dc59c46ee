/** The pool's public keys, and the signatures of the files that it lists for everybody. */
import { listTapes } from '@pool/contract/lending/poolBook'
import { listLiabilities } from '@pool/contract/reports/liabilities'
import type { FileSignature, PoolKey } from '@pool/contract/reports/poolKeys'
import { call } from '../http/client.ts'
import { asFlag, asRecord, asText, list, or, record } from '../http/reading.ts'
import { poolKeysUrl } from '../lending/poolBook.ts'

const text = or(asText, '')

const readKey = record({
  id: text,
  algorithm: () => 'Ed25519' as const,
  publicKey: text,
  from: text,
  to: asText,
  leaked: asFlag,
})

/** The newest first. Throws without an answer. */
export const fetchPoolKeys = async (): Promise<readonly PoolKey[]> => {
  const response = await fetch(poolKeysUrl(), { credentials: 'omit' })
  if (!response.ok) throw new Error(`the keys answered ${response.status}`)
  return list(readKey)(asRecord(await response.json())?.keys)
}

const readListed = record({
  name: text,
  signed: or(record({ keyId: text, signature: text }), null),
})

/** The signature of a file of the pool by its name, such as the loans of a day. */
export const listedSignature = async (name: string): Promise<FileSignature | undefined> => {
  const [, noun] = /^(loans|liabilities)-\d{4}-\d\d-\d\d\./.exec(name) ?? []
  if (!noun) return undefined
  const texts = { otherwise: '' }
  const { data } = await call(noun === 'loans' ? listTapes : listLiabilities, { texts })
  return list(readListed)(data).find((each) => each.name === name)?.signed ?? undefined
}
