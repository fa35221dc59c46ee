import { emailSchema, firstNameSchema, lastNameSchema, passwordSchema } from '@pool/contract/fields'
import { validation } from '@pool/contract/messages'
import { localized } from '../../i18n/localized.ts'
import { rule } from '../../ui/rule.ts'

const confirmsPassword = (confirmPassword: unknown, { password }: { readonly password?: unknown }): string | null => {
  if (!confirmPassword) return localized(validation.confirmPasswordRequired)
  return confirmPassword === password ? null : localized(validation.passwordsMustMatch)
}

export const rules = {
  firstName: rule(firstNameSchema),
  lastName: rule(lastNameSchema),
  email: rule(emailSchema),
  password: rule(passwordSchema),
  confirmPassword: confirmsPassword,
}
