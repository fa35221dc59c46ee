import { proveFactor } from '../../accounts/factors/proveFactor.ts'
import type { WithConfig } from '../../http/context.ts'
import { FROM_OPERATOR, type OnRecord } from '../../records/audit/record.ts'

/** A super admin who stands beside the operator, and a code of their authenticator app. */
export type Second = { readonly email: string; readonly code: string }

/**
 * Throws unless the code is that of a super admin, for whom it counts once: what one person alone
 * may not do on the machine (docs/decisions/085).
 */
export const requireSuperAdmin = async (
  context: OnRecord & WithConfig,
  { email, code }: Second,
): Promise<void> => {
  const user = await context.db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select(['users.id', 'users.username'])
    .where('username', '=', email)
    .where('role', '=', 'SUPER_ADMIN')
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw new Error(`${email} is no super admin.`)
  const by = { id: user.id, name: user.username, from: FROM_OPERATOR }
  const answering = { by, language: 'en', origin: '' } as const
  const proof = await proveFactor(context, answering, { kind: 'TOTP', code })
  if (proof.isLeaked) throw new Error('The key of this code leaked, so it proves nothing.')
}
