import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import type { AskedPlan } from '@pool/contract/money/planVersions'
import { listPlans } from '@pool/contract/money/planVersions'
import { expect, vi } from 'vitest'
import { type Person, type Product, person } from './product.ts'

/** A moment some milliseconds ahead, as a call takes it. */
export const ahead = (milliseconds = 400): string =>
  new Date(Date.now() + milliseconds).toISOString()

export const TERMS = {
  durationDays: 90,
  rateBasisPoints: 1_250,
  least: 50,
  most: null,
  capacity: null,
  leastRunway: null,
  isOpen: true,
} as const satisfies Omit<AskedPlan, 'startsAt'>

/** Two super admins. */
export const twoChiefs = async (product: Product): Promise<readonly [Person, Person]> => [
  await person(product, ['SUPER_ADMIN']),
  await person(product, ['SUPER_ADMIN']),
]

export const askForPlan = (product: Product, by: Person, terms: object = {}) =>
  product.call(askProposal, {
    token: by.token,
    payload: { kind: 'PLAN', reason: 'For the tests', ...TERMS, startsAt: ahead(), ...terms },
  })

/**
 * Asks for a version that starts soon, in `least` milliseconds, and later on a machine too busy for
 * that.
 */
export const askSoon = async (
  product: Product,
  by: Person,
  terms: object = {},
  least = 400,
): Promise<{ readonly id: string; readonly startsAt: string }> => {
  for (let lead = least; ; lead *= 3) {
    const startsAt = ahead(lead)
    const { status, body } = await askForPlan(product, by, { ...terms, startsAt })
    if (status === 200) return { id: body.id, startsAt }
    expect((body as unknown as { code: string }).code).toBe('planMomentPast')
  }
}

/** Makes a version by two people. Returns its id. */
export const agreeOnPlan = async (
  product: Product,
  [asker, approver]: readonly [Person, Person],
  terms: Partial<AskedPlan> = {},
): Promise<string> => {
  const asked = await askForPlan(product, asker, terms)
  expect(asked).toMatchObject({ status: 200, body: { isInForce: false } })
  const { id } = asked.body
  const params = { id }
  expect(await product.call(approveProposal, { token: approver.token, params })).toMatchObject({
    status: 200,
  })
  return id
}

/** Waits until a version counts. */
const untilItCounts = (product: Product, id: string): Promise<void> =>
  vi.waitFor(
    async () =>
      expect((await product.call(listPlans)).body).toContainEqual(expect.objectContaining({ id })),
    { timeout: 60_000, interval: 20 },
  )

/** Makes a version by two people that starts soon, and waits until it counts. Returns its id. */
export const newPlan = async (
  product: Product,
  [asker, approver]: readonly [Person, Person],
  terms: Partial<AskedPlan> = {},
): Promise<string> => {
  for (;;) {
    const { id } = await askSoon(product, asker, terms)
    const params = { id }
    const { status } = await product.call(approveProposal, { token: approver.token, params })
    // Its moment may be over on a busy machine.
    if (status !== 200) continue
    await untilItCounts(product, id)
    return id
  }
}
