/** Sentences about watch-only keys. */
import type { KeyProblem } from '@pool/contract/chain/addressKeys'
import { keyProblems } from './en/keyProblems.ts'
import catalogue from './en/keys.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)

/** Why a key is refused, and what to do. */
export const problemText = (problem: KeyProblem): string => keyProblems[problem]
