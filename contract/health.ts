import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Answers 200 only while the database does. */
export const health = {
  method: 'GET',
  path: '/api/v1/health',
  access: 'public',
  summary: 'Whether the product and its database answer',
  body: z.object({ database: z.literal('up') }),
} as const satisfies Endpoint
