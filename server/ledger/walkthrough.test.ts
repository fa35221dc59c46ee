import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { invest } from '@pool/contract/investments'
import { approve, confirm, deposit, withdraw } from '@pool/contract/transactions'
import { createWallet } from '@pool/contract/wallets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Person, type Product, person, startProduct } from '../testing/product.ts'
import { tamper } from '../testing/tamper.ts'
import { POOL_OWNER } from './accounts.ts'

const FILE = fileURLToPath(new URL('../../docs/ledger.md', import.meta.url))
/** Wide enough for a leg, narrow enough for a page. */
const WIDTH = 100
const WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const PAYEE = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'

let product: Product
let investor: Person
let approver: Person
let page: string
/** The page's names for ids, which differ each time. */
const names = new Map<string, string>([[POOL_OWNER, 'POOL']])

beforeAll(async () => {
  product = await startProduct()
  investor = await person(product)
  approver = await person(product, ['ADMIN'])
  names.set(investor.id, 'INVESTOR').set(approver.id, 'APPROVER')
  await product.call(createWallet, {
    token: approver.token,
    payload: { address: WALLET, networkName: 'Bitcoin' },
  })
  page = readFileSync(FILE, 'utf8')
})
afterAll(() => product.close())

const idOf = (name: string): string => [...names].find(([, known]) => known === name)?.[0] ?? name

/** Each call of the page over HTTP. Names the rows that it makes. */
const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  requestDeposit: () => asInvestor(deposit, { amount: 250 }, 'DEPOSIT'),
  confirmDeposit: () => asApprover(confirm, { transactionId: idOf('DEPOSIT') }, 'confirm-1'),
  confirmDepositAgain: () => asApprover(confirm, { transactionId: idOf('DEPOSIT') }, 'confirm-1'),
  openInvestment: () => asInvestor(invest, { amount: 100, durationDays: 1 }, 'INVESTMENT'),
  payMatured: async () => {
    await tamper(
      product.database,
      "UPDATE investments SET created_at = created_at - interval '1 day', matures_at = matures_at - interval '1 day'",
    )
    await product.context.ledger.payMatured(500)
  },
  requestWithdrawal: () =>
    asInvestor(
      withdraw,
      { amount: 50, destinationAddress: PAYEE, networkName: 'Bitcoin' },
      'WITHDRAWAL',
    ),
  requestTooMuch: () => asInvestor(withdraw, { amount: 205 }, 'TOO MUCH'),
  approveWithdrawal: () =>
    asApprover(
      approve,
      { transactionId: idOf('WITHDRAWAL'), userId: investor.id, payeeAddress: PAYEE },
      'approve-1',
    ),
}

const asInvestor = async (
  endpoint: typeof deposit | typeof invest | typeof withdraw,
  payload: object,
  made: string,
) => {
  const key = made.toLowerCase().replace(' ', '-')
  const { body } = await product.call(endpoint, {
    token: investor.token,
    payload: { userId: investor.id, ...payload },
    key: `${key}-1`,
  })
  const { transactionId, investmentId } = body as { transactionId?: string; investmentId?: string }
  names.set(transactionId ?? investmentId ?? made, made)
}

const asApprover = (endpoint: typeof confirm | typeof approve, payload: object, key: string) =>
  product.call(endpoint, { token: approver.token, payload, key })

type Sent =
  | { readonly name: 'post_operations'; readonly values: readonly [operations: string] }
  | {
      readonly name: 'pay_matured'
      readonly values: readonly [ids: readonly string[], legs: string]
    }

/** Takes a step. Returns the ledger's statement and its answer. */
const take = async (step: string): Promise<{ sent: Sent; answer: Record<string, unknown> }> => {
  const query = vi.spyOn(product.database.pool, 'query')
  await steps[step]?.()
  const at = query.mock.calls.findIndex(([config]) =>
    /^(post_operations|pay_matured)$/.test((config as unknown as Sent).name),
  )
  const sent = query.mock.calls[at]?.[0] as unknown as Sent
  const result = (await query.mock.results[at]?.value) as { rows: Record<string, unknown>[] }
  query.mockRestore()
  return { sent, answer: result.rows[0] ?? {} }
}

/** Formats on one line if it fits, else one line for each part. */
const pretty = (value: unknown, indent = ''): string => {
  const isList = Array.isArray(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const label = (key: string) => (isList ? '' : `${JSON.stringify(key)}: `)
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${Object.entries(value)
    .map(([key, part]) => label(key) + pretty(part))
    .join(', ')}${close}`
  if (indent.length + line.length <= WIDTH && !line.includes('\n')) return line
  const inner = `${indent}  `
  const parts = Object.entries(value).map(
    ([key, part]) => `${inner}${label(key)}${pretty(part, inner)}`,
  )
  return `${open.trim()}\n${parts.join(',\n')}\n${indent}${close.trim()}`
}

/** An operation with names for ids, digests and times, without its audit entry. */
const readable = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { entry: _entry, source: _source, ...shown } = value as Record<string, unknown>
  return {
    ...shown,
    ...('request_hash' in shown && { request_hash: 'DIGEST OF THE CALL' }),
    ...('session' in shown && { session: '\\x DIGEST OF THE TOKEN' }),
    ...('at' in shown && { at: 'NOW' }),
    ...('maturesAt' in shown && { maturesAt: 'A DAY LATER' }),
  }
}

const parsed = (json: string): unknown => JSON.parse(json, readable)

/** Replaces ids by their names. An id without a name belongs to a row written on the way. */
const named = (text: string): string =>
  [...names]
    .reduce((result, [id, name]) => result.replaceAll(id, name), text)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ITS ROW')

const statementOf = ({ name, values }: Sent): string => {
  if (name === 'post_operations') return `SELECT ${name}('${pretty(parsed(values[0]))}')`
  const [ids, legs] = values
  return `SELECT matured, paid FROM ${name}(ARRAY['AN ID', …], '${pretty(parsed(legs))}') -- ${ids.length} ids`
}

const answerOf = ({ outcomes, ...columns }: Record<string, unknown>): string =>
  outcomes === undefined
    ? table([columns as Record<string, string>])
    : pretty(parsed(JSON.stringify(outcomes)))

/** Formats rows like psql. */
const table = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const [first] = rows
  if (!first) return '(no rows)'
  const text = (value: unknown) => String(value ?? '')
  const columns = Object.keys(first).map((name) => ({
    name,
    width: Math.max(name.length, ...rows.map((row) => text(row[name]).length)),
    isNumber: rows.every((row) => /^-?\d*$/.test(text(row[name]))),
  }))
  const line = (cell: (column: (typeof columns)[number]) => string, joint: string) =>
    columns.map(cell).join(joint).trimEnd()
  const pad = ({ width, isNumber }: (typeof columns)[number], value: string) =>
    isNumber ? value.padStart(width) : value.padEnd(width)
  return [
    line(({ name, width }) => name.padEnd(width), ' | '),
    line(({ width }) => '-'.repeat(width), '-+-'),
    ...rows.map((row) => line((column) => pad(column, text(row[column.name])), ' | ')),
  ].join('\n')
}

/** Runs a query of the page. An error is an answer too. */
const ask = async (statement: string): Promise<string> => {
  const text = [...names].reduce(
    (result, [id, name]) => result.replaceAll(`'${name}'`, `'${id}'`),
    statement,
  )
  try {
    return table(
      (await product.database.superuser.query({ text, types: { getTypeParser: () => String } }))
        .rows,
    )
  } catch (error) {
    return `ERROR: ${(error as Error).message}`
  }
}

const block = (language: string, content: string): string =>
  `\`\`\`${language}\n${named(content)}\n\`\`\``
const BLOCKS =
  /(?:<!-- (?<step>\w+) -->\n\n)?(?:```sql\n(?<statement>[^`]*)```\n\n)?```text\n[^`]*```/g

test('docs/ledger.md shows the statements and rows of the product', async () => {
  let rest = page
  let written = ''
  for (const found of page.matchAll(BLOCKS)) {
    const { step, statement } = found.groups ?? {}
    const [before = ''] = rest.split(found[0], 1)
    rest = rest.slice(before.length + found[0].length)
    written += before
    if (step === undefined)
      written += `${block('sql', (statement ?? '').trimEnd())}\n\n${block('text', await ask(statement ?? ''))}`
    else {
      const { sent, answer } = await take(step)
      const shown = statement === undefined ? '' : `${block('sql', statementOf(sent))}\n\n`
      written += `<!-- ${step} -->\n\n${shown}${block('text', answerOf(answer))}`
    }
  }
  written += rest
  if (process.env.UPDATE_LEDGER === 'yes') writeFileSync(FILE, written)
  expect(Object.keys(steps).filter((step) => !written.includes(`<!-- ${step} -->`))).toEqual([])
  expect(written).toBe(readFileSync(FILE, 'utf8'))
})
