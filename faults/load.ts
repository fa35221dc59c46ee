/**
 * The load, a process that no strike hits. Each client records an operation's outcome before the
 * next: acknowledged (2xx), refused (4xx) or unknown (else). Unknown ones are retried by key.
 */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { changePassword, logout } from '@pool/contract/accounts/users'
import { centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { invest } from '@pool/contract/money/investments'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { balance, listTransactions } from '@pool/contract/requests/transactions'
import { grantRole, revokeRole } from '../server/accounts/users/roles.ts'
import { readConfig } from '../server/base/configuration/config.ts'
import { connect } from '../server/base/db/connection.ts'
import { openKeys } from '../server/base/keys/keyFile.ts'
import { openLog } from '../server/base/process/log.ts'
import { openRandom } from '../server/operator/demo/random.ts'
import {
  anyUrl,
  closeRecord,
  isStopping,
  plan,
  record,
  repeatAll,
  runOperation,
} from './operations.ts'
import type { Operation } from './plan.ts'
import { decide, request } from './requests.ts'
import { type Account, now, readSlowly, send, sessionOf, signIn } from './sending.ts'

/** The time between two sessions, two roles and two slow reads, in milliseconds. */
const INTERVAL_MS = 250
/** The time between two quick reads, which measure how long reads are away. */
const READ_INTERVAL_MS = 100
const READERS = 3

const people: readonly Account[] = plan.people.map((person) => ({ ...person }))
const admin: Account = { ...plan.admin }
const leaver: Account = { ...plan.leaver }
const deputy: Account = { ...plan.deputy }

/** The first person's acknowledged transactions. */
const acknowledged: string[] = []

const invests = async (person: Account, index: number): Promise<void> => {
  const choose = openRandom(plan.seed + index).next
  // An investment has no description, so its unique amount identifies it.
  let amount = centsFromDollars(10)
  while (!isStopping()) {
    if (plan.pauseMs) await wait(choose() * plan.pauseMs)
    const choice = choose()
    if (choice < 0.6) {
      const id = await request(choice < 0.45 ? withdraw : deposit, person)
      if (index === 0 && id !== undefined) acknowledged.push(id)
    } else {
      amount = (amount + 1n) as typeof amount
      const payload = { userId: person.userId, amount: dollarsFromCents(amount), durationDays: 1 }
      await runOperation(
        'investment',
        { endpoint: invest, by: person, payload },
        { cents: Number(amount) },
      )
    }
  }
}

/**
 * Ends one person's session repeatedly. Calls sent in its name during and after that must not act.
 */
const endsSessions = async (): Promise<void> => {
  for (let round = 0; !isStopping(); round += 1) {
    await request(withdraw, leaver)
    const ended: Account = { ...leaver }
    const ends = sessionOf(ended)
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    const late = request(withdraw, ended, { keepsSession: true, until })
    const newPassword = `${crypto.randomUUID()} horse`
    const known =
      round % 2 === 0
        ? await runOperation(
            'logout',
            { endpoint: logout, by: ended, payload: {} },
            { ends, keepsSession: true, slowly: false },
          )
        : await runOperation(
            'password',
            {
              endpoint: changePassword,
              by: ended,
              payload: { password: leaver.password, newPassword },
            },
            { ends, keepsSession: true, slowly: false },
          )
    release()
    await late
    await request(withdraw, ended, { keepsSession: true })
    const { token } = (known?.body ?? {}) as { token?: string }
    if (token !== undefined) Object.assign(leaver, { token, password: newPassword })
    else if (round % 2 === 1) leaver.otherPassword = newPassword
    await wait(INTERVAL_MS)
  }
}

/** Changes a role until the outcome is known or the time is over. */
const changeRole = async (
  kind: 'granted' | 'revoked',
  change: () => Promise<void>,
  more: Partial<Operation>,
): Promise<boolean> => {
  let wasUnknown = false
  const tried = async (): Promise<boolean> =>
    (await Promise.allSettled([change()]))[0].status === 'fulfilled'
  const asked = Date.now()
  let done = await tried()
  while (!done && !(isStopping() && Date.now() - asked > plan.retryForMs)) {
    wasUnknown = true
    await wait(100)
    done = await tried()
  }
  record({
    ...more,
    kind,
    key: crypto.randomUUID(),
    outcome: done ? 'acknowledged' : 'unknown',
    wasUnknown,
    at: now(),
    userId: deputy.userId,
  })
  return done
}

/** Makes the deputy an admin, and takes the role away amid decisions. Later calls must not act. */
const changesRoles = async (): Promise<void> => {
  const { db, close } = connect({ connectionString: plan.database }, 1, openLog('silent'))
  const config = readConfig({ DATA_DIR: plan.dataDir })
  const keys = openKeys(config)
  const change = {
    email: deputy.username,
    role: 'ADMIN',
    by: { id: admin.userId, name: admin.username, from: 'faults' },
  } as const
  while (!isStopping()) {
    if (!(await changeRole('granted', () => grantRole({ db, keys }, change), {}))) break
    while (!(await signIn(deputy, anyUrl())) && !isStopping()) await wait(100)
    let revoked = false
    const deciding = (async () => {
      while (!revoked) await decide(deputy, { keepsSession: true })
    })()
    await wait(2 * INTERVAL_MS)
    await changeRole('revoked', () => revokeRole({ config, db, keys }, change), {
      ends: sessionOf(deputy),
    })
    revoked = true
    await deciding
    await decide(deputy, { keepsSession: true })
    await wait(INTERVAL_MS)
  }
  await close()
}

/** Reads the first person's list slowly. It must hold everything acknowledged before. */
const readsSlowly = async (): Promise<void> => {
  const [reader] = people
  if (!reader) return
  while (!isStopping()) {
    const listed = [...acknowledged]
    const rows = await readSlowly(anyUrl() + listTransactions.path, reader)
    const there = new Set(rows?.map(({ id }) => id))
    const outcome = rows === undefined ? 'unknown' : 'acknowledged'
    const missing = rows === undefined ? 0 : listed.filter((id) => !there.has(id)).length
    record({
      kind: 'reading',
      key: crypto.randomUUID(),
      outcome,
      wasUnknown: rows === undefined,
      at: now(),
      missing,
    })
    await wait(INTERVAL_MS)
  }
}

/** Reads a balance again and again. */
const reads = async (reader: Account): Promise<void> => {
  const call = { endpoint: balance, by: reader, payload: { userId: reader.userId } }
  while (!isStopping()) {
    const key = crypto.randomUUID()
    const known = await send(call, { key, url: anyUrl() })
    const outcome =
      known === undefined ? 'unknown' : known.status < 300 ? 'acknowledged' : 'refused'
    record({ kind: 'balance', key, outcome, wasUnknown: known === undefined, at: now() })
    await wait(READ_INTERVAL_MS)
  }
}

const decides = async (): Promise<void> => {
  while (!isStopping()) await decide(admin)
}

await Promise.all([
  ...people.map(invests),
  decides(),
  endsSessions(),
  changesRoles(),
  readsSlowly(),
  ...people.slice(0, READERS).map(reads),
])
if (plan.repeatAt) {
  // The judge looks first: a repeat would do again what was lost.
  process.channel?.ref()
  process.send?.('stopped')
  await once(process, 'message')
  process.channel?.unref()
  await repeatAll()
}
closeRecord()
