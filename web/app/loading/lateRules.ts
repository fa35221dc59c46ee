import type { FormErrors } from '@mantine/form'
import { useEffect } from 'react'

type Rules<Values> = {
  readonly [Field in keyof Values]: (value: unknown, values: Values) => string | null
}

/**
 * Validates a form with rules that are fetched at its first focus. A submit waits for them. Without
 * them the server still checks.
 */
export const useLateRules = <Values extends Readonly<Record<string, unknown>>>(
  load: () => Promise<Rules<Values>>,
) => {
  useEffect(() => {
    const fetchRules = () => void load().catch(() => undefined)
    document.addEventListener('focusin', fetchRules, { once: true })
    return () => document.removeEventListener('focusin', fetchRules)
  }, [load])
  return async (values: Values): Promise<FormErrors> => {
    const rules = await load().catch(() => null)
    if (!rules) return {}
    return Object.fromEntries(
      Object.keys(rules).map((field) => [field, rules[field]?.(values[field], values)]),
    )
  }
}
