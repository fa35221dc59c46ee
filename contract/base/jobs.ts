/** Background work that repeats. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { type NetworkName, networks } from './networks.ts'
import { timestampSchema } from './timestamp.ts'

/** Kinds of background work. A job of a network has its kind and the network in its name. */
export const jobKinds = [
  'addressKeys',
  'arrears',
  'assignments',
  'attempts',
  'chain',
  'challenges',
  'claims',
  'cleanup',
  'coins',
  'credit',
  'endedSessions',
  'expiry',
  'ledgerCheck',
  'liabilities',
  'loans',
  'mails',
  'maturities',
  'months',
  'morning',
  'networkFees',
  'notices',
  'oldDevices',
  'oldKeys',
  'oldMails',
  'payouts',
  'poolFigures',
  'poolTape',
  'prices',
  'proposals',
  'reconciliation',
  'sentLoans',
  'unseen',
] as const
export type JobKind = (typeof jobKinds)[number]

const names = networks.map(({ name }) => name) as [NetworkName, ...NetworkName[]]

export const stoppedJobSchema = z.object({
  kind: z.enum(jobKinds),
  /** Null for work of no network. */
  network: z.enum(names).nullable(),
  /** The last success on any process, or the moment from which it was due. */
  since: timestampSchema,
})
export type StoppedJob = z.infer<typeof stoppedJobSchema>

export const listStoppedJobs = {
  method: 'GET',
  path: '/api/v1/admin/stopped-jobs',
  access: 'staff',
  summary: 'List background work without a success for longer than its longest gap',
  body: z.array(stoppedJobSchema),
} as const satisfies Endpoint
