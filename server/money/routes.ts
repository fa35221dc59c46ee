import type { RoomRoutes } from '../http/context.ts'
import { limitRoutes, pauseRoutes } from './brakes/routes.ts'
import { claimRoutes } from './claims/routes.ts'
import { investmentRoutes } from './investments/routes.ts'
import { payoutAddressRoutes } from './payoutAddresses/routes.ts'
import { planRoutes } from './plans/routes.ts'

/** The calls about money. */
export const moneyRoutes: readonly RoomRoutes[] = [
  investmentRoutes,
  planRoutes,
  payoutAddressRoutes,
  limitRoutes,
  claimRoutes,
  pauseRoutes,
]
