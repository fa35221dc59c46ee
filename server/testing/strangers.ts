import { revokeRole } from '../accounts/users/roles.ts'
import { endSessionsOf } from '../base/sessions/sessions.ts'
import { type Person, type Product, person } from './product.ts'
import { agedTokens } from './sessions.ts'

/** Authorization headers of callers without a valid session. Undefined sends none. */
export const strangersTo = async (
  product: Product,
  superAdmin: Person,
): Promise<Readonly<Record<string, string | undefined>>> => {
  const ended = await person(product, ['SUPER_ADMIN'])
  await endSessionsOf(product.context.db, ended.id)
  const demoted = await person(product, ['SUPER_ADMIN'])
  const by = { name: 'operator', from: 'operator' }
  await revokeRole(product.context, { email: demoted.email, role: 'SUPER_ADMIN', by })
  const good = superAdmin.token
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(good))
  const [idle, old] = await agedTokens(product, superAdmin, [
    { used: '15 minutes' },
    { made: '12 hours' },
  ])
  return {
    'no token': undefined,
    'an empty token': 'Bearer ',
    'a malformed token': 'Bearer not a token',
    'another scheme': `Basic ${good}`,
    'a token without a scheme': good,
    'an unknown token': `Bearer ${'A'.repeat(43)}`,
    'a tampered token': `Bearer ${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
    'a token in other case': `Bearer ${good.toLowerCase() === good ? good.toUpperCase() : good.toLowerCase()}`,
    'the hash of a token': `Bearer ${Buffer.from(hash).toString('base64url')}`,
    'a token idle for 15 minutes': `Bearer ${idle}`,
    'a token of 12 hours': `Bearer ${old}`,
    'a revoked token': `Bearer ${ended.token}`,
    'a token from before a demotion': `Bearer ${demoted.token}`,
  }
}
