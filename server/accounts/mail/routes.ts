import { listMails, listUndelivered, readMail, resendMail } from '@pool/contract/accounts/mails'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance } from 'fastify'
import type { Session } from '../../base/sessions/sessions.ts'
import type { Context } from '../../http/context.ts'
import { isAuditor } from '../../http/serving/access.ts'
import { route } from '../../http/serving/route.ts'
import * as queries from './queries.ts'
import * as resend from './resend.ts'

/**
 * The mails for staff. Only a sandbox has the mailbox with their texts, since links open accounts.
 */
export const mailRoutes = (app: FastifyInstance, context: Context): void => {
  const requireSandbox = () => {
    if (context.config.poolMode === 'live') throw refusal('routeNotFound')
  }
  // A mail's link may open an account, so auditors see none.
  const readerOf = (session: Session): queries.MailReader => ({
    seesStaff: isAuditor(session) || session.roles.includes('SUPER_ADMIN'),
    seesLinks: !isAuditor(session),
  })

  route(app, context, listMails, async ({ session }) => {
    requireSandbox()
    return [...(await queries.listMailbox(context, readerOf(session)))]
  })

  route(app, context, readMail, async ({ params, session }) => {
    requireSandbox()
    return queries.readMailbox(context, params.id, readerOf(session))
  })

  route(app, context, listUndelivered, async ({ session }) => [
    ...(await queries.listUndelivered(context, readerOf(session))),
  ])

  route(app, context, resendMail, async ({ params, session, by }) => {
    const { seesStaff } = readerOf(session)
    await resend.resendMail(context, { id: params.id, by, seesStaff })
    return { id: params.id }
  })
}
