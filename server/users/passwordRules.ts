import { validation } from '@pool/contract/messages'
import { refusal } from '@pool/contract/refusals'
import { dictionary } from '@zxcvbn-ts/language-common'

type Owner = { readonly email: string; readonly productName: string }
/** The owner, and the field of the payload that has the password. */
type Chosen = Owner & { readonly field: string }

// What leaks contain most often: some 49,000 passwords.
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** What people put in place of letters, and crackers try first. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const spelledOut = (text: string): string => text.replace(/[013457@$!]/g, (character) => LOOKALIKES[character] ?? character)
const withoutEnd = (text: string): string => text.replace(/[\P{L}]{1,5}$/u, '')
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A password as typed, with its case, closing digits and signs, and look-alikes taken away: `P4ssword2026!` is `password`. */
const variantsOf = (password: string): string[] => {
  const typed = password.trim().toLowerCase()
  return [typed, withoutEnd(typed), spelledOut(typed), spelledOut(withoutEnd(typed))]
}

const isOneThingRepeated = (password: string): boolean => /^(.{1,3})\1+.?$/u.test(password.toLowerCase())

/**
 * The sentence for a password that an attacker would try first: one from the lists of common and breached ones, or its owner's email or the
 * product's name (threat 19). Undefined when it may be used. Asks no network.
 */
export const weaknessOf = (password: string, { email, productName }: Owner): string | undefined => {
  const variants = variantsOf(password)
  const personal = [email, email.split('@')[0] ?? '', email.split('@')[1] ?? '', productName].map(lettersOf)
  if (variants.some((variant) => personal.includes(lettersOf(variant)))) return validation.passwordPersonal
  if (isOneThingRepeated(password) || variants.some((variant) => common.has(variant))) return validation.passwordCommon
  return undefined
}

/** Throws `validation` for a password that {@link weaknessOf} finds too easy to guess. */
export const requireGoodPassword = (password: string, { field, ...owner }: Chosen): void => {
  const message = weaknessOf(password, owner)
  if (message !== undefined) throw refusal('validation', { message, field })
}
