/** The two super admins of a rehearsal, who cannot sign in. */
import { createUser } from '../../accounts/users/register.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import type { DemoContext } from '../demo/life.ts'

const NAMES = [
  { email: 'first@rehearsal.invalid', firstName: 'First', lastName: 'Rehearser' },
  { email: 'second@rehearsal.invalid', firstName: 'Second', lastName: 'Rehearser' },
] as const

const join = async (means: DemoContext, who: (typeof NAMES)[number]): Promise<Caller> => {
  const found = await means.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', who.email)
    .executeTakeFirst()
  const registration = { ...who, passwordHash: '!', country: 'US', from: FROM_OPERATOR }
  const id = found?.id ?? (await createUser(means, registration, ['USER', 'ADMIN', 'SUPER_ADMIN']))
  return { id, name: who.email, from: FROM_OPERATOR }
}

export type Pair = readonly [Caller, Caller]

/** Finds them, or creates them at the first call. */
export const joinPair = async (means: DemoContext): Promise<Pair> => [
  await join(means, NAMES[0]),
  await join(means, NAMES[1]),
]
