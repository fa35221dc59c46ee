/** Forgotten passwords, and the first password of an invite. */
import { acceptInvite } from '@pool/contract/accounts/invites'
import { forgotPassword, resetPassword } from '@pool/contract/accounts/users'
import { callFailed } from '@pool/contract/base/messages'
import { useMutation } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { useSubmit } from '../http/submit.ts'

const forget = ({ email }: { readonly email: string }) =>
  call(forgotPassword, {
    payload: { username: email },
    texts: { otherwise: callFailed.changePassword },
  })

type NewPassword = {
  readonly token: string
  readonly newPassword: string
  /** True for the first password of an invite. */
  readonly isInvited: boolean
}
const reset = ({ isInvited, ...payload }: NewPassword) =>
  call(isInvited ? acceptInvite : resetPassword, {
    payload,
    texts: { otherwise: callFailed.changePassword },
  })

/** Asks for a mail with a link. The answer does not tell whether there is an account. */
export const useForgotPassword = () => useMutation({ mutationFn: useSubmit(forget) })

/** Sets a new password by a mailed link. */
export const useResetPassword = () => useMutation({ mutationFn: useSubmit(reset) })
