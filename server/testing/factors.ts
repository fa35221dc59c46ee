import { beginTotp, confirmTotp } from '@pool/contract/accounts/factors'
import { expect } from 'vitest'
import { type App, appWith } from './authenticator.ts'
import { PASSWORD, type Person, type Product } from './product.ts'
import { signSessionsAgain } from './sessions.ts'

/**
 * Adds an authenticator app to a person through the API. Uses up the code of the step before, so
 * that the present one is free.
 */
export const addApp = async (
  product: Product,
  { token }: Person,
): Promise<App & { readonly recoveryCodes: readonly string[] }> => {
  const begun = await product.call(beginTotp, { token, payload: { password: PASSWORD } })
  expect(begun).toMatchObject({ status: 200 })
  const { enrolment, secret } = begun.body
  const app = appWith(secret)
  const confirm = () => {
    const payload = { enrolment, name: 'My phone', code: app.code(-1) }
    return product.call(confirmTotp, { token, payload })
  }
  const first = await confirm()
  // A step may end between the making of a code and its check.
  const confirmed = first.status === 403 ? await confirm() : first
  expect(confirmed).toMatchObject({ status: 200 })
  return { ...app, ...confirmed.body }
}

/** Ages the proven factors of a person's sessions. */
export const letFactorAge = async (
  { context, database }: Product,
  { id }: Person,
  interval: string,
): Promise<void> => {
  await database.superuser.query(
    'UPDATE sessions SET factor_at = factor_at - $1::interval WHERE user_id = $2',
    [interval, id],
  )
  await signSessionsAgain(database.superuser, context.keys, id)
}
