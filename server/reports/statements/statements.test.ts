import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cents } from '@pool/contract/base/money'
import { poolKeys } from '@pool/contract/reports/poolKeys'
import {
  listStatements,
  previewStatement,
  readStatement,
  type Statement,
  signatureFileSchema,
  statementSchema,
} from '@pool/contract/reports/statements'
import { withdraw } from '@pool/contract/requests/requests'
import { beforeAll, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { filesIn } from '../../testing/archives.ts'
import { readPdf } from '../../testing/pdfs.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { expectStatements } from '../../testing/statements.ts'
import { tamper } from '../../testing/tamper.ts'

const product = testProduct({ RATE_LIMITS: 'on' })
let investor: Person
const YEAR = String(new Date().getUTCFullYear())

beforeAll(async () => {
  investor = await person(product)
  await fund(product, investor, cents(500_00n))
  const { id: userId, token } = investor
  const by = { id: userId, from: 'tests' }
  const hasted = { ...product.context, config: { ...product.context.config, daySeconds: 0 } }
  await openInvestment(hasted, {
    by,
    amount: cents(100_00n),
    durationDays: 5,
    idempotency: undefined,
  })
  await payMaturities(product.context)
  await product.call(withdraw, { token, payload: { userId, amount: 50 } })
})

const download = async (of: Person, period: string, form: 'pdf' | 'json' | 'csv' = 'json') => {
  const answer = await product.call(readStatement, { token: of.token, params: { period, form } })
  expect([answer.status, answer.narration]).toEqual([200, ''])
  const files = filesIn(answer.body)
  const signature = signatureFileSchema.parse(JSON.parse(String(files['signature.json'])))
  const file = files[signature.name] ?? Buffer.alloc(0)
  return { files, file, signature }
}

const stated = async (of: Person, period: string): Promise<Statement> =>
  statementSchema.parse(JSON.parse(String((await download(of, period)).file)))

test('a preview has the sums of the file', async () => {
  const { opening, closing, lines, totals } = await stated(investor, YEAR)
  const { body } = await product.call(previewStatement, {
    token: investor.token,
    params: { period: YEAR },
  })
  expect(body).toEqual({ opening, closing, sums: totals.sums, lines: lines.length })
  const { token } = await person(product)
  const other = await product.call(previewStatement, { token, params: { period: YEAR } })
  expect([other.body.lines, other.body.closing.total]).toEqual([0, '0.00'])
})

test('a statement tells each movement and both ends', async () => {
  const statement = await stated(investor, YEAR)
  expect(statement).toMatchObject({
    investor: { id: investor.id, name: 'Test Person' },
    period: { name: YEAR, isComplete: false },
    opening: { available: '0.00', total: '0.00' },
    closing: { available: '455.00', held: '50.00', invested: '0.00', promised: '0.00' },
    totals: {
      sums: { deposited: '500.00', interestEarned: '5.00', withdrawn: '0.00', fees: '0.00' },
      byMovement: [
        { movement: 'deposit_confirmed', count: 1, amount: '500.00' },
        { movement: 'investment_opened', amount: '100.00', interest: '0.00', promised: '5.00' },
        { movement: 'investment_matured', amount: '100.00', interest: '5.00', promised: '-5.00' },
        { movement: 'withdrawal_held', count: 1, amount: '50.00' },
      ],
    },
  })
  expect(statement.lines.map(({ balances }) => balances.total)).toEqual([
    '500.00',
    '500.00',
    '505.00',
    '505.00',
  ])
  expect((await expectStatements(product)).length).toBeGreaterThanOrEqual(4)
})

test('the signature covers the name and every byte', async () => {
  for (const form of ['pdf', 'json', 'csv'] as const) {
    const { files, file, signature } = await download(investor, YEAR, form)
    expect(Object.keys(files)).toEqual([signature.name, 'signature.json'])
    expect(signature.name).toContain(investor.id)
    expect(createHash('sha256').update(file).digest('hex')).toBe(signature.digest)
    const { body } = await product.call(poolKeys)
    const { keys } = JSON.parse(String(body))
    expect(keys[0].id).toBe(signature.keyId)
    expect(await isGenuine(keys[0].publicKey, signature)).toBe(true)
    expect(await isGenuine(keys[0].publicKey, { ...signature, name: 'other.json' })).toBe(false)
    const changed = Buffer.from(file)
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
    const digest = createHash('sha256').update(changed).digest('hex')
    expect(await isGenuine(keys[0].publicKey, { ...signature, digest })).toBe(false)
  }
})

test('the program of the guide checks it without the pool', async () => {
  const { files, signature } = await download(investor, YEAR)
  const { body } = await product.call(poolKeys)
  const [{ publicKey }] = JSON.parse(String(body)).keys
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/verifying.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'pool-statement-'))
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
    writeFileSync(join(folder, 'check.mjs'), /```js\n(.*?)```/s.exec(guide)?.[1] ?? '')
    const run = () =>
      execFileSync(process.execPath, ['check.mjs', signature.name, publicKey], {
        cwd: folder,
        encoding: 'utf8' as const,
      }).trim()
    expect(run()).toBe('genuine')
    writeFileSync(join(folder, signature.name), `${files[signature.name]} `)
    expect(run()).toBe('not genuine')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const isGenuine = async (
  publicKey: string,
  { name, digest, signature }: { name: string; digest: string; signature: string },
): Promise<boolean> => {
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', Buffer.from(publicKey, 'base64url'), 'Ed25519', false, [
    'verify',
  ])
  const text = Buffer.from(`pool file v1\n${name}\n${digest}\n`)
  return subtle.verify('Ed25519', key, Buffer.from(signature, 'base64url'), text)
}

test('a PDF has the figures in the language asked for', async () => {
  const { lines, closing } = await stated(investor, YEAR)
  for (const [language, title] of [
    ['en', 'Account statement'],
    ['es', 'Extracto de cuenta'],
  ] as const) {
    const answer = await product.call(readStatement, {
      token: investor.token,
      params: { period: YEAR, form: 'pdf' },
      language,
    })
    const [[name, file] = ['', Buffer.alloc(0)]] = Object.entries(filesIn(answer.body))
    expect(name).toMatch(new RegExp(`${investor.id}-${language}\\.pdf$`))
    const { pages, info } = await readPdf(file)
    expect([info.Language, pages[0]?.texts.includes(title)]).toEqual([language, true])
    expect(pages[0]?.texts).toContain(closing.total)
    const texts = pages.flatMap((page) => page.texts)
    for (const { transactionId, balances } of lines) {
      expect(texts.join(' ')).toContain(transactionId)
      expect(texts).toContain(balances.total)
    }
  }
})

test('months sum up to the year, the same each time', async () => {
  const saver = await person(product)
  await fund(product, saver, cents(200_00n))
  const past = `${Number(YEAR) - 1}`
  // The deposit was decided and asked for in the year before.
  await tamper(
    product.database,
    `UPDATE transactions SET created_at = '${past}-03-05', updated_at = '${past}-03-05T10:00:00Z' WHERE user_id = '${saver.id}';
     UPDATE movements SET created_at = '${past}-03-05T10:00:00Z' WHERE reference_id IN (SELECT id FROM transactions WHERE user_id = '${saver.id}')`,
  )
  const { body } = await product.call(listStatements, { token: saver.token })
  expect(body).toContainEqual({ period: past, isComplete: true })
  expect(body).toContainEqual({ period: `${past}-03`, isComplete: true })
  expect(body).not.toContainEqual({ period: `${past}-02`, isComplete: true })
  const [year, march, april] = [
    await stated(saver, past),
    await stated(saver, `${past}-03`),
    await stated(saver, `${past}-04`),
  ]
  expect(year.lines).toEqual([...march.lines, ...april.lines])
  expect([march.closing, april.opening, april.closing]).toEqual([
    year.closing,
    year.closing,
    year.closing,
  ])
  expect(april.lines).toEqual([])
  expect(year.totals.byMonth).toMatchObject([
    { month: `${past}-03`, sums: { deposited: '200.00' } },
  ])
  const [once, again] = [await download(saver, past), await download(saver, past)]
  expect(again.file.equals(once.file)).toBe(true)
  expect(again.signature).toEqual(once.signature)
})

test('everybody gets their own statement alone', async () => {
  const other = await person(product)
  const statement = await stated(other, YEAR)
  expect([statement.investor.id, statement.lines]).toEqual([other.id, []])
  for (const query of [{ userId: investor.id }, { user: investor.id }] as never[]) {
    const answer = await product.call(readStatement, {
      token: other.token,
      query,
      params: { period: YEAR, form: 'json' },
    })
    const files = filesIn(answer.body)
    expect(Object.keys(files)[0]).toContain(other.id)
  }
})

test('a time to come and strange names have no statement', async () => {
  const { token } = investor
  for (const [period, status] of [
    ['2099', 404],
    ['2099-01', 404],
    ['2026-13', 400],
    ['1999', 400],
    ['../2026', 400],
  ] as const) {
    const answer = await product.call(readStatement, { token, params: { period, form: 'json' } })
    expect([period, answer.status]).toEqual([period, status])
  }
})

test('statements are limited in an hour', async () => {
  const eager = await person(product)
  await product.database.superuser.query('UPDATE login_throttles SET failures = 60')
  const ask = () =>
    product.call(readStatement, { token: eager.token, params: { period: YEAR, form: 'csv' } })
  expect((await ask()).status).toBe(200)
  await product.database.superuser.query(
    'UPDATE login_throttles SET failures = 60 WHERE last_at > now() - interval $$1 hour$$',
  )
  expect(await ask()).toMatchObject({ status: 429, body: { code: 'tooManyStatements' } })
})
