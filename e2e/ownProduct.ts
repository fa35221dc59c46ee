import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { tamper } from '../server/testing/tamper.ts'

/** A product that nobody else uses. */
export type OwnProduct = {
  readonly url: string
  readonly dataDir: string
  readonly remove: () => Promise<void>
}

/**
 * Starts one on an empty database, for tests that count everything there is or stop what all others
 * do; another try begins with another.
 */
export const startOwnProduct = async (): Promise<OwnProduct> => {
  const directory = dataDirectory()
  const { url } = await directory.start()
  return { url, dataDir: directory.dataDir, remove: directory.remove }
}

/**
 * Lets the investments over one day mature: by the clock they would take an hour, so that nothing
 * matures while a page is looked at.
 */
export const letMature = async (
  userId: string,
  dataDir = process.env.DATA_DIR ?? '',
): Promise<void> => {
  const database = connectTo({ dataDir })
  try {
    await tamper(
      database,
      `UPDATE investments SET matures_at = now() WHERE user_id = '${userId}' AND duration_days = 1`,
    )
  } finally {
    await database.close()
  }
}
