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
export const startOwnProduct = async (
  environment?: Record<string, string>,
): Promise<OwnProduct> => {
  const directory = dataDirectory()
  const { url } = await directory.start(environment)
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

/** Makes the proven factors of a user older than the five minutes for which they serve. */
export const ageFactors = async (userId: string): Promise<void> => {
  const { pool, close } = connectTo({ dataDir: process.env.DATA_DIR ?? '' })
  try {
    await pool.query(
      "UPDATE sessions SET factor_at = factor_at - interval '5 minutes' WHERE user_id = $1",
      [userId],
    )
  } finally {
    await close()
  }
}
