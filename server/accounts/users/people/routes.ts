import * as contract from '@pool/contract/accounts/people'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../../http/context.ts'
import { limits } from '../../../http/serving/rateLimits.ts'
import { route } from '../../../http/serving/route.ts'
import { listAudit, readerOfTrail } from '../../../records/audit/queries.ts'
import { addNote } from './addNote.ts'
import { findAccess, findPerson, isUser, listNotes } from './queries.ts'

/** A person's page, for staff. */
export const peopleRoutes = (app: FastifyInstance, context: Context): void => {
  const { db } = context

  const found = <T>(row: T | undefined): T => {
    if (row === undefined) throw refusal('userNotFound')
    return row
  }
  const requireUser = async (id: string): Promise<void> => {
    if (!(await isUser(db, id))) throw refusal('userNotFound')
  }

  route(app, context, contract.person, async ({ params }) => found(await findPerson(db, params.id)))

  route(app, context, contract.personAccess, async ({ params }) =>
    found(await findAccess(context, params.id)),
  )

  route(app, context, contract.personTrail, async ({ params, query, session, lagging }) => {
    await requireUser(params.id)
    const reader = readerOfTrail(session)
    return listAudit(db, { reader, request: query, helped: params.id, lagging })
  })

  route(app, context, contract.listNotes, async ({ params }) => {
    await requireUser(params.id)
    return listNotes(db, params.id)
  })

  route(
    app,
    context,
    contract.addNote,
    ({ params, payload: { text }, by }) => addNote(context, { userId: params.id, text, by }),
    limits(context, { perMinute: 30, per: 'user' }),
  )
}
