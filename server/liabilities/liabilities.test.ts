import { createHash } from 'node:crypto'
import {
  type LiabilityProof,
  liabilitiesFileSchema,
  listLiabilities,
  owedParts,
  readProof as proofCall,
  readLiabilities,
} from '@pool/contract/liabilities'
import { cents } from '@pool/contract/money'
import { poolKeys, poolKeysSchema } from '@pool/contract/poolKeys'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../investments/openInvestment.ts'
import { type DayFile, readAgain } from '../testing/liabilityReader.ts'
import { dayFrom } from '../testing/loans.ts'
import {
  actAs,
  codeOf,
  fund,
  investorWith,
  type Person,
  person,
  startProduct,
  testProduct,
} from '../testing/product.ts'
import { httpOf } from '../testing/request.ts'
import { tamper } from '../testing/tamper.ts'
import { approveWithdrawal } from '../transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../transactions/requestWithdrawal.ts'
import { checkLiabilities } from './check.ts'
import { above, leafOf, paddingOf, saltOf, seedOf } from './hashes.ts'
import { forgetLeaves, makeLiabilities } from './make.ts'

const product = testProduct()
const TODAY = dayFrom(0)
let investors: Person[]
const owedTo = new Map<string, bigint>()

beforeAll(async () => {
  const [rich, poor, idle] = [
    await investorWith(product, 1_000),
    await investorWith(product, 50.01),
    await person(product),
  ]
  const by = { id: rich.id, from: 'tests' }
  await openInvestment(product.context, { by, amount: cents(200_00n), durationDays: 12 })
  const ask = () => requestWithdrawal(product.context, { by, amount: cents(30_00n) })
  const [{ transactionId }] = [await ask(), await ask()]
  const admin = actAs(await person(product, ['ADMIN']))
  await approveWithdrawal(product.context, { transactionId, userId: rich.id, by: admin })
  investors = [rich, poor, idle]
  // 1,000 with 7 % of the 200 that are invested.
  owedTo.set(rich.id, 1_014_00n).set(poor.id, 50_01n).set(idle.id, 0n)
})

/** Takes the days away, so that a test makes them anew. */
const forget = () =>
  tamper(
    product.database,
    "DELETE FROM liability_trees; DELETE FROM liability_leaves; DELETE FROM audit_entries WHERE action = 'liabilities.published'",
  )
afterEach(forget)

const fileOf = async (day = TODAY) => {
  const { rawPayload, headers } = await product.app.inject({
    url: readLiabilities.path.replace('{day}', day),
  })
  return {
    bytes: rawPayload,
    headers,
    file: liabilitiesFileSchema.parse(JSON.parse(`${rawPayload}`)),
  }
}

const proofOf = async ({ token }: Person, day = TODAY): Promise<LiabilityProof> => {
  const { status, body } = await product.call(proofCall, { token, params: { day } })
  expect(status).toBe(200)
  return body
}

/** Files and proofs as an outsider gets them. */
const received = async () => {
  const { file } = await fileOf()
  const proofs = await Promise.all(investors.map((each) => proofOf(each)))
  return { file, proofs }
}

test('each investor finds their amounts in the root', async () => {
  expect(await makeLiabilities(product.context)).toBe(TODAY)
  const { file, proofs } = await received()
  expect(readAgain([file], proofs, owedTo)).toEqual([])
  expect(file).toMatchObject({ day: TODAY, total: '106401', leaves: 1_024, loans: '0' })
  // Deposits and the capital of the operator.
  expect(file.coins).toBe(String(1_050_01n + 100_000_00n))
  const [rich] = proofs
  expect(rich?.owed).toEqual({
    ...{ available: '74000', held: '3000', outgoing: '3000', invested: '20000', interest: '1400' },
  })
})

test('each open account has one leaf, the pool none', async () => {
  await makeLiabilities(product.context)
  const { rows } = await product.database.superuser.query(
    'SELECT count(*)::int AS leaves, (SELECT count(DISTINCT owner_id)::int - 1 FROM accounts) AS owners FROM liability_leaves',
  )
  expect(rows[0].leaves).toBe(rows[0].owners)
})

test('each day has one signed root on record', async () => {
  const rivals = [1, 2, 3].map(() => makeLiabilities(product.context).catch(() => 'failed'))
  const made = (await Promise.all(rivals)).filter((day) => day === TODAY)
  expect(made).toHaveLength(1)
  const { bytes, headers } = await fileOf()
  expect(headers['content-disposition']).toBe(`attachment; filename="liabilities-${TODAY}.json"`)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const { body } = await product.call(listLiabilities)
  expect(body).toMatchObject([{ digest, total: 1_064.01, leaves: 1_024 }])
  const { path, ...sent } = httpOf(poolKeys)
  const { keys } = poolKeysSchema.parse((await product.app.inject({ url: path, ...sent })).json())
  expect(keys[0]?.id).toBe(body[0]?.signed.keyId)
  const { rows } = await product.database.superuser.query(
    "SELECT subject_id, after->>'digest' AS digest FROM audit_entries WHERE action = 'liabilities.published'",
  )
  expect(rows).toEqual([{ subject_id: TODAY, digest }])
  // Money that comes later changes nothing.
  await fund(product, investors[2] as Person, cents(10_00n))
  expect(await makeLiabilities(product.context)).toBeUndefined()
  expect((await fileOf()).bytes).toEqual(bytes)
  owedTo.set(investors[2]?.id ?? '', 10_00n)
  await expect(
    product.database.superuser.query("UPDATE liability_trees SET file = '{}'"),
  ).rejects.toThrow(/not allowed/)
})

test('a second reading finds every planted error', async () => {
  await makeLiabilities(product.context)
  const { file, proofs } = await received()
  const [rich, poor, idle] = proofs as [LiabilityProof, LiabilityProof, LiabilityProof]
  const nameOf = ({ account }: LiabilityProof) => `${TODAY} ${account}`
  const found = (files: readonly DayFile[], shown: readonly LiabilityProof[]) =>
    readAgain(files, shown, owedTo)
  // An investor who was left out, and two who got one leaf.
  expect(found([file], [rich, idle])).toEqual([`${nameOf(poor)}: left out`])
  const borrowed = { ...rich, account: poor.account }
  expect(found([file], [rich, borrowed, idle])).toContain(`${nameOf(poor)}: another root`)
  expect(found([file], [rich, borrowed, idle])).toContain(`${nameOf(poor)}: a place of two`)
  // A changed amount, a changed sum of the day, a sum moved beside the path.
  const less = { ...rich, owed: { ...rich.owed, available: '73999' } }
  expect(found([file], [less, poor, idle])).toEqual([
    `${nameOf(rich)}: another root`,
    `${nameOf(rich)}: another total`,
    `${nameOf(rich)}: another amount`,
  ])
  const total = { ...file, total: '106400' }
  expect(found([total], proofs)).toEqual(proofs.map((each) => `${nameOf(each)}: another total`))
  const at = rich.path.findIndex(({ sum }) => sum !== '0')
  const path = rich.path.map((each, step) => (step === at ? { ...each, sum: '0' } : each))
  expect(found([file], [{ ...rich, path }, poor, idle])).toContain(`${nameOf(rich)}: another root`)
  // Another length, two roots of a day, a salt that serves twice.
  expect(found([{ ...file, leaves: 2_048 }], [rich])).toContain(`${nameOf(rich)}: wrong length`)
  const other = { ...file, root: 'ab'.repeat(32) }
  expect(found([file, other], proofs)).toEqual([`${TODAY}: two roots`])
  expect(found([file], [rich, { ...poor, salt: rich.salt }, idle])).toContain(
    `${nameOf(poor)}: the salt of ${nameOf(rich)}`,
  )
  // Two halves of 2⁶⁴ come to nothing in 64 bits.
  const [first, ...rest] = rich.path
  const wrapped = [{ hash: first?.hash ?? '', sum: String(2n ** 63n) }, ...rest]
  expect(found([file], [{ ...rich, path: wrapped }, poor, idle])).toContain(
    `${nameOf(rich)}: sum overflows`,
  )
  expect(found([], [rich])).toContain(`${nameOf(rich)}: no file`)
})

test('a sum that does not fit is refused', () => {
  const half = { hash: Buffer.alloc(32), sum: 2n ** 62n }
  expect(above(half, { ...half, sum: 2n ** 62n - 1n }).sum).toBe(2n ** 63n - 1n)
  expect(() => above(half, half)).toThrow(RangeError)
  const owed = { available: 2n ** 62n, held: 0n, outgoing: 0n, invested: 2n ** 62n, interest: 0n }
  const leaf = { ...owed, userId: 'somebody' }
  expect(() => leafOf(TODAY, leaf, Buffer.alloc(32))).toThrow(RangeError)
  const less = { ...leaf, available: -1n, invested: 0n }
  expect(() => leafOf(TODAY, less, Buffer.alloc(32))).toThrow(RangeError)
})

test('a difference from the books publishes nothing', async () => {
  const { superuser } = product.database
  await tamper(
    product.database,
    "UPDATE accounts SET balance = balance + 1 WHERE kind = 'committed'",
  )
  try {
    await expect(makeLiabilities(product.context)).rejects.toThrow(/the books have 107402/)
    const { rows } = await superuser.query(
      "SELECT (SELECT count(*)::int FROM liability_trees) AS trees, (SELECT count(*)::int FROM liability_leaves) AS leaves, (SELECT count(*)::int FROM audit_entries WHERE action = 'liabilities.published') AS entries",
    )
    expect(rows).toEqual([{ trees: 0, leaves: 0, entries: 0 }])
  } finally {
    await tamper(
      product.database,
      "UPDATE accounts SET balance = balance - 1 WHERE kind = 'committed'",
    )
  }
})

test('the check names what an insider changed', async () => {
  await makeLiabilities(product.context)
  const { context, database } = product
  expect(await checkLiabilities(context)).toEqual({ days: [TODAY] })
  const [rich, , idle] = investors as [Person, Person, Person]
  const faultAfter = async (statement: string, undone: string) => {
    await tamper(database, statement)
    const { fault } = await checkLiabilities(context)
    await tamper(database, undone)
    expect((await checkLiabilities(context)).fault).toBeUndefined()
    return fault
  }
  const change = (set: string, id: string) =>
    `UPDATE liability_leaves SET ${set} WHERE user_id = '${id}'`
  for (const set of ['available', 'held', 'outgoing', 'invested', 'interest'])
    expect(
      await faultAfter(
        change(`${set} = ${set} + 1`, rich.id),
        change(`${set} = ${set} - 1`, rich.id),
      ),
    ).toMatch(/leaf .* was added, changed or taken away/)
  // From one amount to another, to another investor, out of the tree, away.
  expect(
    await faultAfter(
      change('held = 0, available = available + held', rich.id),
      change('held = 3000, available = available - 3000', rich.id),
    ),
  ).toMatch(/was added, changed/)
  const stranger = '00000000-0000-7000-8000-000000000001'
  expect(
    await faultAfter(
      change(`user_id = '${stranger}'`, idle.id),
      change(`user_id = '${idle.id}'`, stranger),
    ),
  ).toMatch(/was added, changed/)
  expect(
    await faultAfter(
      `INSERT INTO liability_leaves VALUES ('${TODAY}', 1024, '${stranger}', 0, 0, 0, 0, 0)`,
      `DELETE FROM liability_leaves WHERE user_id = '${stranger}'`,
    ),
  ).toMatch(/outside the tree/)
  const kept = 'CREATE TABLE kept AS SELECT * FROM liability_trees'
  const back =
    'DELETE FROM liability_trees; INSERT INTO liability_trees SELECT * FROM kept; DROP TABLE kept'
  const treeFault = (set: string) => faultAfter(`${kept}; UPDATE liability_trees SET ${set}`, back)
  expect(await treeFault('file = replace(file, \'"total": "1\', \'"total": "2\')')).toMatch(
    /another SHA-256/,
  )
  expect(
    await treeFault(
      'file = replace(file, \'"total": "1\', \'"total": "2\'), digest = encode(sha256(convert_to(replace(file, \'"total": "1\', \'"total": "2\'), \'UTF8\')), \'hex\')',
    ),
  ).toMatch(/signature is wrong/)
  expect(await treeFault("blocks = overlay(blocks PLACING '\\x01'::bytea FROM 1)")).toMatch(
    /do not lead to the root/,
  )
  expect(await faultAfter(`${kept}; DELETE FROM liability_trees`, back)).toMatch(/was taken away/)
  const entries =
    "audit_entries SET subject_id = '2020-01-01' WHERE action = 'liabilities.published'"
  await tamper(database, `UPDATE ${entries}`)
  expect((await checkLiabilities(context)).fault).toMatch(/2020-01-01 was taken away/)
})

test('leaves go after thirty days, and files stay', async () => {
  await makeLiabilities(product.context)
  await expect(product.database.superuser.query('DELETE FROM liability_leaves')).rejects.toThrow(
    /not allowed/,
  )
  await tamper(
    product.database,
    `UPDATE liability_trees SET day = day - 31, file = replace(file, day::text, (day - 31)::text); UPDATE liability_leaves SET day = day - 31;
     INSERT INTO liability_leaves SELECT day + 1, place, user_id, 0, 0, 0, 0, 0 FROM liability_leaves`,
  )
  const { rows: owners } = await product.database.superuser.query(
    'SELECT count(DISTINCT owner_id)::int - 1 AS count FROM accounts',
  )
  expect(await forgetLeaves(product.context.db)).toBe(owners[0].count)
  const { rows } = await product.database.superuser.query(
    'SELECT (SELECT count(*)::int FROM liability_trees) AS trees, min(day)::text AS day FROM liability_leaves',
  )
  expect(rows).toEqual([{ trees: 1, day: dayFrom(-30) }])
})

test('another day has other places and other salts', async () => {
  const { keys } = product.context
  const [id = ''] = keys.ids
  const [today, tomorrow] = [seedOf(keys, TODAY, id), seedOf(keys, dayFrom(1), id)]
  const [who, other] = investors as [Person, Person]
  const salts = [saltOf(today, who.id), saltOf(tomorrow, who.id), saltOf(today, other.id)]
  expect(new Set(salts.map((salt) => salt.toString('hex'))).size).toBe(3)
  expect(paddingOf(today, 1).hash.equals(paddingOf(today, 2).hash)).toBe(false)
  const placesNow = async () => {
    await makeLiabilities(product.context)
    const { rows } = await product.database.superuser.query(
      'SELECT user_id, place FROM liability_leaves ORDER BY user_id',
    )
    await forget()
    return JSON.stringify(rows)
  }
  const draws = new Set([await placesNow(), await placesNow(), await placesNow()])
  expect(draws.size).toBeGreaterThan(1)
})

test('a call leads to the own leaf alone', async () => {
  await makeLiabilities(product.context)
  const [rich, poor] = investors as [Person, Person]
  for (const query of [{ userId: rich.id }, { account: rich.id }, { place: 0 }]) {
    const { body } = await product.call(proofCall, {
      token: poor.token,
      params: { day: TODAY },
      query: query as never,
    })
    expect(codeOf({ body } as never) ?? body.account).not.toBe(rich.id)
  }
  const late = await person(product)
  const none = await product.call(proofCall, { token: late.token, params: { day: TODAY } })
  expect([none.status, codeOf(none)]).toEqual([404, 'proofNotFound'])
  const wrong = { token: poor.token, params: { day: `${TODAY}' OR true` } }
  expect((await product.call(proofCall, wrong)).status).toBe(400)
  expect((await product.call(proofCall, { params: { day: TODAY } })).status).toBe(401)
  const text = JSON.stringify([await proofOf(poor), (await fileOf()).file])
  expect(owedParts.length).toBe(5)
  expect([rich.id, rich.email, poor.email].filter((each) => text.includes(each))).toEqual([])
})

test('money that moves meanwhile is left for tomorrow', async () => {
  const { superuser } = product.database
  const stranger = await person(product)
  const holder = await superuser.connect()
  try {
    await holder.query('BEGIN; LOCK TABLE liability_leaves IN EXCLUSIVE MODE')
    const making = makeLiabilities(product.context)
    const waiting = async () =>
      (
        await superuser.query(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO liability_leaves%'",
        )
      ).rowCount
    await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
    // Between the first leaf and the comparison with the books.
    await fund(product, stranger, cents(10_00n))
    await holder.query('COMMIT')
    expect(await making).toBe(TODAY)
  } finally {
    holder.release(true)
  }
  const { file, proofs } = await received()
  expect(readAgain([file], proofs, owedTo)).toEqual([])
  expect((await proofOf(stranger)).owed.available).toBe('0')
})

test('padding hides how many have no money', async () => {
  const shapeNow = async () => {
    await makeLiabilities(product.context)
    const { file, proofs } = await received()
    await forget()
    const { root, at, ...rest } = file
    expect([root, at].map((text) => text.length)).toEqual([64, 24])
    return [
      rest,
      proofs.map(({ path }) =>
        path.map(({ hash, ...others }) => [hash.length, ...Object.keys(others)]),
      ),
      proofs.map(({ path, owed }) =>
        [...path.map(({ sum }) => sum), ...Object.values(owed)].reduce(
          (sum, each) => sum + BigInt(each),
          0n,
        ),
      ),
    ]
  }
  const before = await shapeNow()
  for (let count = 0; count < 20; count += 1) await person(product)
  expect(await shapeNow()).toEqual(before)
})

test('a proof is asked for twenty times a minute', async () => {
  const limited = await startProduct({ RATE_LIMITS: 'on' })
  try {
    const { token } = await person(limited)
    const ask = async () =>
      (await limited.call(proofCall, { token, params: { day: TODAY } })).status
    const answers: number[] = []
    for (let count = 0; count < 21; count += 1) answers.push(await ask())
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 404), 429])
  } finally {
    await limited.close()
  }
})
