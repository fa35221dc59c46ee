import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

/** Kysely on one session. The caller releases it. */
export const onSession = (client: pg.PoolClient): Kysely<Schema> => {
  const borrowed = {
    query: client.query.bind(client),
    release: () => undefined,
  } as unknown as PostgresPoolClient
  const pool = { connect: async () => borrowed, end: async () => undefined }
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}
