import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Outages } from './db/outages.ts'
import type { Replica } from './db/replica.ts'
import type { Schema } from './db/schema.ts'
import type { Keys } from './keys/keys.ts'
import type { KnownPlans } from './ledger/knownPlans.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Lifecycle } from './process/lifecycle.ts'
import type { Timeouts } from './process/timeouts.ts'
import type { SessionLookup } from './sessions/lookup.ts'

/** Shared parts of the product, made once in `main.ts` and passed as an argument. */
export type Context = {
  readonly config: Config
  /** The versions of plans, as last read. */
  readonly plans: KnownPlans
  readonly db: Kysely<Schema>
  readonly outages: Outages
  /** Undefined without `DATABASE_REPLICA_URL`. */
  readonly replica: Replica | undefined
  /** Sign audit entries. */
  readonly keys: Keys
  readonly ledger: Ledger
  readonly sessions: SessionLookup
  readonly lifecycle: Lifecycle
  readonly timeouts: Timeouts
}
