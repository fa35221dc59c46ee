import { passwordSchema } from '@pool/contract/fields'
import { validation } from '@pool/contract/messages'
import { rule } from '../../forms/rule.ts'

export const rules = {
  newPassword: rule(passwordSchema),
  confirmPassword: (
    confirmed: unknown,
    { newPassword }: { readonly newPassword?: unknown },
  ): string | null => {
    if (!confirmed) return validation.confirmPasswordRequired
    return confirmed === newPassword ? null : validation.passwordsMustMatch
  },
}
