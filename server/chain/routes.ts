import type { RoomRoutes } from '../http/context.ts'
import { nodeRoutes } from './nodes/routes.ts'
import { rateRoutes } from './rates/routes.ts'
import { walletRoutes } from './wallets/routes.ts'

/** The calls about chains. */
export const chainRoutes: readonly RoomRoutes[] = [walletRoutes, rateRoutes, nodeRoutes]
