/** Numbers of rows that wait for staff, and of those since yesterday. Amounts in dollars. */
import { z } from 'zod'
import type { Endpoint } from '../base/endpoint.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import { pauseNames } from '../money/pauses.ts'

const count = z.number().int()

/** The steps of an empty pool before its first investor, in order. */
export const setupSteps = ['wallets', 'people', 'capital', 'mail', 'plan'] as const
export type SetupStep = (typeof setupSteps)[number]

/** Numbers of waiting rows, for the badges of the pages. */
export const readCounts = {
  method: 'GET',
  path: '/api/v1/admin/counts',
  access: 'staff',
  summary:
    'The numbers of requests, approved withdrawals, late loans, undelivered emails, breaks and alarms that wait for staff, and what an empty pool still needs',
  body: z.object({
    /** Pending deposits and withdrawals, and proposals that the caller's role decides about. */
    decisions: count,
    /** Approved withdrawals that were not sent. */
    toSend: count,
    lateLoans: count,
    /** Mails that were given up. */
    mails: count,
    /** The coins of the last comparison with a break that was not accepted. */
    breaks: count,
    /** Open alarms about payouts, and arrivals that were not settled. */
    alarms: count,
    /** The steps that are not done, of a pool that credited no deposit yet. */
    undone: z.array(z.enum(setupSteps)),
  }),
} as const satisfies Endpoint
export type Counts = z.infer<typeof readCounts.body>

const sum = z.object({ count, amount: dollarsSchema })

/** Since yesterday began, in UTC. */
export const readToday = {
  method: 'GET',
  path: '/api/v1/admin/today',
  access: 'staff',
  summary:
    'Since yesterday began: money in, out and matured, decisions by person, breaks and alarms; the late loans and pauses of now',
  body: z.object({
    /** Yesterday's beginning, UTC. */
    since: timestampSchema,
    /** Confirmed deposits. */
    moneyIn: sum,
    /** Approved withdrawals. */
    moneyOut: sum,
    /** Opened investments, by principal. */
    invested: sum,
    /** Matured investments, principal and interest. */
    matured: sum,
    /** The late loans of now, by what is outstanding. */
    late: sum,
    /** Confirmed, approved and rejected requests by person, most first. */
    decisions: z.array(z.object({ username: z.string(), count, amount: dollarsSchema })),
    /** Comparisons that found a break. */
    breaks: count,
    /** Alarms about payouts that were raised. */
    alarms: count,
    /** The pauses of now. */
    pauses: z.array(z.object({ name: z.enum(pauseNames), since: timestampSchema })),
  }),
} as const satisfies Endpoint
export type Today = z.infer<typeof readToday.body>

const morningMail = z.object({ wanted: z.boolean() })

export const readMorningMail = {
  method: 'GET',
  path: '/api/v1/admin/today/mail',
  access: 'staff',
  summary: 'Tell if the caller gets the day since yesterday began by mail each morning',
  body: morningMail,
} as const satisfies Endpoint

export const saveMorningMail = {
  method: 'PUT',
  path: '/api/v1/admin/today/mail',
  access: 'staff',
  ownAccount: true,
  withoutStepUp: 'The mail goes to the address of the caller, who reads its figures already.',
  summary:
    'Choose to get the day since yesterday began by mail each morning, from 06:00 UTC on, or not',
  payload: morningMail,
  body: morningMail,
} as const satisfies Endpoint
