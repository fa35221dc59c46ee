/** The data that the product keeps about the caller. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Always the caller's own data: the call takes no user. A POST, since it is limited and recorded. */
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
