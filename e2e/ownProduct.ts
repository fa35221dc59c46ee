import { join } from 'node:path'
import { dataDirectory } from '../server/testing/process.ts'
import { openPool, type Pool } from './pool.ts'

/** A product for one test file alone. */
export type OwnProduct = Pool & {
  readonly remove: () => Promise<void>
  /** Runs an operator command with the product's settings. */
  readonly command: ReturnType<typeof dataDirectory>['command']
}

/** The data of a finished first start, which own products copy to save its time. */
export const PREPARED = join(process.env.E2E_DIRECTORY ?? '', 'prepared')

/**
 * Starts a product without users or money, for tests that count everything or stop others' work. A
 * retry starts a new one.
 */
export const startOwnProduct = async (
  environment?: Record<string, string>,
): Promise<OwnProduct> => {
  const directory = dataDirectory(PREPARED, environment)
  const { url } = await directory.start()
  const pool = openPool({ url, dataDir: directory.dataDir })
  return {
    ...pool,
    command: directory.command,
    remove: async () => {
      await pool.close()
      await directory.remove()
    },
  }
}
