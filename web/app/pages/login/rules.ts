import { emailSchema, passwordSchema } from '@pool/contract/fields'
import { rule } from '../../ui/rule.ts'

export const rules = { email: rule(emailSchema), password: rule(passwordSchema) }
