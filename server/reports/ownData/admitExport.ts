import { refusal } from '@pool/contract/base/refusals'
import type { Kysely } from 'kysely'
import { minutesToWait } from '../../accounts/throttle/counts.ts'
import type { Schema } from '../../base/db/schema.ts'

/** Most exports of own data of a user in an hour. Each reads every row about them. */
const EXPORTS_PER_HOUR = 5

/** Counts an export of own data for all nodes. Throws `tooManyExports` with the minutes to wait. */
export const admitExport = async (db: Kysely<Schema>, userId: string): Promise<void> => {
  const minutes = await minutesToWait(db, {
    counted: ['export', userId],
    most: EXPORTS_PER_HOUR,
    span: '1 hour',
  })
  if (minutes > 0) throw refusal('tooManyExports', { minutes })
}
