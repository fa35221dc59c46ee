/** Invites to the staff. The mail goes out with the approval. */
import { endInvite, mailInvite, requireInvitable } from '../../accounts/users/invites.ts'
import type { Rules } from './kind.ts'

export const invite: Rules<'INVITE'> = {
  about: ({ email }) => ({ subject: email, userId: null }),
  facts: ({ role, email }) => ({ role, email }),
  again: 'inviteOpen',
  guard: ({ transaction }, { email }) => requireInvitable(transaction, email),
  apply: ({ transaction, context }, { id, payload, language }) =>
    mailInvite(transaction, context, { id, ...payload, language }),
  undo: ({ transaction }, { id, payload: { email } }) => endInvite(transaction, { id, email }),
}
