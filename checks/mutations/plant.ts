import { join } from 'node:path'
import type { Plugin } from 'vitest/config'
import { ROOT } from '../sources.ts'
import type { Mutant } from './mutants.ts'

/** The variable that holds the fault for a run of tests, as JSON. */
export const PLANTED = 'PLANTED_MUTANT'

export type Planted = Pick<Mutant, 'start' | 'end' | 'text'> & { readonly path: string }

/** Plants the fault of the environment in its source as tests load it. The file stays as it is. */
export const plantMutant = (environment = process.env[PLANTED]): Plugin => {
  const planted = environment === undefined ? undefined : (JSON.parse(environment) as Planted)
  const isPlanted = (id: string) =>
    planted !== undefined && id.split('?')[0] === join(ROOT, planted.path)
  return {
    name: 'plant-mutant',
    enforce: 'pre',
    // The cache knows a module by its source alone, and would keep the fault or hide it.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (isPlanted(id) ? false : undefined)),
    transform: (code: string, id: string) =>
      planted !== undefined && isPlanted(id)
        ? `${code.slice(0, planted.start)}${planted.text}${code.slice(planted.end)}`
        : null,
  }
}
