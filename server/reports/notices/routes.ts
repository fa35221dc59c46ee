import * as contract from '@pool/contract/reports/notices'
import type { FastifyInstance } from 'fastify'
import type { Session } from '../../base/sessions/sessions.ts'
import type { Context } from '../../http/context.ts'
import { isStaff } from '../../http/serving/access.ts'
import { route } from '../../http/serving/route.ts'
import { countUnread, listNotices } from './queries.ts'
import { markRead, readPreferences, savePreferences } from './settings.ts'

const readerOf = (session: Session) => ({ userId: session.userId, isStaff: isStaff(session) })

export const noticeRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  route(app, context, contract.listNotices, ({ session, query }) =>
    listNotices(db, readerOf(session), query),
  )

  route(app, context, contract.readNotices, async ({ session, payload: { until } }) => {
    await markRead(db, { userId: session.userId, until })
    return { unread: await countUnread(db, readerOf(session)) }
  })

  route(app, context, contract.noticePreferences, ({ session }) =>
    readPreferences(db, session.userId),
  )

  route(app, context, contract.saveNoticePreferences, async ({ session, payload: { mails } }) => {
    await savePreferences(db, { userId: session.userId, mails })
    return readPreferences(db, session.userId)
  })
}
