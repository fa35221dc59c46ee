import { roleTypes } from '@pool/contract/accounts/users'
import type { AskedProposal } from '@pool/contract/agreements/proposals'

/** A change of access that can be asked for. */
export type Choice = Pick<AskedProposal, 'kind'> & { readonly role?: string }

type Person = {
  readonly roles: readonly string[]
  readonly isSuspended: boolean
  readonly hasFactor: boolean
  readonly open: readonly { readonly kind: string; readonly facts: { readonly role?: unknown } }[]
}

const fits = (role: string, held: readonly string[]): boolean =>
  role === 'USER' ||
  held.every((each) => each === 'USER' || (each === 'AUDITOR') === (role === 'AUDITOR'))

/** The changes that the server would accept for a person, without those that wait already. */
export const choicesFor = ({ roles, isSuspended, hasFactor, open }: Person): readonly Choice[] => {
  const choices: readonly Choice[] = [
    ...roleTypes
      .filter((role) => roles.includes(role) || fits(role, roles))
      .map((role) => ({ kind: roles.includes(role) ? 'REVOKE' : 'GRANT', role }) as const),
    { kind: isSuspended ? 'RESUME' : 'SUSPEND' },
    ...(hasFactor ? [{ kind: 'RESET_FACTORS' } as const] : []),
  ]
  return choices.filter(
    ({ kind, role }) => !open.some((each) => each.kind === kind && each.facts.role === role),
  )
}
