/** Parts of the product. A signature names those it uses: `OnLedger & WithConfig`. */
import type { FastifyInstance } from 'fastify'
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

export type WithConfig = { readonly config: Config }

/** The versions of plans, as last read. */
export type WithPlans = { readonly plans: KnownPlans }

export type WithDb = { readonly db: Kysely<Schema> }

export type WithOutages = { readonly outages: Outages }

/** Undefined without `DATABASE_REPLICA_URL`. */
export type WithReplica = { readonly replica: Replica | undefined }

/** Keys that sign audit entries. */
export type WithKeys = { readonly keys: Keys }

export type WithLedger = { readonly ledger: Ledger }

export type WithSessions = { readonly sessions: SessionLookup }

export type WithLifecycle = { readonly lifecycle: Lifecycle }

export type WithTimeouts = { readonly timeouts: Timeouts }

/** The parts for a posting whose entry is signed. */
export type OnLedger = WithDb & WithKeys & WithLedger

/**
 * All parts of the product, made once in `main.ts`. Routes and jobs get them whole. Any other
 * function asks for its parts (`checks/boundaries.ts`).
 */
export type Context = OnLedger &
  WithConfig &
  WithLifecycle &
  WithOutages &
  WithPlans &
  WithReplica &
  WithSessions &
  WithTimeouts

/** Adds the calls of a room to the application. */
export type RoomRoutes = (app: FastifyInstance, context: Context) => void
