import { listMails, readMail } from '@pool/contract/mails'
import { refusal } from '@pool/contract/refusals'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { isAuditor } from '../http/access.ts'
import { route } from '../http/route.ts'
import type { Session } from '../sessions/sessions.ts'
import { listMailbox, type MailReader, readMailbox } from './queries.ts'

/** The mailbox of a sandbox. Live mode has none, since its links open accounts. */
export const mailRoutes = (app: FastifyInstance, context: Context): void => {
  const requireSandbox = () => {
    if (context.config.poolMode === 'live') throw refusal('routeNotFound')
  }
  // A mail's link may open an account, so auditors see none.
  const readerOf = (session: Session): MailReader => ({
    seesStaff: isAuditor(session) || session.roles.includes('SUPER_ADMIN'),
    seesLinks: !isAuditor(session),
  })

  route(app, context, listMails, async ({ session }) => {
    requireSandbox()
    return [...(await listMailbox(context, readerOf(session)))]
  })

  route(app, context, readMail, async ({ params, session }) => {
    requireSandbox()
    return readMailbox(context, params.id, readerOf(session))
  })
}
