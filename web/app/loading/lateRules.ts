import type { FormErrors } from '@mantine/form'
import { useEffect } from 'react'
import { sayPlainly, whyMissing, words } from './missing.ts'

type Rules<Values> = {
  readonly [Field in keyof Values]: (value: unknown, values: Values) => string | null
}

/** Without the rules the server checks all but one thing: that a new password was typed twice. */
const withoutRules = async (values: object): Promise<FormErrors> => {
  if (!('confirmPassword' in values)) return {}
  const [why, say] = await Promise.all([whyMissing(), words()])
  sayPlainly(say(`corner.${why}`), why)
  return { confirmPassword: say('unchecked') }
}

/** Validates a form with rules that are fetched at its first focus. A submit waits for them. */
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
    if (!rules) return withoutRules(values)
    return Object.fromEntries(
      Object.keys(rules).map((field) => [field, rules[field]?.(values[field], values)]),
    )
  }
}
