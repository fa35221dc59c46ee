import { acceptInvite } from '@pool/contract/accounts/invites'
import * as contract from '@pool/contract/accounts/people'
import { currentUser, listUsers, register } from '@pool/contract/accounts/users'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../http/context.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { mailConfirmation } from '../emails/askEmailLink.ts'
import { requireGoodPassword } from '../passwords/passwordRules.ts'
import { withPlace } from '../passwords/turns.ts'
import { addNote } from './addNote.ts'
import { admitRegistration, registrationNotMade } from './admitRegistration.ts'
import { acceptInvite as accept } from './invites.ts'
import * as queries from './queries.ts'
import { findAccess, findPerson, isUser, listNotes } from './readPerson.ts'
import { register as registerUser } from './register.ts'

export const userRoutes = (app: FastifyInstance, context: Context): void => {
  const { config, db } = context

  route(
    app,
    context,
    register,
    async ({ payload, ip, language }) => {
      const { username, password, country, detail } = payload
      const { firstName, lastName } = detail
      requireGoodPassword(password, {
        email: username,
        firstName,
        lastName,
        productName: config.productName,
        field: 'password',
      })
      const limited = {
        ip,
        admit: () => admitRegistration(db, ip),
        takeBack: () => registrationNotMade(db, ip),
      }
      const userId = await withPlace(config.rateLimits ? limited : undefined, () =>
        registerUser(
          context,
          { email: username, password, country, firstName, lastName, from: ip },
          ['USER'],
          (transaction, id) =>
            mailConfirmation(context, transaction, { id, username, firstName, language }),
        ),
      )
      return { token: '' as const, userId, username }
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  route(
    app,
    context,
    acceptInvite,
    async ({ payload, ip }) => {
      await withPlace(config.rateLimits ? { ip } : undefined, () =>
        accept(context, { ...payload, from: ip }),
      )
      return null
    },
    limits(context, { perMinute: 20, per: 'ip' }),
  )

  route(app, context, currentUser, async ({ query, session }) => {
    // A user may look up only themselves. Another name is refused, existing or not.
    if (query.username !== session.username) throw refusal('forbidden')
    const user = await queries.findUser(db, session.userId)
    if (!user) throw refusal('userNotFound')
    return user
  })

  route(app, context, listUsers, ({ query, lagging }) => queries.listUsers(db, query, lagging))
}

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
