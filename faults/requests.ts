/** Requests of the load's investors, and decisions about them. */
import { setTimeout as wait } from 'node:timers/promises'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { approve, confirm, reject } from '@pool/contract/requests/decisions'
import { deposit, type withdraw } from '@pool/contract/requests/requests'
import { type More, random, runOperation } from './operations.ts'
import { REQUESTED } from './plan.ts'
import type { Account } from './sending.ts'

type WaitingRequest = {
  readonly id: string
  readonly userId: string
  readonly endpoint: typeof deposit | typeof withdraw
}
/** Acknowledged requests without a decision. */
const undecided: WaitingRequest[] = []

/** Requests a deposit or a withdrawal, with its key as the description. */
export const request = async (
  endpoint: WaitingRequest['endpoint'],
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

export const decide = async (by: Account, more: More = {}): Promise<void> => {
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
