import { emailSchema, firstNameSchema, lastNameSchema, passwordSchema } from '@pool/contract/fields'
import { validation } from '@pool/contract/messages'
import { rule } from '../../forms/rule.ts'

const confirmsPassword = (
  confirmPassword: unknown,
  { password }: { readonly password?: unknown },
): string | null => {
  if (!confirmPassword) return validation.confirmPasswordRequired
  return confirmPassword === password ? null : validation.passwordsMustMatch
}

export const rules = {
  firstName: rule(firstNameSchema),
  lastName: rule(lastNameSchema),
  email: rule(emailSchema),
  password: rule(passwordSchema),
  confirmPassword: confirmsPassword,
}
