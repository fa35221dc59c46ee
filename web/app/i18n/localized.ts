import { contractInSpanish } from './es/contract.ts'

type Sentence = { readonly english: RegExp; readonly told: string }

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `{name}` in a sentence of the contract stands for whatever the server put there. */
const recognized = ([english, told]: readonly [string, string]): Sentence => ({
  english: new RegExp(`^${escaped(english).replace(/\\\{(\w+)\\\}/g, '(?<$1>.+)')}$`),
  told,
})

// The English build says them as they are, and carries no other.
const sentences: readonly Sentence[] =
  import.meta.env.VITE_LANGUAGE === 'es' ? contractInSpanish().map(recognized) : []

/**
 * A sentence of the contract, whether the browser or the server says it, in the language of the
 * reader; any other stays as it came.
 */
export const localized = (sentence: string): string => {
  for (const { english, told } of sentences) {
    const match = english.exec(sentence)
    if (match) return told.replace(/\{(\w+)\}/g, (_, name: string) => match.groups?.[name] ?? '')
  }
  return sentence
}
