import type { FormErrors } from '@mantine/form'
import { useEffect } from 'react'

type Rules<Values> = { readonly [Field in keyof Values]: (value: unknown, values: Values) => string | null }

/**
 * The `validate` of a form whose page must show before the library of its rules has arrived: they are fetched once the page stands, and a
 * submit waits for them. Where they cannot be fetched, the server still checks.
 */
export const useLateRules = <Values extends Readonly<Record<string, unknown>>>(load: () => Promise<Rules<Values>>) => {
  useEffect(() => void load().catch(() => undefined), [load])
  return async (values: Values): Promise<FormErrors> => {
    const rules = await load().catch(() => null)
    if (!rules) return {}
    return Object.fromEntries(Object.keys(rules).map((field) => [field, rules[field]?.(values[field], values)]))
  }
}
