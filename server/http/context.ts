import type { Kysely } from 'kysely'
import type { Config } from '../base/configuration/config.ts'
import type { Outages } from '../base/db/outages.ts'
import type { Replica } from '../base/db/replica.ts'
import type { Schema } from '../base/db/schema.ts'
import type { Keys } from '../base/keys/keys.ts'
import type { Lifecycle } from '../base/process/lifecycle.ts'
import type { Timeouts } from '../base/process/timeouts.ts'
import type { SessionLookup } from '../base/sessions/lookup.ts'
import type { Ledger } from '../ledger/engine/ledger.ts'
import type { KnownPlans } from '../ledger/families/knownPlans.ts'

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
