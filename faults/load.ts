/**
 * The load of the fault suite: a process of its own, so that whatever strikes the product cannot strike what remembers. Clients ask for money
 * operations without a pause, one after the other, and write what became of each to a file before they go on. An operation is acknowledged
 * (2xx), refused (4xx) or unknown (no answer, or 5xx); an unknown one is asked again with its key until it is known, or left so.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/endpoint'
import { invest } from '@pool/contract/investments'
import { centsFromDollars, dollarsFromCents } from '@pool/contract/money'
import { approve, deposit, reject, withdraw } from '@pool/contract/transactions'
import { login } from '@pool/contract/users'
import { type LoadPlan, type Operation, type Person, randomFrom } from './plan.ts'

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

/** How long an answer is waited for, in milliseconds. */
const PATIENCE = 20_000
/** How long after being told to stop unknown operations are still asked about, in milliseconds. */
const AFTERTHOUGHT = 45_000
/** Of so many unknown operations one is not asked about again: by count, so that of clients that are all stuck some go on and tell. */
const GIVEN_UP_EVERY = 3
let unknown = 0
/** The share of acknowledged operations that are sent once more; all of them when the plan says so. */
const REPEATED = 0.1

type Call = { readonly endpoint: Endpoint; readonly id?: string; readonly by: Person; readonly payload: object }
type Known = { readonly status: number; readonly body: unknown }

/** The token of whoever has signed in again, because their session had ended. */
const renewed = new Map<Person, string>()

const send = async ({ endpoint, id = '', by, payload }: Call, key: string, url: string): Promise<Known | undefined> => {
  try {
    const authorization = `Bearer ${renewed.get(by) ?? by.token}`
    const response = await fetch(url + endpoint.path.replace('{id}', id), {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', authorization, [IDEMPOTENCY_HEADER]: key },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(PATIENCE),
    })
    const { body } = (await response.json()) as { body: unknown }
    return response.status >= 500 ? undefined : { status: response.status, body }
  } catch {
    return undefined
  }
}

/** Asks; whose session has ended signs in and asks again. */
const ask = async (call: Call, key: string, url: string): Promise<Known | undefined> => {
  const known = await send(call, key, url)
  if (known?.status !== 401) return known
  const { username, password } = call.by
  const signedIn = await send({ endpoint: login, by: call.by, payload: { username, password } }, key, url)
  const { token } = (signedIn?.body ?? {}) as { token?: string }
  if (token === undefined) return undefined
  renewed.set(call.by, token)
  return send(call, key, url)
}

/** Withdrawals that were acknowledged and that nobody has decided about. */
const undecided: { readonly id: string; readonly userId: string }[] = []

const client = async (index: number): Promise<void> => {
  const random = randomFrom(plan.seed + index)
  const deadline = () => (stopping ? AFTERTHOUGHT : Number.POSITIVE_INFINITY)

  const carryOut = async (kind: Operation['kind'], call: Call, more: Partial<Operation> = {}): Promise<Known | undefined> => {
    const key = more.key ?? crypto.randomUUID()
    const once = () => ask(call, key, plan.urls[Math.floor(random() * plan.urls.length)] ?? '')
    const asked = Date.now()
    let known = await once()
    const wasUnknown = known === undefined
    if (wasUnknown) unknown += 1
    const givenUp = wasUnknown && unknown % GIVEN_UP_EVERY === 1
    while (known === undefined && !givenUp && Date.now() - asked < deadline()) {
      await wait(100)
      known = await once()
    }
    const outcome = known === undefined ? 'unknown' : known.status < 300 ? 'acknowledged' : 'refused'
    record({ ...more, kind, key, outcome, wasUnknown, at: Date.now(), ...(known && { status: known.status }) })
    if (outcome === 'acknowledged' && (plan.repeatAll || random() < REPEATED)) {
      const again = await once()
      if (again && JSON.stringify(again) !== JSON.stringify(known))
        record({ kind, key, outcome: 'answeredDifferently', wasUnknown: false, at: Date.now() })
    }
    return known
  }

  const decide = async (): Promise<void> => {
    const found = undecided.shift()
    if (!found) return wait(20)
    const approving = random() < 0.5
    const payload = approving ? { transactionId: found.id, userId: found.userId } : { reason: 'Faults' }
    const call = { endpoint: approving ? approve : reject, id: found.id, by: plan.admin, payload }
    await carryOut('decision', call, { transactionId: found.id, decision: approving ? 'APPROVED' : 'REJECTED' })
  }

  const person = plan.people[index]
  if (!person) {
    while (!stopping) await decide()
    return
  }
  const { userId } = person
  // An investment carries no text of ours: its amount, different each time, tells which it is.
  let amount = centsFromDollars(10)
  while (!stopping) {
    const key = crypto.randomUUID()
    const choice = random()
    if (choice < 0.45) {
      const known = await carryOut(
        'withdrawal',
        { endpoint: withdraw, by: person, payload: { userId, amount: 10, description: key } },
        { key },
      )
      const id = (known?.body as { transactionId?: string } | null)?.transactionId
      if (known && known.status < 300 && id !== undefined) undecided.push({ id, userId })
    } else if (choice < 0.6) {
      await carryOut('deposit', { endpoint: deposit, by: person, payload: { userId, amount: 10, description: key } }, { key })
    } else {
      amount = (amount + 1n) as typeof amount
      const payload = { userId, amount: dollarsFromCents(amount), durationDays: 1 }
      await carryOut('investment', { endpoint: invest, by: person, payload }, { key, userId, cents: Number(amount) })
    }
  }
}

// One more than there are people: the last decides about what they ask for.
await Promise.all(Array.from({ length: plan.people.length + 1 }, (_, index) => client(index)))
closeSync(log)
