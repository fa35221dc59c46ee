/**
 * The load of the fault suite: a process of its own, so that whatever strikes the product cannot
 * strike what remembers. Clients ask for money operations without a pause, one after the other, and
 * write what became of each to a file before they go on. An operation is acknowledged (2xx),
 * refused (4xx) or unknown (no answer, or 5xx); an unknown one is asked again with its key until it
 * is known, or left so.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { invest } from '@pool/contract/investments'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/money'
import {
  approve,
  confirm,
  deposit,
  listTransactions,
  reject,
  withdraw,
} from '@pool/contract/transactions'
import { changePassword, logout } from '@pool/contract/users'
import { readConfig } from '../server/config.ts'
import { connect } from '../server/db/connection.ts'
import { openKeys } from '../server/keys/keyFile.ts'
import { openLog } from '../server/process/log.ts'
import { grantRole, revokeRole } from '../server/users/roles.ts'
import { type LoadPlan, type Operation, REQUESTED, randomFrom } from './plan.ts'
import {
  type Account,
  type Call,
  type Known,
  now,
  readSlowly,
  send,
  sessionOf,
  signIn,
  type Way,
} from './sending.ts'

const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan
const log = openSync(plan.file, 'a')
const record = (operation: Operation): void => void writeSync(log, `${JSON.stringify(operation)}\n`)

let stopping = false
process.once('SIGTERM', () => {
  stopping = true
})
// Whoever started it has gone without a word: so does it.
process.once('disconnect', () => process.exit())
process.channel?.unref()

/**
 * Of so many unknown operations one is not asked about again: by count, so that of clients that are
 * all stuck some go on and tell.
 */
const GIVEN_UP_EVERY = 3
let unknown = 0
/**
 * The share of acknowledged operations that are sent once more; all of them when the plan says so.
 */
const REPEATED = 0.1
/** The share of operations whose body arrives in pieces. */
const SLOW = 0.03
/** The pause between two sessions, two roles and two slow readings, in milliseconds. */
const BREATH = 250

const people: readonly Account[] = plan.people.map((person) => ({ ...person }))
const admin: Account = { ...plan.admin }
const restless: Account = { ...plan.restless }
const deputy: Account = { ...plan.deputy }

const random = randomFrom(plan.seed)
const anyUrl = (): string => plan.urls[Math.floor(random() * plan.urls.length)] ?? ''

type More = Partial<Operation> &
  Way & {
    /** The session is used as it is, even when it has ended. */
    readonly asItIs?: boolean
  }

/** Asks; whose session has ended signs in and asks again, unless it is that session which asks. */
const ask = async (
  call: Call,
  key: string,
  { asItIs, slowly, until }: More,
): Promise<Known | undefined> => {
  const url = anyUrl()
  const known = await send(call, { key, url, slowly: slowly === true, ...(until && { until }) })
  if (known?.status !== 401 || asItIs) return known
  return (await signIn(call.by, url)) ? send(call, { key, url }) : undefined
}

/** Carries out one operation and records what became of it. */
const carryOut = async (
  kind: Operation['kind'],
  call: Call,
  more: More = {},
): Promise<Known | undefined> => {
  const { key = crypto.randomUUID(), asItIs, slowly, until, ...told } = more
  const asked = Date.now()
  let known = await ask(call, key, { ...more, slowly: slowly ?? random() < SLOW })
  const wasUnknown = known === undefined
  if (wasUnknown) unknown += 1
  const givenUp = wasUnknown && unknown % GIVEN_UP_EVERY === 1
  while (known === undefined && !givenUp && !(stopping && Date.now() - asked > plan.afterthought)) {
    await wait(100)
    known = await ask(call, key, { ...more, slowly: false })
  }
  // Without the session or the right, nobody learns what became of the attempt before.
  if (wasUnknown && (known?.status === 401 || known?.status === 403)) known = undefined
  const outcome = known === undefined ? 'unknown' : known.status < 300 ? 'acknowledged' : 'refused'
  const { status, sentAt, session } = known ?? {}
  record({
    userId: call.by.userId,
    ...told,
    kind,
    key,
    outcome,
    wasUnknown,
    at: now(),
    ...(known && { status, sentAt, session }),
  } as Operation)
  if (outcome === 'acknowledged' && !asItIs && (plan.repeatAll || random() < REPEATED)) {
    const again = await ask(call, key, {})
    if (
      again &&
      (again.status !== known?.status || JSON.stringify(again.body) !== JSON.stringify(known?.body))
    )
      record({ kind, key, outcome: 'answeredDifferently', wasUnknown: false, at: now() })
  }
  return known
}

type Waiting = {
  readonly id: string
  readonly userId: string
  readonly endpoint: typeof deposit | typeof withdraw
}
/** What was acknowledged and nobody has decided about. */
const undecided: Waiting[] = []

/** Asks to deposit or to withdraw, with its key as the description. */
const request = async (
  endpoint: Waiting['endpoint'],
  by: Account,
  more: More = {},
): Promise<string | undefined> => {
  const key = crypto.randomUUID()
  const payload = {
    userId: by.userId,
    amount: dollarsFromCents(cents(REQUESTED)),
    description: key,
  }
  const known = await carryOut(
    endpoint === deposit ? 'deposit' : 'withdrawal',
    { endpoint, by, payload },
    { ...more, key },
  )
  const id = (known?.body as { transactionId?: string } | null)?.transactionId
  if (!known || known.status >= 300 || id === undefined) return undefined
  undecided.push({ id, userId: by.userId, endpoint })
  return id
}

const evidence = (): string => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')

const decide = async (by: Account, more: More = {}): Promise<void> => {
  const found = undecided.shift()
  if (!found) return wait(20)
  const { id, userId } = found
  const kind = found.endpoint === deposit ? 'deposit' : 'withdrawal'
  const about = (decision: 'APPROVED' | 'REJECTED') => ({
    ...more,
    transactionId: id,
    about: { owner: userId, kind } as const,
    decision,
  })
  if (kind === 'deposit')
    await carryOut(
      'decision',
      { endpoint: confirm, by, payload: { transactionId: id, evidence: evidence() } },
      about('APPROVED'),
    )
  else if (random() < 0.5)
    await carryOut(
      'decision',
      { endpoint: approve, by, payload: { transactionId: id, userId } },
      about('APPROVED'),
    )
  else
    await carryOut(
      'decision',
      { endpoint: reject, id, by, payload: { reason: 'Faults' } },
      about('REJECTED'),
    )
}

/** What the first person was told is there. */
const acknowledged: string[] = []

const invests = async (person: Account, index: number): Promise<void> => {
  const choose = randomFrom(plan.seed + index)
  // An investment carries no text of ours: its amount, different each time, tells which it is.
  let amount = centsFromDollars(10)
  while (!stopping) {
    const choice = choose()
    if (choice < 0.6) {
      const id = await request(choice < 0.45 ? withdraw : deposit, person)
      if (index === 0 && id !== undefined) acknowledged.push(id)
    } else {
      amount = (amount + 1n) as typeof amount
      const payload = { userId: person.userId, amount: dollarsFromCents(amount), durationDays: 1 }
      await carryOut(
        'investment',
        { endpoint: invest, by: person, payload },
        { cents: Number(amount) },
      )
    }
  }
}

/**
 * Ends the session of the restless again and again; what is sent in its name while that happens,
 * and afterwards, must not be done.
 */
const endsSessions = async (): Promise<void> => {
  for (let round = 0; !stopping; round += 1) {
    await request(withdraw, restless)
    const ended: Account = { ...restless }
    const ends = sessionOf(ended)
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    const late = request(withdraw, ended, { asItIs: true, until })
    const newPassword = `${crypto.randomUUID()} horse`
    const known =
      round % 2 === 0
        ? await carryOut(
            'logout',
            { endpoint: logout, by: ended, payload: {} },
            { ends, asItIs: true, slowly: false },
          )
        : await carryOut(
            'password',
            {
              endpoint: changePassword,
              by: ended,
              payload: { password: restless.password, newPassword },
            },
            { ends, asItIs: true, slowly: false },
          )
    release()
    await late
    await request(withdraw, ended, { asItIs: true })
    const { token } = (known?.body ?? {}) as { token?: string }
    if (token !== undefined) Object.assign(restless, { token, password: newPassword })
    else if (round % 2 === 1) restless.otherPassword = newPassword
    await wait(BREATH)
  }
}

/** Changes a role until that is known to have been done, or there is no more time. */
const changeRole = async (
  kind: 'granted' | 'revoked',
  change: () => Promise<void>,
  more: Partial<Operation>,
): Promise<boolean> => {
  let wasUnknown = false
  const tried = async (): Promise<boolean> =>
    change().then(
      () => true,
      () => false,
    )
  const asked = Date.now()
  let done = await tried()
  while (!done && !(stopping && Date.now() - asked > plan.afterthought)) {
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

/**
 * Makes the deputy an admin, who decides, and takes the role away while they decide; afterwards
 * nothing that they send must be done.
 */
const changesRoles = async (): Promise<void> => {
  const { db, close } = connect(plan.database, 1, openLog('silent'))
  const keys = openKeys(readConfig({ DATA_DIR: plan.dataDir }))
  const change = {
    email: deputy.username,
    role: 'ADMIN',
    by: { id: admin.userId, name: admin.username, from: 'faults' },
  } as const
  while (!stopping) {
    if (!(await changeRole('granted', () => grantRole({ db, keys }, change), {}))) break
    while (!(await signIn(deputy, anyUrl())) && !stopping) await wait(100)
    let revoked = false
    const deciding = (async () => {
      while (!revoked) await decide(deputy, { asItIs: true })
    })()
    await wait(2 * BREATH)
    await changeRole('revoked', () => revokeRole({ db, keys }, change), { ends: sessionOf(deputy) })
    revoked = true
    await deciding
    await decide(deputy, { asItIs: true })
    await wait(BREATH)
  }
  await close()
}

/** Reads the list of the first person slowly: it holds all that was acknowledged before. */
const readsSlowly = async (): Promise<void> => {
  const [reader] = people
  if (!reader) return
  while (!stopping) {
    const told = [...acknowledged]
    const rows = await readSlowly(anyUrl() + listTransactions.path, reader)
    const there = new Set(rows?.map(({ id }) => id))
    const outcome = rows === undefined ? 'unknown' : 'acknowledged'
    const missing = rows === undefined ? 0 : told.filter((id) => !there.has(id)).length
    record({
      kind: 'reading',
      key: crypto.randomUUID(),
      outcome,
      wasUnknown: rows === undefined,
      at: now(),
      missing,
    })
    await wait(BREATH)
  }
}

const decides = async (): Promise<void> => {
  while (!stopping) await decide(admin)
}

await Promise.all([
  ...people.map(invests),
  decides(),
  endsSessions(),
  changesRoles(),
  readsSlowly(),
])
closeSync(log)
