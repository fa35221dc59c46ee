/** Users who are suspended and resumed. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { isSuspended, resumeAccount, suspendAccount } from '../../accounts/users/roles.ts'
import type { Rules } from './kind.ts'

const about = ({ userId }: PayloadOf<'SUSPEND'>) => ({ subject: userId, userId })
const facts = () => ({})

export const suspend: Rules<'SUSPEND'> = {
  about,
  facts,
  requires: async ({ transaction }, { payload: { userId } }) => {
    if (await isSuspended(transaction, userId)) throw refusal('proposalNeedless')
  },
  apply: async ({ transaction, context, by }, { payload }) => {
    if (!(await suspendAccount(transaction, context, { ...payload, by })))
      throw refusal('proposalNeedless')
  },
}

export const resume: Rules<'RESUME'> = {
  about,
  facts,
  requires: async ({ transaction }, { payload: { userId } }) => {
    if (!(await isSuspended(transaction, userId))) throw refusal('proposalNeedless')
  },
  apply: async ({ transaction, context, by }, { payload }) => {
    if (!(await resumeAccount(transaction, context.keys, { ...payload, by })))
      throw refusal('proposalNeedless')
  },
}
