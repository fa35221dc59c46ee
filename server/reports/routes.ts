import type { RoomRoutes } from '../http/context.ts'
import { figureRoutes } from './figures/routes.ts'
import { liabilityRoutes } from './liabilities/routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { ownDataRoutes } from './ownData/routes.ts'
import { statementRoutes } from './statements/routes.ts'
import { timelineRoutes } from './timeline/routes.ts'
import { todayRoutes } from './today/routes.ts'

/** The calls about reports. */
export const reportRoutes: readonly RoomRoutes[] = [
  figureRoutes,
  liabilityRoutes,
  noticeRoutes,
  statementRoutes,
  ownDataRoutes,
  timelineRoutes,
  todayRoutes,
]
