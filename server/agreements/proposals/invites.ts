/** Invites to the staff. The mail goes out with the approval. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { endInvite, mailInvite, requireInvitable } from '../../accounts/users/invites.ts'
import type { Rules } from './kind.ts'

const facts = ({ role, email }: PayloadOf<'INVITE'>) => ({ role, email })

export const invite: Rules<'INVITE'> = {
  about: ({ email }) => ({ subject: email, userId: null }),
  facts,
  // No name of a person stays in the trail.
  kept: facts,
  again: 'inviteOpen',
  requires: ({ transaction }, { payload: { email } }) => requireInvitable(transaction, email),
  apply: ({ transaction, context }, { id, payload, language }) =>
    mailInvite(transaction, context, { id, ...payload, language }),
  undo: ({ transaction }, { id, payload: { email } }) => endInvite(transaction, { id, email }),
}
