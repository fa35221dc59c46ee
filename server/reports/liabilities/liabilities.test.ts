import { createHash } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import {
  type LiabilityProof,
  liabilitiesFileSchema,
  listLiabilities,
  owedParts,
  readProof as proofCall,
  readLiabilities,
  type ShownLeaf,
} from '@pool/contract/reports/liabilities'
import { poolKeys, poolKeysSchema } from '@pool/contract/reports/poolKeys'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { type DayFile, readAgain } from '../../testing/liabilityReader.ts'
import { dayFrom } from '../../testing/loans.ts'
import {
  actAs,
  codeOf,
  fund,
  investorWith,
  type Person,
  person,
  testProduct,
} from '../../testing/product.ts'
import { httpOf } from '../../testing/request.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkLiabilities } from './check.ts'
import { paddingOf, partSaltOf, saltOf, seedOf } from './hashes.ts'
import { forgetLeaves, makeLiabilities } from './make.ts'

const product = testProduct()
const TODAY = dayFrom(0)
let investors: Person[]
const owedTo = new Map<string, bigint>()

beforeAll(async () => {
  const [rich, poor, small] = [
    await investorWith(product, 1_000),
    await investorWith(product, 50.01),
    await investorWith(product, 10),
  ]
  const by = { id: rich.id, from: 'tests' }
  await openInvestment(product.context, { by, amount: cents(200_00n), durationDays: 12 })
  const ask = () => requestWithdrawal(product.context, { by, amount: cents(30_00n) })
  const [{ transactionId }] = [await ask(), await ask()]
  const admin = actAs(await person(product, ['ADMIN']))
  await approveWithdrawal(product.context, { transactionId, userId: rich.id, by: admin })
  investors = [rich, poor, small]
  // 1,000 with 7 % of the 200 that are invested.
  owedTo.set(rich.id, 1_014_00n).set(poor.id, 50_01n).set(small.id, 10_00n)
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

type Parts = Exclude<LiabilityProof, { version: 1 }>
const leavesIn = (proof: LiabilityProof | undefined): readonly ShownLeaf[] =>
  proof && proof.version !== 1 ? proof.leaves : []

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
  expect(file).toMatchObject({ day: TODAY, total: '107401', leaves: 1_024, parts: 8, loans: '0' })
  // Deposits and the capital of the operator.
  expect(file.coins).toBe(String(1_060_01n + 100_000_00n))
  // No node follows here, so staff typed all that came.
  expect(file).toMatchObject({ version: 3, typed: file.coins })
  const [rich] = proofs
  const owed = owedParts.map((part) =>
    leavesIn(rich).reduce((sum, each) => sum + Number(each.owed[part]), 0),
  )
  expect(owed).toEqual([740_00, 30_00, 30_00, 200_00, 14_00])
})

test('an account without money has no leaf and no path', async () => {
  const { token } = await person(product)
  await makeLiabilities(product.context)
  const { rows } = await product.database.superuser.query(
    'SELECT user_id AS id FROM liability_leaves ORDER BY user_id',
  )
  expect(rows.map(({ id }) => id)).toEqual(investors.map(({ id }) => id).sort())
  const none = await product.call(proofCall, { token, params: { day: TODAY } })
  expect([none.status, codeOf(none)]).toEqual([404, 'proofNotFound'])
})

test('no path shows what one other investor is owed', async () => {
  await makeLiabilities(product.context)
  const { proofs } = await received()
  const sums = proofs.flatMap((proof) => leavesIn(proof).flatMap(({ path }) => path))
  const whole = new Set([...owedTo.values()].map(String))
  expect(sums.filter(({ sum }) => whole.has(sum))).toEqual([])
  expect(new Set(proofs.flatMap((proof) => leavesIn(proof).map(({ place }) => place))).size).toBe(
    24,
  )
})

test('each day has one signed root on record', async () => {
  const rivals = [1, 2, 3].map(() => makeLiabilities(product.context).catch(() => 'failed'))
  const made = (await Promise.all(rivals)).filter((day) => day === TODAY)
  expect(made).toHaveLength(1)
  const { bytes, headers } = await fileOf()
  expect(headers['content-disposition']).toBe(`attachment; filename="liabilities-${TODAY}.json"`)
  const digest = createHash('sha256').update(bytes).digest('hex')
  const { body } = await product.call(listLiabilities)
  expect(body).toMatchObject([{ digest, total: 1_074.01, leaves: 1_024 }])
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
  owedTo.set(investors[2]?.id ?? '', 20_00n)
  await expect(
    product.database.superuser.query("UPDATE liability_trees SET file = '{}'"),
  ).rejects.toThrow(/not allowed/)
})

test('a second reading finds every planted error', async () => {
  await makeLiabilities(product.context)
  const { file, proofs } = await received()
  const [rich, poor, small] = proofs as [Parts, Parts, Parts]
  const nameOf = ({ account }: LiabilityProof) => `${TODAY} ${account}`
  const found = (files: readonly DayFile[], shown: readonly LiabilityProof[]) =>
    readAgain(files, shown, owedTo)
  // An investor who was left out, and two who got one leaf.
  expect(found([file], [rich, small])).toEqual([`${nameOf(poor)}: left out`])
  const borrowed = { ...rich, account: poor.account }
  expect(found([file], [rich, borrowed, small])).toContain(`${nameOf(poor)}: another root`)
  expect(found([file], [rich, borrowed, small])).toContain(`${nameOf(poor)}: a place of two`)
  // A changed amount, a changed sum of the day, a sum moved beside the path.
  const [leaf, ...others] = rich.leaves as [ShownLeaf, ...ShownLeaf[]]
  const withLeaf = (change: Partial<ShownLeaf>) => ({
    ...rich,
    leaves: [{ ...leaf, ...change }, ...others],
  })
  const more = String(BigInt(leaf.owed.available) + 1n)
  const other = withLeaf({ owed: { ...leaf.owed, available: more } })
  expect(found([file], [other, poor, small])).toEqual([
    `${nameOf(rich)}: another root`,
    `${nameOf(rich)}: another total`,
    `${nameOf(rich)}: another amount`,
  ])
  const total = { ...file, total: '106400' }
  expect(found([total], proofs)).toEqual(
    proofs.flatMap((each) => leavesIn(each).map(() => `${nameOf(each)}: another total`)),
  )
  const at = leaf.path.findIndex(({ sum }) => sum !== '0')
  const path = leaf.path.map((each, step) => (step === at ? { ...each, sum: '0' } : each))
  expect(found([file], [withLeaf({ path }), poor, small])).toContain(
    `${nameOf(rich)}: another root`,
  )
  // A part that is left out, and one told twice.
  expect(found([file], [{ ...rich, leaves: others }, poor, small])).toContain(
    `${nameOf(rich)}: wrong parts`,
  )
  const twice = { ...rich, leaves: [leaf, leaf, ...others.slice(1)] }
  expect(found([file], [twice, poor, small])).toContain(`${nameOf(rich)}: a place of two`)
  // Another length, two roots of a day, a salt that serves twice.
  expect(found([{ ...file, leaves: 2_048 }], [rich])).toContain(`${nameOf(rich)}: wrong length`)
  const second = { ...file, root: 'ab'.repeat(32) }
  expect(found([file, second], proofs)).toEqual([`${TODAY}: two roots`])
  const salted = { ...poor, leaves: poor.leaves.map((each) => ({ ...each, salt: leaf.salt })) }
  expect(found([file], [rich, salted, small])).toContain(
    `${nameOf(poor)}: the salt of ${nameOf(rich)}`,
  )
  // Two halves of 2⁶⁴ come to nothing in 64 bits.
  const [first, ...rest] = leaf.path
  const wrapped = [{ hash: first?.hash ?? '', sum: String(2n ** 63n) }, ...rest]
  expect(found([file], [withLeaf({ path: wrapped }), poor, small])).toContain(
    `${nameOf(rich)}: sum overflows`,
  )
  expect(found([], [rich])).toContain(`${nameOf(rich)}: no file`)
})

test('a difference from the books publishes nothing', async () => {
  const { superuser } = product.database
  await tamper(
    product.database,
    "UPDATE accounts SET balance = balance + 1 WHERE kind = 'committed'",
  )
  try {
    await expect(makeLiabilities(product.context)).rejects.toThrow(/the books have 108402/)
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
  const [rich, , small] = investors as [Person, Person, Person]
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
      change(`user_id = '${stranger}'`, small.id),
      change(`user_id = '${small.id}'`, stranger),
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
  expect(await forgetLeaves(product.context.db)).toBe(investors.length)
  const { rows } = await product.database.superuser.query(
    'SELECT (SELECT count(*)::int FROM liability_trees) AS trees, min(day)::text AS day FROM liability_leaves',
  )
  expect(rows).toEqual([{ trees: 1, day: dayFrom(-30) }])
})

test('another day and another part have other salts', () => {
  const { keys } = product.context
  const [id = ''] = keys.ids
  const [today, tomorrow] = [seedOf(keys, TODAY, id), seedOf(keys, dayFrom(1), id)]
  const [who, other] = investors as [Person, Person]
  const salts = [saltOf(today, who.id), saltOf(tomorrow, who.id), saltOf(today, other.id)]
  expect(new Set(salts.map((salt) => salt.toString('hex'))).size).toBe(3)
  expect(paddingOf(today, 1).hash.equals(paddingOf(today, 2).hash)).toBe(false)
  const parts = [0, 1].map((part) => partSaltOf(today, who.id, part).toString('hex'))
  expect(new Set([...parts, salts[0]?.toString('hex')]).size).toBe(3)
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
    await expect.poll(waiting).toBe(1)
    // Between the first leaf and the comparison with the books.
    await fund(product, stranger, cents(10_00n))
    await holder.query('COMMIT')
    expect(await making).toBe(TODAY)
  } finally {
    holder.release(true)
  }
  const { file, proofs } = await received()
  expect(readAgain([file], proofs, owedTo)).toEqual([])
  const late = { token: stranger.token, params: { day: TODAY } }
  expect((await product.call(proofCall, late)).status).toBe(404)
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
      proofs
        .flatMap(leavesIn)
        .map(({ path }) =>
          path.map(({ hash, ...others }) => [hash.length, ...Object.keys(others)]),
        ),
      proofs
        .flatMap(leavesIn)
        .map(({ path, owed }) =>
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
