import type { ProposalKind } from '@pool/contract/proposals'
import { resetFactors } from './factorResets.ts'
import { invite } from './invites.ts'
import type { Rules } from './kind.ts'
import { grant, revoke } from './roles.ts'
import { resume, suspend } from './suspensions.ts'

/** The rules of every kind. */
const kinds: { readonly [Kind in ProposalKind]: Rules<Kind> } = {
  GRANT: grant,
  REVOKE: revoke,
  SUSPEND: suspend,
  RESUME: resume,
  RESET_FACTORS: resetFactors,
  INVITE: invite,
}

/** The rules of a proposal, whose payload was made by the same kind. */
export const rulesOf = (kind: ProposalKind) => kinds[kind] as Rules<ProposalKind>
