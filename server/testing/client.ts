import { beginTotp, confirmTotp, listFactors } from '@pool/contract/accounts/factors'
import { login, register } from '@pool/contract/accounts/users'
import { createWallet } from '@pool/contract/chain/wallets'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { balance } from '@pool/contract/requests/transactions'
import { newAddress } from './addresses.ts'
import { appWith } from './authenticator.ts'
import { ask } from './request.ts'

/** Steps of tests in a product in its own process. */

type Target = { readonly url: string }

export const ADMIN = { username: 'boss@example.com', password: 'a long enough password' }
/** A super admin without approval limits, no rate limits, and days of a second. */
export const SETTINGS = {
  SUPER_ADMIN_EMAIL: ADMIN.username,
  SUPER_ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMITS: 'off',
  DAY_SECONDS: '1',
  SECOND_APPROVAL_ABOVE: '10000000',
  POOL_SECOND_APPROVAL_ABOVE: '1000000000',
}

export const signIn = async (product: Target, payload: object) =>
  (await ask(product, login, { payload })).body

const admins = new WeakMap<Target, Promise<{ token: string }>>()
/** The super admin, signed in once in each run of a product. */
const adminOf = (product: Target): Promise<{ token: string }> => {
  const known = admins.get(product) ?? signInAdmin(product)
  admins.set(product, known)
  return known
}

/** Signs the super admin in. Adds the second factor that live mode asks of staff. */
const signInAdmin = async (product: Target): Promise<{ token: string }> => {
  const admin = await signIn(product, ADMIN)
  const { token } = admin
  const { body } = await ask(product, listFactors, { token })
  if (!body.required || body.factors.length > 0) return admin
  const begun = await ask(product, beginTotp, {
    token,
    payload: { password: ADMIN.password },
  })
  const { enrolment, secret } = begun.body
  const payload = { enrolment, name: 'App', code: appWith(secret).code() }
  await ask(product, confirmTotp, { token, payload })
  return admin
}

/** Registers an investor with this many dollars. */
export const newInvestor = async (product: Target, dollars: number) => {
  const email = `${crypto.randomUUID()}@example.com`
  const password = 'hunter2-but-longer'
  await ask(product, register, {
    payload: {
      username: email,
      password,
      country: 'US',
      detail: { firstName: 'Ada', lastName: 'L', email },
    },
  })
  const investor = await signIn(product, { username: email, password })
  const admin = await adminOf(product)
  await ask(product, createWallet, {
    token: admin.token,
    payload: { address: newAddress(), networkName: 'Bitcoin' },
  })
  const asked = await ask(product, deposit, {
    token: investor.token,
    payload: { userId: investor.userId, amount: dollars },
  })
  const evidence = `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  await ask(product, confirm, {
    token: admin.token,
    payload: { transactionId: asked.body.transactionId, evidence },
  })
  return { ...investor, email, password }
}

/** The investor's available dollars. */
export const balanceOf = async (
  product: Target,
  { token, userId }: { token: string; userId: string },
) => (await ask(product, balance, { token, payload: { userId } })).body
