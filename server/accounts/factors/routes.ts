import * as contract from '@pool/contract/accounts/factors'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance } from 'fastify'
import { noteFactor, type Session } from '../../base/sessions/sessions.ts'
import type { Context } from '../../http/context.ts'
import { needsFactor } from '../../http/serving/access.ts'
import { limits } from '../../http/serving/rateLimits.ts'
import { route } from '../../http/serving/route.ts'
import { attempting } from '../passwords/attempting.ts'
import { requirePassword } from '../passwords/requirePassword.ts'
import { removeFactor, renameFactor, renewRecoveryCodes } from './changeFactors.ts'
import { beginTotp, confirmTotp } from './enrolTotp.ts'
import { beginPasskey, confirmPasskey, passkeyOptions } from './passkeys.ts'
import { proveFactor } from './proveFactor.ts'
import { listFactors } from './queries.ts'

export const factorRoutes = (app: FastifyInstance, context: Context): void => {
  // Long: one call of the contract after the other, each with its policy, is a table.
  const { config } = context
  const options = limits(context, { perMinute: 60, per: 'user' })

  /**
   * The first factor needs the password, since a stolen session could add its own. So does one
   * that takes the place of an app of a leaked key.
   */
  const requireOwner = async (
    { userId, username, factors }: Session,
    password: string | undefined,
    { by, ip }: { readonly by: Parameters<typeof requirePassword>[1]['by']; readonly ip: string },
  ): Promise<void> => {
    if (factors.length > 0) return
    if (password === undefined) throw refusal('wrongPassword')
    await attempting(context, { username, ip }, () =>
      requirePassword(context, { userId, password, by }),
    )
  }

  route(app, context, contract.listFactors, async ({ session }) => ({
    ...(await listFactors(context, session.userId)),
    required: needsFactor(config, session),
  }))

  route(
    app,
    context,
    contract.beginTotp,
    async ({ session, payload: { password }, by, ip }) => {
      await requireOwner(session, password, { by, ip })
      return beginTotp(context, by)
    },
    options,
  )

  route(
    app,
    context,
    contract.confirmTotp,
    async ({ payload, by, language }) => ({
      recoveryCodes: await confirmTotp(context, { by, language }, payload),
    }),
    options,
  )

  route(
    app,
    context,
    contract.beginPasskey,
    async ({ session, payload: { password }, by, ip, origin }) => {
      await requireOwner(session, password, { by, ip })
      return beginPasskey(context, by, origin)
    },
    options,
  )

  route(
    app,
    context,
    contract.confirmPasskey,
    async ({ payload, by, language, origin }) => ({
      recoveryCodes: await confirmPasskey(context, { by, language }, { ...payload, origin }),
    }),
    options,
  )

  route(
    app,
    context,
    contract.renameFactor,
    async ({ params: { id }, payload: { name }, by, language }) => {
      await renameFactor(context, { by, language }, { id, name })
      return null
    },
    options,
  )

  route(
    app,
    context,
    contract.removeFactor,
    async ({ params: { id }, session, by, language }) => {
      const required = needsFactor(config, session)
      await removeFactor(context, { by, language }, { id, required })
      return null
    },
    options,
  )

  route(
    app,
    context,
    contract.renewRecoveryCodes,
    async ({ by, language }) => ({
      recoveryCodes: await renewRecoveryCodes(context, { by, language }),
    }),
    options,
  )

  route(
    app,
    context,
    contract.passkeyOptions,
    ({ session: { userId }, origin }) =>
      passkeyOptions(context, { purpose: 'prove', userId }, origin),
    options,
  )

  route(
    app,
    context,
    contract.passkeySignInOptions,
    ({ origin }) => passkeyOptions(context, { purpose: 'signIn' }, origin),
    limits(context, { perMinute: 30, per: 'ip' }),
  )

  route(app, context, contract.proveFactor, async ({ payload, session, ...answering }) => {
    const { isLeaked } = await proveFactor(context, answering, payload)
    if (isLeaked) throw refusal('enrolFactor')
    await noteFactor(context, session)
    return null
  })
}
