import type { RoomRoutes } from '../http/context.ts'
import { emailRoutes } from './emails/routes.ts'
import { factorRoutes } from './factors/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { passwordRoutes } from './passwords/routes.ts'
import { freezeRoutes } from './recovery/routes.ts'
import { signInRoutes } from './signIn/routes.ts'
import { peopleRoutes, userRoutes } from './users/routes.ts'

/** The calls about accounts. */
export const accountRoutes: readonly RoomRoutes[] = [
  signInRoutes,
  passwordRoutes,
  emailRoutes,
  freezeRoutes,
  userRoutes,
  factorRoutes,
  peopleRoutes,
  mailRoutes,
]
