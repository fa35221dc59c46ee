import type { RoomRoutes } from '../http/context.ts'
import { borrowerRoutes } from './borrowers/routes.ts'
import { loanRoutes } from './loans/routes.ts'
import { poolRoutes } from './pool/routes.ts'
import { windDownRoutes } from './windDown/routes.ts'

/** The calls about lending. */
export const lendingRoutes: readonly RoomRoutes[] = [
  poolRoutes,
  borrowerRoutes,
  loanRoutes,
  windDownRoutes,
]
