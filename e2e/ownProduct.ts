import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { tamper } from '../server/testing/tamper.ts'

/** A product for one test file alone. */
export type OwnProduct = {
  readonly url: string
  readonly dataDir: string
  readonly remove: () => Promise<void>
}

/**
 * Starts a product on an empty database, for tests that count everything or stop others' work. A
 * retry starts a new one.
 */
export const startOwnProduct = async (): Promise<OwnProduct> => {
  const directory = dataDirectory()
  const { url } = await directory.start()
  return { url, dataDir: directory.dataDir, remove: directory.remove }
}

/**
 * Lets one-day investments mature. By the clock they take an hour, so none matures during a test.
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
