import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Answers 200 only while the database answers. */
export const health = {
  method: 'GET',
  path: '/api/v1/health',
  access: 'public',
  summary: 'Check that the product and its database answer',
  body: z.object({ database: z.literal('up') }),
} as const satisfies Endpoint

/**
 * Tells load balancers whether to send requests. Answers 503 with the reason while the process
 * starts or stops, or lacks its database or jobs.
 */
export const readiness = {
  method: 'GET',
  path: '/api/v1/health/ready',
  access: 'public',
  summary: 'Check that this process is ready for requests',
  body: z.object({ ready: z.literal(true) }),
} as const satisfies Endpoint
