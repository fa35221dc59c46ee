import { emailSchema, passwordSchema } from '@pool/contract/base/fields'
import { rule } from '../../../forms/rule.ts'

export const rules = { email: rule(emailSchema), password: rule(passwordSchema) }
