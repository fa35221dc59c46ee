/** The operations of the load. Their outcomes are recorded in the plan's file. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { openRandom } from '../server/operator/demo/random.ts'
import type { LoadPlan, Operation } from './plan.ts'
import {
  type Call,
  fixesOutcome,
  isSame,
  type KnownAnswer,
  now,
  send,
  signIn,
  type Way,
} from './sending.ts'

export const plan = JSON.parse(readFileSync(0, 'utf8')) as LoadPlan
const log = openSync(plan.file, 'a')
export const record = (operation: Operation): void =>
  void writeSync(log, `${JSON.stringify(operation)}\n`)

export const closeRecord = (): void => closeSync(log)

let stopping = false
/** True after the signal to stop. */
export const isStopping = (): boolean => stopping
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
/** The repeats under way at once after the stop. */
const REPEATS = 16

export const random = openRandom(plan.seed).next
export const anyUrl = (): string => plan.urls[Math.floor(random() * plan.urls.length)] ?? ''

export type More = Partial<Operation> &
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
): Promise<KnownAnswer | undefined> => {
  const known = await send(call, { key, url, slowly: slowly === true, ...(until && { until }) })
  if (known?.status !== 401 || keepsSession) return known
  return (await signIn(call.by, url)) ? send(call, { key, url }) : undefined
}

type SentOperation = { readonly kind: Operation['kind']; readonly call: Call; readonly key: string }
/** The operations to repeat after the stop, with their answers. */
const repeatable: (SentOperation & { known: KnownAnswer | undefined })[] = []

const recordDifference = (
  { kind, key }: SentOperation,
  ...answers: readonly (KnownAnswer | undefined)[]
): void =>
  record({ kind, key, outcome: 'answeredDifferently', wasUnknown: false, at: now(), answers })

/** Runs one operation and records its outcome. */
export const runOperation = async (
  kind: Operation['kind'],
  call: Call,
  more: More = {},
): Promise<KnownAnswer | undefined> => {
  const { key = crypto.randomUUID(), keepsSession, slowly, until, ...facts } = more
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
    ...facts,
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
export const repeatAll = async (): Promise<void> => {
  for (const url of plan.repeatAt ?? []) {
    const left = [...repeatable]
    const repeat = async () => {
      for (let each = left.pop(); each; each = left.pop()) {
        const since = Date.now()
        let again: KnownAnswer | undefined
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
