import { join } from 'node:path'
import { ROOT } from '../sources.ts'
import type { Mutant } from './mutants.ts'

/** The variable that holds the fault for a run of tests, as JSON. */
export const PLANTED = 'PLANTED_MUTANT'

export type Planted = Pick<Mutant, 'start' | 'end' | 'text'> & { readonly path: string }

/** Plants the fault of the environment in its source as tests load it. The file stays as it is. */
export const plantMutant = (environment = process.env[PLANTED]) => {
  const planted = environment === undefined ? undefined : (JSON.parse(environment) as Planted)
  return {
    name: 'plant-mutant',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => {
      if (planted === undefined || id.split('?')[0] !== join(ROOT, planted.path)) return null
      return `${code.slice(0, planted.start)}${planted.text}${code.slice(planted.end)}`
    },
  }
}
