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

/**
 * For load balancers: answers 503 with the reason while it starts or stops, and while the database,
 * its version or the background jobs are not as they should be.
 */
export const readiness = {
  method: 'GET',
  path: '/api/v1/health/ready',
  access: 'public',
  summary: 'Whether this process should be sent requests',
  body: z.object({ ready: z.literal(true) }),
} as const satisfies Endpoint
