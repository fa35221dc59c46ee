/** The data that the product keeps about the caller. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { passwordSchema } from '../base/fields.ts'

/** The caller's own data: the call takes no user. A POST, since it is limited and recorded. */
export const exportOwnData = {
  method: 'POST',
  path: '/api/v1/user/data/export',
  access: 'user',
  ownAccount: true,
  stepUp: true,
  downloads: 'application/zip',
  summary: 'Everything kept about the caller, as an archive of JSON and CSV files',
  body: z.unknown(),
} as const satisfies Endpoint

/** Final. Needs an account without money and without open requests. */
export const closeAccount = {
  method: 'POST',
  path: '/api/v1/user/close',
  access: 'user',
  ownAccount: true,
  stepUp: true,
  summary:
    "Close the caller's account for good, once no money is left. Personal data goes, and records of money stay",
  payload: z.object({ password: passwordSchema }),
  narration: 'Your account is closed.',
  body: z.null(),
} as const satisfies Endpoint
