import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Schema } from './db/schema.ts'
import type { Hub } from './events/hub.ts'
import type { Keys } from './keys/keys.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { SessionLookup } from './sessions/lookup.ts'
import type { Timeouts } from './timeouts.ts'

/** What the product works with, made once in `main.ts` and passed as an argument. */
export type Context = {
  readonly config: Config
  readonly db: Kysely<Schema>
  /** Sign what goes on record. */
  readonly keys: Keys
  readonly ledger: Ledger
  readonly sessions: SessionLookup
  readonly hub: Hub
  readonly lifecycle: Lifecycle
  readonly timeouts: Timeouts
}
