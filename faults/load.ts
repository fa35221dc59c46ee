/**
 * The load, a process that no strike hits. Each client records an operation's outcome before the
 * next: acknowledged (2xx), refused (4xx) or unknown (else). Unknown ones are retried by key.
 */
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { approve, confirm, reject } from '@pool/contract/decisions'
import { invest } from '@pool/contract/investments'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/money'
import { deposit, withdraw } from '@pool/contract/requests'
import { balance, listTransactions } from '@pool/contract/transactions'
import { changePassword, logout } from '@pool/contract/users'
import { readConfig } from '../server/config.ts'
import { connect } from '../server/db/connection.ts'
import { openRandom } from '../server/demo/random.ts'
import { openKeys } from '../server/keys/keyFile.ts'
import { openLog } from '../server/process/log.ts'
import { grantRole, revokeRole } from '../server/users/roles.ts'
import { type LoadPlan, type Operation, REQUESTED } from './plan.ts'
import {
  type Account,
  type Call,
  fixesOutcome,
  isSame,
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
// The parent is gone.
process.once('disconnect', () => process.exit())
process.channel?.unref()

/** One of this many unknown operations is not retried, so that some stuck clients go on. */
const GIVEN_UP_EVERY = 3
let unknown = 0
/** The share of acknowledged operations that are sent again, unless the plan repeats all. */
const REPEATED = 0.1
/** The share of operations with a body in pieces. */
const SLOW = 0.03
/** The time between two sessions, two roles and two slow reads, in milliseconds. */
const INTERVAL_MS = 250
/** The time between two quick reads, which measure how long reads are away. */
const READ_INTERVAL_MS = 100
const READERS = 3
/** The repeats under way at once after the stop. */
const REPEATS = 16

const people: readonly Account[] = plan.people.map((person) => ({ ...person }))
const admin: Account = { ...plan.admin }
const leaver: Account = { ...plan.leaver }
const deputy: Account = { ...plan.deputy }

const random = openRandom(plan.seed).next
const anyUrl = (): string => plan.urls[Math.floor(random() * plan.urls.length)] ?? ''

type More = Partial<Operation> &
  Way & {
    /** Uses the session even after its end. */
    readonly keepsSession?: boolean
    /** The node to ask, any without it. */
    readonly node?: string
  }

/** Sends a call. After the session's end it signs in and sends again, unless it keeps it. */
const ask = async (
  call: Call,
  key: string,
  { keepsSession, slowly, until, node: url = anyUrl() }: More,
): Promise<Known | undefined> => {
  const known = await send(call, { key, url, slowly: slowly === true, ...(until && { until }) })
  if (known?.status !== 401 || keepsSession) return known
  return (await signIn(call.by, url)) ? send(call, { key, url }) : undefined
}

type Sent = { readonly kind: Operation['kind']; readonly call: Call; readonly key: string }
/** The operations to repeat after the stop, with their answers. */
const repeatable: (Sent & { known: Known | undefined })[] = []

const recordDifference = ({ kind, key }: Sent, ...answers: readonly (Known | undefined)[]): void =>
  record({ kind, key, outcome: 'answeredDifferently', wasUnknown: false, at: now(), answers })

/** Runs one operation and records its outcome. */
const runOperation = async (
  kind: Operation['kind'],
  call: Call,
  more: More = {},
): Promise<Known | undefined> => {
  const { key = crypto.randomUUID(), keepsSession, slowly, until, ...told } = more
  const asked = Date.now()
  let known = await ask(call, key, { ...more, slowly: slowly ?? random() < SLOW })
  const wasUnknown = known === undefined
  if (wasUnknown) unknown += 1
  const givenUp = wasUnknown && unknown % GIVEN_UP_EVERY === 1
  while (known === undefined && !givenUp && !(stopping && Date.now() - asked > plan.retryForMs)) {
    await wait(100)
    known = await ask(call, key, { ...more, slowly: false })
  }
  // Without the session or the right, the outcome of the attempt before stays unknown.
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
  if (outcome === 'acknowledged' && !keepsSession && (plan.repeatAll || random() < REPEATED)) {
    const again = await ask(call, key, {})
    // Its session may have ended meanwhile, and the next one too.
    if (again && again.status !== 401 && known && !isSame(again, known))
      recordDifference({ kind, call, key }, known, again)
  }
  if (plan.repeatAt && outcome !== 'refused' && !keepsSession)
    repeatable.push({ kind, call, key, known })
  return known
}

/** Repeats every key at each node. The first answer to a key must be the only one. */
const repeatAll = async (): Promise<void> => {
  for (const url of plan.repeatAt ?? []) {
    const left = [...repeatable]
    const repeat = async () => {
      for (let each = left.pop(); each; each = left.pop()) {
        const since = Date.now()
        let again: Known | undefined
        do again = await ask(each.call, each.key, { node: url })
        while (again === undefined && Date.now() - since < plan.retryForMs)
        // It was not done before, and is not done now.
        if (!each.known && again && !fixesOutcome(again)) continue
        each.known ??= again
        const { known } = each
        if (!again || !known || !isSame(again, known)) recordDifference(each, known, again)
      }
    }
    await Promise.all(Array.from({ length: REPEATS }, repeat))
  }
}

type Waiting = {
  readonly id: string
  readonly userId: string
  readonly endpoint: typeof deposit | typeof withdraw
}
/** Acknowledged requests without a decision. */
const undecided: Waiting[] = []

/** Requests a deposit or a withdrawal, with its key as the description. */
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
  const known = await runOperation(
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
    await runOperation(
      'decision',
      { endpoint: confirm, by, payload: { transactionId: id, evidence: evidence() } },
      about('APPROVED'),
    )
  else if (random() < 0.5)
    await runOperation(
      'decision',
      { endpoint: approve, by, payload: { transactionId: id, userId } },
      about('APPROVED'),
    )
  else
    await runOperation(
      'decision',
      { endpoint: reject, id, by, payload: { reason: 'Faults' } },
      about('REJECTED'),
    )
}

/** The first person's acknowledged transactions. */
const acknowledged: string[] = []

const invests = async (person: Account, index: number): Promise<void> => {
  const choose = openRandom(plan.seed + index).next
  // An investment has no description, so its unique amount identifies it.
  let amount = centsFromDollars(10)
  while (!stopping) {
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
  for (let round = 0; !stopping; round += 1) {
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
  while (!done && !(stopping && Date.now() - asked > plan.retryForMs)) {
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
      while (!revoked) await decide(deputy, { keepsSession: true })
    })()
    await wait(2 * INTERVAL_MS)
    await changeRole('revoked', () => revokeRole({ db, keys }, change), { ends: sessionOf(deputy) })
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
    await wait(INTERVAL_MS)
  }
}

/** Reads a balance again and again. */
const reads = async (reader: Account): Promise<void> => {
  const call = { endpoint: balance, by: reader, payload: { userId: reader.userId } }
  while (!stopping) {
    const key = crypto.randomUUID()
    const known = await send(call, { key, url: anyUrl() })
    const outcome =
      known === undefined ? 'unknown' : known.status < 300 ? 'acknowledged' : 'refused'
    record({ kind: 'balance', key, outcome, wasUnknown: known === undefined, at: now() })
    await wait(READ_INTERVAL_MS)
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
closeSync(log)
