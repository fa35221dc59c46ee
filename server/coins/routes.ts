import type { RoomRoutes } from '../http/context.ts'
import { batchRoutes } from './batches/routes.ts'
import { custodyRoutes } from './custody/routes.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { reconciliationRoutes, unseenRoutes } from './reconciliation/routes.ts'

/** The calls about coins. */
export const coinRoutes: readonly RoomRoutes[] = [
  batchRoutes,
  unseenRoutes,
  payoutRoutes,
  custodyRoutes,
  reconciliationRoutes,
]
