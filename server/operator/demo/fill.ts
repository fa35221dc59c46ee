import { REGISTRATION_COUNTRY } from '@pool/contract/accounts/users'
import { networks } from '@pool/contract/base/networks'
import { hashPassword } from '../../accounts/passwords/passwords.ts'
import { ensureSuperAdmin } from '../../accounts/users/ensureSuperAdmin.ts'
import { createUser } from '../../accounts/users/register.ts'
import { chainOf } from '../../base/chains/networks.ts'
import type { Database } from '../../base/db/connection.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { setLimits } from '../../money/brakes/limits.ts'
import { fundSandbox } from '../../money/reserve/fundSandbox.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import { recordOrVerifyMode } from '../../records/mode/mode.ts'
import { withClock } from './clock.ts'
import { join } from './investor.ts'
import { DAY, type DemoContext, HOUR, live, type World } from './life.ts'
import { lendThrough } from './loans.ts'
import { admins, inventPeople, type Person, superAdmin } from './people.ts'
import { openRandom } from './random.ts'

/** The same people and wishes at every run. */
const SEED = 17

export type Demonstration = {
  readonly days: number
  readonly investors: number
  /** Everybody's password. */
  readonly password: string
}

/**
 * Fills an empty sandbox with days of life that end now. `pool` has a single connection, whose
 * clock is the demonstration's.
 */
export const fillSandbox = async (
  { pool, owner }: Pick<Database, 'pool' | 'owner'>,
  means: DemoContext,
  { days, investors, password }: Demonstration,
): Promise<void> => {
  const random = openRandom(SEED)
  const passwordHash = await hashPassword(password)
  const end = Date.now()
  const people = inventPeople(random, investors)

  const begin = async (): Promise<Pick<World, 'staff' | 'superAdmins'>> => {
    const chief = await prepare(means, password)
    const staff: Caller[] = []
    for (const admin of admins) staff.push(await joinStaff(means, admin, passwordHash, 'ADMIN'))
    const second = await joinStaff(means, superAdmin, passwordHash, 'SUPER_ADMIN')
    await addWallets(means, staff[0] as Caller, Math.ceil(investors * STOCK))
    return { staff, superAdmins: [chief, second] }
  }
  const invite = (world: World): void => {
    lendThrough({ ...world, random: openRandom(SEED) }, end)
    for (const person of people) {
      // Ever more people come.
      const delay = HOUR + random.next() ** 0.75 * (days * DAY - 2 * HOUR)
      world.after(delay, () => join(world, person, passwordHash))
    }
  }
  await withClock(owner, () =>
    live({ pool, means, random, start: end - days * DAY, end, begin, invite }),
  )
}

/** Wallets for each investor. */
const STOCK = 1.25

/** The address that staff sign in from. */
const FROM = '192.0.2.17'

/** Does the work of a first start. Returns the super admin. */
const prepare = async (means: DemoContext, password: string): Promise<Caller> => {
  const { config } = means
  await recordOrVerifyMode(means)
  const superAdminPassword = config.superAdminPassword ?? password
  await ensureSuperAdmin({ ...means, config: { ...config, superAdminPassword } })
  await setLimits(means, config)
  await fundSandbox(means)
  const { id, username } = await means.db
    .selectFrom('users')
    .select(['id', 'username'])
    .executeTakeFirstOrThrow()
  return { id, name: username, from: FROM }
}

const joinStaff = async (
  means: DemoContext,
  { email, firstName, lastName }: Person,
  passwordHash: string,
  role: 'ADMIN' | 'SUPER_ADMIN',
): Promise<Caller> => {
  const from = FROM_OPERATOR
  const country = REGISTRATION_COUNTRY
  const id = await createUser(means, { email, firstName, lastName, passwordHash, country, from }, [
    'USER',
    role,
  ])
  return { id, name: email, from: FROM }
}

const addWallets = async (means: DemoContext, by: Caller, count: number): Promise<void> => {
  for (let number = 0; number < count; number += 1) {
    const { name } = networks[number % networks.length] as (typeof networks)[number]
    await addWallet(means, { address: chainOf(name).randomAddress(), networkName: name }, by)
  }
}

/** Throws for live mode, a product that runs, or rows beyond those of a first start. */
export const requireEmptySandbox = async (
  { pool }: Pick<Database, 'pool'>,
  { config }: Pick<DemoContext, 'config'>,
): Promise<void> => {
  if (config.poolMode === 'live')
    throw new Error('The demonstration is for a sandbox, and this pool is live.')
  const { rows } = await pool.query<{ filled: boolean; used: boolean }>(FOUND)
  if (rows[0]?.used)
    throw new Error('Stop the product first. It would pay investments by its own clock.')
  if (rows[0]?.filled)
    throw new Error(
      'The database is not empty. Name an empty directory in DATA_DIR, or another DATABASE_URL.',
    )
}

const FOUND = `
  SELECT EXISTS (SELECT FROM users WHERE id NOT IN (SELECT user_id FROM user_roles WHERE role = 'SUPER_ADMIN'))
      OR EXISTS (SELECT FROM wallets) OR EXISTS (SELECT FROM transactions) OR EXISTS (SELECT FROM investments) AS filled,
    EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()) AS used`
