import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { stoppedJobSchema } from './jobs.ts'

/** Answers 200 only while the database answers. */
export const health = {
  method: 'GET',
  path: '/api/v1/health',
  access: 'public',
  summary: 'Check that the product and its database answer',
  body: z.object({ database: z.literal('up') }),
} as const satisfies Endpoint

/** Background work that stopped, as staff alone read it. Empty is good news. */
const stoppedWorkSchema = z.array(
  stoppedJobSchema.extend({ longestGapSeconds: z.number().int().positive() }),
)
export type StoppedWork = z.infer<typeof stoppedWorkSchema>

/**
 * Answers 503 with the reason while the process starts or stops, or lacks its database or jobs.
 * A session of staff adds the stopped jobs to either answer, while the database answers.
 */
export const readiness = {
  method: 'GET',
  path: '/api/v1/health/ready',
  access: 'public',
  tellsStaffMore: true,
  summary: 'Check that this process is ready for requests; a session of staff adds stopped jobs',
  body: z.object({ ready: z.literal(true), stoppedJobs: stoppedWorkSchema.optional() }),
} as const satisfies Endpoint
