/**
 * Judges a new password by the guesses that an attacker needs. Server and forms share the rule.
 * Forms load its half megabyte of words late.
 */
import { type Match, ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import commonWords from '@zxcvbn-ts/language-en/dist/commonWords.json.mjs'
import firstNames from '@zxcvbn-ts/language-en/dist/firstnames.json.mjs'
import { unified } from '../base/fields.ts'
import * as validation from '../base/validation.ts'

/** The owner of a password, as far as known. */
export type PasswordOwner = {
  readonly email: string
  readonly productName: string
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
}

const LEAST_GUESSES = 100_000
/**
 * A password is no easier than its beginning. Judging 24 characters takes 5 ms, 100 take 60 ms
 * (docs/decisions/014).
 */
const JUDGED_LENGTH = 24

const judge = new ZxcvbnFactory({
  dictionary: { ...dictionary, commonWords, firstNames },
  graphs: adjacencyGraphs,
  maxLength: JUDGED_LENGTH,
  // Each further substitution multiplies the work.
  l33tMaxSubstitutions: 10,
})

const joined = (text: string): string => unified(text).replace(/[^\p{L}\p{N}]/gu, '')

/** An attacker's guesses about the owner: email, names and product, in parts and run together. */
const knownOf = ({ email, productName, firstName, lastName }: PasswordOwner): string[] => {
  const [first, last] = [firstName ?? '', lastName ?? '']
  const whole = [email, ...email.split('@'), productName, first, last, first + last, last + first]
  const all = whole.flatMap((text) => [text, joined(text), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [
    ...new Set(all.map((text) => unified(text).toLowerCase().slice(0, JUDGED_LENGTH))),
  ].filter(({ length }) => length >= 3)
}

const sentences: Readonly<Record<string, string>> = {
  spatial: validation.passwordRegular,
  sequence: validation.passwordRegular,
  wordSequence: validation.passwordRegular,
  repeat: validation.passwordRegular,
  date: validation.passwordDate,
  regex: validation.passwordDate,
}

const isPersonal = ({ dictionaryName }: Match): boolean => dictionaryName === 'userInputs'

/** The sentence for the largest weakness of a password. */
const sentenceFor = (matches: readonly Match[]): string => {
  if (matches.some(isPersonal)) return validation.passwordPersonal
  const [largest] = matches.toSorted((a, b) => b.token.length - a.token.length)
  const isWord = largest?.pattern === 'dictionary' && largest.dictionaryName !== 'passwords-common'
  return isWord
    ? validation.passwordWord
    : (sentences[largest?.pattern ?? ''] ?? validation.passwordCommon)
}

/** The sentence for a password that takes fewer than {@link LEAST_GUESSES}, else undefined. */
export const weaknessOf = (password: string, owner: PasswordOwner): string | undefined => {
  const known = knownOf(owner)
  const weakness = (form: string): string | undefined => {
    const { guesses, sequence } = judge.check(form, known)
    return guesses < LEAST_GUESSES ? sentenceFor(sequence) : undefined
  }
  const typed = unified(password).trim()
  // People add one sign at the end, or between names. The judge overrates such a sign.
  const withoutLastSign = typed.replace(/[^\p{L}\p{N}]$/u, '')
  const isRunTogether = () => weakness(joined(typed)) === validation.passwordPersonal
  return (
    weakness(typed) ??
    weakness(withoutLastSign) ??
    (isRunTogether() ? validation.passwordPersonal : undefined)
  )
}
