import {
  emailSchema,
  firstNameSchema,
  lastNameSchema,
  passwordSchema,
} from '@pool/contract/base/fields'
import { confirms } from '../../../forms/confirms.ts'
import { rule } from '../../../forms/rule.ts'

export const rules = {
  firstName: rule(firstNameSchema),
  lastName: rule(lastNameSchema),
  email: rule(emailSchema),
  password: rule(passwordSchema),
  confirmPassword: (confirmed: unknown, { password }: { readonly password?: unknown }) =>
    confirms(confirmed, password),
}
