/** Forms of the values in answers of Ethereum's JSON-RPC. */
import { z } from 'zod'

export const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
export const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform(BigInt)
export const number = quantity.transform(Number).pipe(z.number().int().max(Number.MAX_SAFE_INTEGER))
/** In lower case. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .toLowerCase()
