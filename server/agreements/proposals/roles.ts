/** Roles that are granted and revoked. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { giveRole, requireFitting, rolesOf, takeRole } from '../../accounts/users/roles.ts'
import type { Rules } from './kind.ts'

type OfRole = PayloadOf<'GRANT' | 'REVOKE'>

const about = ({ userId, role }: OfRole) => ({ subject: `${userId} ${role}`, userId })
const facts = ({ role }: OfRole) => ({ role })

export const grant: Rules<'GRANT'> = {
  about,
  facts,
  requires: async ({ transaction }, { payload: { userId, role } }) => {
    if ((await rolesOf(transaction, userId)).includes(role)) throw refusal('proposalNeedless')
    await requireFitting(transaction, { userId, role })
  },
  apply: async ({ transaction, context, by }, { payload, alone }) => {
    const aloneBy = alone ? (by.id ?? null) : null
    if (!(await giveRole(transaction, context.keys, { ...payload, by, aloneBy })))
      throw refusal('proposalNeedless')
  },
}

export const revoke: Rules<'REVOKE'> = {
  about,
  facts,
  requires: async ({ transaction }, { payload: { userId, role } }) => {
    if (!(await rolesOf(transaction, userId)).includes(role)) throw refusal('proposalNeedless')
  },
  apply: async ({ transaction, context, by }, { payload }) => {
    if (!(await takeRole(transaction, context, { ...payload, by })))
      throw refusal('proposalNeedless')
  },
}
