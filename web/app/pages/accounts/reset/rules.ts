import { passwordSchema } from '@pool/contract/base/fields'
import { confirms } from '../../../forms/confirms.ts'
import { rule } from '../../../forms/rule.ts'

export const rules = {
  newPassword: rule(passwordSchema),
  confirmPassword: (confirmed: unknown, { newPassword }: { readonly newPassword?: unknown }) =>
    confirms(confirmed, newPassword),
}
