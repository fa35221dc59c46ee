import { PostgresDialect, PostgresDriver } from 'kysely'
import type pg from 'pg'

/**
 * Kysely's dialect on a pool. PostgreSQL itself rolls back what a lost connection leaves, so a
 * rollback that cannot be sent does not hide the error that led to it.
 */
export const dialectOn = (pool: pg.Pool): PostgresDialect =>
  Object.assign(new PostgresDialect({ pool }), {
    createDriver: () => {
      const driver = new PostgresDriver({ pool })
      const rollback = driver.rollbackTransaction.bind(driver)
      return Object.assign(driver, {
        rollbackTransaction: (...of: Parameters<typeof rollback>) =>
          rollback(...of).catch(() => undefined),
      })
    },
  })
