/** English needs none of its own: the server says the same. */
import { type KeyProblem, keyProblems as said } from '@pool/contract/chain/addressKeys'

export const keyProblems: Readonly<Record<KeyProblem, string>> = said
