import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createWallet } from '@pool/contract/chain/wallets'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { invest } from '@pool/contract/money/investments'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Person, person, testProduct } from '../../testing/product.ts'
import type { Answer } from '../../testing/request.ts'
import { tamper } from '../../testing/tamper.ts'
import { POOL_OWNER } from '../families/accounts.ts'

const FILE = fileURLToPath(new URL('../../../docs/ledger.md', import.meta.url))
/** Wide enough for a leg, narrow enough for a page. */
const WIDTH = 100
const WALLET = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const PAYEE = 'bc1qwqdg6squsna38e46795at95yu9atm8azzmyvckulcc7kytlcckxswvvzej'

const product = testProduct()
let investor: Person
let approver: Person
let page: string
/** The page's names for ids, which differ each time. */
const names = new Map<string, string>([[POOL_OWNER, 'POOL']])

beforeAll(async () => {
  investor = await person(product)
  approver = await person(product, ['ADMIN'])
  names.set(investor.id, 'INVESTOR').set(approver.id, 'APPROVER')
  const { body } = await product.call(createWallet, {
    token: approver.token,
    payload: { address: WALLET, networkName: 'Bitcoin' },
  })
  names.set(body.id, 'WALLET')
  const { rows } = await product.database.pool.query<{ id: bigint; kind: string }>(
    'SELECT id, kind FROM accounts WHERE owner_id = ANY ($1)',
    [[POOL_OWNER, investor.id]],
  )
  for (const { id, kind } of rows) accountNames.set(id, kind.toUpperCase())
  page = readFileSync(FILE, 'utf8')
})

const idOf = (name: string): string => [...names].find(([, known]) => known === name)?.[0] ?? name

/** Each call of the page, over HTTP if it has a route. Names the rows that it makes. */
const steps: Readonly<Record<string, () => Promise<string>>> = {
  requestDeposit: () => asInvestor(deposit, { amount: 250 }, 'DEPOSIT'),
  confirmDeposit: () => asApprover(confirm, { transactionId: idOf('DEPOSIT') }, 'confirm-1'),
  confirmDepositAgain: () => asApprover(confirm, { transactionId: idOf('DEPOSIT') }, 'confirm-1'),
  openInvestment: () => asInvestor(invest, { amount: 100, durationDays: 1 }, 'INVESTMENT'),
  payMatured: async () => {
    await tamper(
      product.database,
      "UPDATE investments SET created_at = created_at - interval '1 day', matures_at = matures_at - interval '1 day'",
    )
    return table([await product.context.ledger.payMatured(500)])
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
  completeWithdrawal: async () => {
    const evidence = 'ab'.repeat(32)
    await mark(markSent, { networkName: 'Bitcoin', evidence })
    return mark(markCompleted)
  },
  completeWithdrawalAgain: () => mark(markCompleted),
}

const mark = async (endpoint: typeof markSent | typeof markCompleted, payload?: object) =>
  responseOf(
    await product.call(endpoint, {
      token: approver.token,
      params: { id: idOf('WITHDRAWAL') },
      ...(payload && { payload }),
    }),
  )

const asInvestor = async (
  endpoint: typeof deposit | typeof invest | typeof withdraw,
  payload: object,
  made: string,
) => {
  const key = made.toLowerCase().replace(' ', '-')
  const answer = await product.call(endpoint, {
    token: investor.token,
    payload: { userId: investor.id, ...payload },
    key: `${key}-1`,
  })
  const { transactionId, investmentId } = answer.body as {
    transactionId?: string
    investmentId?: string
  }
  names.set(transactionId ?? investmentId ?? made, made)
  return responseOf(answer)
}

const asApprover = async (
  endpoint: typeof confirm | typeof approve,
  payload: object,
  key: string,
) => responseOf(await product.call(endpoint, { token: approver.token, payload, key }))

const responseOf = ({ status, narration, body }: Answer): string =>
  pretty(JSON.parse(JSON.stringify({ status, narration, body }), readable))

type SentStatement = {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

/** Takes a step. Returns the ledger's statements in order, and the response. */
const take = async (
  step: string,
): Promise<{ sent: readonly SentStatement[]; response: string }> => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const response = (await steps[step]?.()) ?? ''
  const sent = query.mock.calls.map(([config], at) => ({
    ...sentBy(config),
    client: query.mock.contexts[at],
  }))
  query.mockRestore()
  const first = sent.findIndex(({ name, text }) => name === 'pay_matured' || BEGIN.test(text))
  if (first < 0) throw new Error(`the ledger sent nothing for ${step}`)
  const own = sent.slice(first).filter(({ client }) => client === sent[first]?.client)
  const end = BEGIN.test(own[0]?.text ?? '') ? own.findIndex(({ text }) => text === 'COMMIT') : 0
  return { sent: own.slice(0, end + 1), response }
}

/** Opens the transaction of a group, and no other. */
const BEGIN = /^BEGIN;.*pg_advisory_xact_lock_shared/s

const sentBy = (config: unknown): SentStatement => {
  const sent = typeof config === 'string' ? { text: config } : (config as Partial<SentStatement>)
  return { name: sent.name, text: (sent.text ?? '').trim(), values: sent.values ?? [] }
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

/** An outcome or a response without its moments. */
const readable = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return {
    ...value,
    ...('at' in value && { at: 'NOW' }),
    ...('maturesAt' in value && { maturesAt: 'A DAY LATER' }),
    ...('maturityDate' in value && { maturityDate: 'A DAY LATER' }),
  }
}

/** Replaces ids by their names. An id without a name belongs to a row written on the way. */
const named = (text: string): string =>
  [...names]
    .reduce((result, [id, name]) => result.replaceAll(id, name), text)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ITS ROW')

/** Names for the ids of accounts. No amount of the page is as small as an id. */
const accountNames = new Map<bigint, string>()

/** A value as SQL, with names for digests, moments and signed entries. */
const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value))
    return value.length > MOST_SHOWN
      ? `ARRAY['AN ID', …] /* ${value.length} ids */`
      : `ARRAY[${value.map(literal).join(', ')}]`
  if (typeof value === 'bigint') return accountNames.get(value) ?? String(value)
  if (typeof value !== 'string') return String(value)
  if (/^\\x[0-9a-f]{64}$/.test(value)) return "'DIGEST OF THE TOKEN'"
  if (/^[\w-]{43}$/.test(value)) return "'DIGEST OF THE CALL'"
  if (!/^[[{]/.test(value)) return `'${value}'`
  const content: unknown = JSON.parse(value, readable)
  return isEntries(content) ? "'THE SIGNED ENTRY'" : `'${pretty(content)}'`
}
const MOST_SHOWN = 8

const isEntries = (content: unknown): boolean =>
  Array.isArray(content) && content.some((each) => 'mac' in each)

/** A statement with its values in place, in lines that fit if they can. */
const statementOf = ({ name, text, values }: SentStatement): string => {
  const filled = text
    .replaceAll(/\)(, \w+ AS \(\n| SELECT$)/g, '\n)$1')
    .replaceAll(/\$(\d+)/g, (_, n) => named(literal(values[Number(n) - 1])))
    .split('\n')
    .map(wrapped)
    .join('\n')
  return `${name === undefined ? '' : `-- ${name}\n`}${filled};`
}

/** The parts of a line between its commas. A string or an array is one part. */
const PARTS = /(?:'[^']*'?|\[[^\]]*\]|[^',])+,? ?/g

/** Breaks a long line at its commas. */
const wrapped = (line: string): string => {
  if (line.length <= WIDTH) return line
  const indent = `${/^ */.exec(line)?.[0]}  `
  let lines = ['']
  for (const part of line.match(PARTS) ?? []) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + part.trimEnd().length > WIDTH)
      lines = [...lines.slice(0, -1), last.trimEnd(), indent + part]
    else lines = [...lines.slice(0, -1), last + part]
  }
  return lines.join('\n')
}

const WRITES = /^(WITH|INSERT|UPDATE|SELECT write_)/
const shown = new Set<string>()

/** The statements of a step that write, or that the page has not shown yet. */
const statementsOf = (sent: readonly SentStatement[]): string =>
  sent
    .filter(({ text }) => {
      const isNew = !shown.has(text)
      shown.add(text)
      return isNew || WRITES.test(text)
    })
    .map(statementOf)
    .join('\n\n')

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
      const { sent, response } = await take(step)
      const sql = statement === undefined ? '' : `${block('sql', statementsOf(sent))}\n\n`
      written += `<!-- ${step} -->\n\n${sql}${block('text', response)}`
    }
  }
  written += rest
  if (process.env.UPDATE_LEDGER === 'yes') writeFileSync(FILE, written)
  expect(Object.keys(steps).filter((step) => !written.includes(`<!-- ${step} -->`))).toEqual([])
  expect(written).toBe(readFileSync(FILE, 'utf8'))
})
