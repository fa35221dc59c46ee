/** Proposals that a second member of staff decides about: of wallets, rates and loans. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { proposalSchema } from './proposals.ts'

/** The sentences of calls whose effect waits. */
export const waits = {
  wallet:
    'Added. Investors get this address once another member of staff has compared it. Where there is no other, it takes 24 hours.',
  wallets:
    'Added. Investors get these addresses once another member of staff has compared them. Where there is no other, it takes 24 hours.',
  removal:
    'Asked for. Another member of staff must agree to the removal of so many wallets. Where there is no other, it takes 24 hours.',
} as const

const WAITING = '/api/v1/admin/wallets/waiting'

export const listOpenProposals = {
  method: 'GET',
  path: WAITING,
  access: 'staff',
  summary:
    'List what waits for a second member of staff, at most 7 days, or rests for 24 hours where there is none: added addresses, deletions and archivings; rates and loans never rest',
  body: z.array(proposalSchema),
} as const satisfies Endpoint

const waitingParams = z.object({ id: idSchema })

export const listProposedAddresses = {
  method: 'GET',
  path: `${WAITING}/{id}/addresses`,
  access: 'staff',
  summary: 'List the addresses that wait together, in the order in which they were added',
  params: waitingParams,
  body: z.array(z.string()),
} as const satisfies Endpoint

export const approveOpenProposal = {
  method: 'POST',
  path: `${WAITING}/{id}/approve`,
  access: 'staff',
  stepUp: true,
  summary:
    'Confirm that addresses which another member of staff added are the pool’s own, or approve a deletion, an archiving, a rate or a loan. In force at once',
  params: waitingParams,
  narration: 'Approved. It is in force now.',
  body: z.null(),
} as const satisfies Endpoint

export const declineOpenProposal = {
  method: 'POST',
  path: `${WAITING}/{id}/decline`,
  access: 'staff',
  stepUp: true,
  summary: 'Turn down what waits or rests, or withdraw the caller’s own. Added addresses go',
  params: waitingParams,
  narration: 'Turned down. Nothing of it is in force.',
  body: z.null(),
} as const satisfies Endpoint
