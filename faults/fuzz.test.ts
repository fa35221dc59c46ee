import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { cents } from '@pool/contract/base/money'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../server/ledger/check/check.ts'
import {
  fund,
  investorWith,
  type Person,
  person,
  testProduct,
  wallets,
} from '../server/testing/product.ts'
import { type Attempt, attempts, type KnownSecrets } from './hostileRequests.ts'

/**
 * Hostile requests end in no server error, no response without an envelope, and no change of the
 * books' balance. A usual run sends thousands, FUZZ=full a hundred thousand.
 */

const REQUESTS = process.env.FUZZ === 'full' ? 100_000 : 5_000
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Each of these hashes a password and costs as much as a hundred others. */
const COSTLY: readonly Endpoint[] = [endpoints.login, endpoints.register]
/** The number of concurrent requests. */
const AT_ONCE = 16

const product = testProduct()
let known: KnownSecrets
let people: readonly Person[]
beforeAll(async () => {
  const [investor, admin] = [await investorWith(product, 100_000), await person(product, ['ADMIN'])]
  // A super admin could pause the calls under test. Others fuzz the super admin's calls, which then
  // run by themselves below.
  people = [investor, await person(product), admin]
  await fund(product, investor, cents(1_000_00n))
  await wallets(product, 50)
  const { rows } = await product.database.pool.query<{ id: string }>(
    'SELECT id FROM users UNION ALL SELECT id FROM transactions UNION ALL (SELECT id FROM wallets LIMIT 5)',
  )
  known = { ids: rows.map(({ id }) => id), tokens: people.map(({ token }) => token) }
})

const rolesAbove = async (): Promise<unknown[]> =>
  (
    await product.database.pool.query(
      "SELECT user_id, role FROM user_roles WHERE role <> 'USER' ORDER BY 1, 2",
    )
  ).rows

/** The number of responses by status. */
const answered = new Map<number, number>()

const LEAKS = /\bat .+:\d+:\d+|node_modules|\bSELECT\b.+\bFROM\b|postgres|kysely|fastify|pg_/i

/**
 * The fault of a response; undefined for a file that was asked for, and for an envelope with a
 * status of the sender's fault.
 */
const complaint = async (
  { downloads }: Endpoint,
  { method, url, headers, body }: Attempt,
): Promise<string | undefined> => {
  const answer = await product.app.inject({
    method,
    url,
    headers: { ...headers },
    ...(body !== undefined && { payload: body }),
  })
  answered.set(answer.statusCode, (answered.get(answer.statusCode) ?? 0) + 1)
  const said = `${answer.statusCode} ${answer.body.slice(0, 300)}`
  if (answer.statusCode >= 500) return said
  if (answer.statusCode === 200 && downloads)
    return answer.headers['content-type'] === downloads ? undefined : said
  try {
    const { successful, narration, ...rest } = answer.json() as Record<string, unknown>
    if (
      typeof successful !== 'boolean' ||
      typeof narration !== 'string' ||
      narration === '' ||
      !('body' in rest)
    )
      return said
    if (successful !== answer.statusCode < 400) return said
  } catch {
    return said
  }
  return answer.statusCode >= 400 && LEAKS.test(answer.body) ? said : undefined
}

const fuzzed = Object.values(endpoints).filter(
  (endpoint: Endpoint) => !endpoint.streams && endpoint !== endpoints.logout,
)

const fuzz = async (endpoint: Endpoint, knows: KnownSecrets): Promise<number> => {
  const count = Math.ceil(
    REQUESTS / (fuzzed.length - COSTLY.length) / (COSTLY.includes(endpoint) ? 20 : 1),
  )
  const requests = fc.sample(attempts(endpoint, knows), { numRuns: count, seed: SEED })
  // Downloads share few places, and more of them are told to wait.
  const atOnce = endpoint.downloads ? 1 : AT_ONCE
  for (let from = 0; from < requests.length; from += atOnce) {
    const some = requests.slice(from, from + atOnce)
    const complaints = await Promise.all(some.map((each) => complaint(endpoint, each)))
    const worst = complaints.findIndex((each) => each !== undefined)
    if (worst >= 0)
      throw new Error(
        `FUZZ_SEED=${SEED} ${JSON.stringify(some[worst]).slice(0, 1_000)} was answered with ${complaints[worst]}`,
      )
  }
  return requests.length
}

test(`${REQUESTS} hostile requests get envelopes and leave the books whole`, {
  timeout: 1_200_000,
}, async () => {
  const rolesBefore = await rolesAbove()
  let sent = 0
  for (const endpoint of fuzzed) sent += await fuzz(endpoint, known)
  // Comes last, because it ends their sessions.
  sent += await fuzz(endpoints.logout, known)
  expect(await rolesAbove()).toEqual(rolesBefore)
  const superAdmin = await person(product, ['SUPER_ADMIN'])
  for (const endpoint of fuzzed.filter((each: Endpoint) => each.access === 'superAdmin'))
    sent += await fuzz(endpoint, { ...known, tokens: [superAdmin.token] })
  expect(sent).toBeGreaterThanOrEqual(REQUESTS)

  // Valid requests are among them, since a fuzzer that is refused at the door proves little.
  expect(answered.get(200)).toBeGreaterThan(sent / 50)
  const { firstDifference, firstMismatch } = await checkLedger(product.context.db)
  expect([firstDifference, firstMismatch]).toEqual([undefined, undefined])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  process.stdout.write(
    `${sent} requests fuzzed, FUZZ_SEED=${SEED}: ${JSON.stringify(Object.fromEntries(answered))}\n`,
  )
})
