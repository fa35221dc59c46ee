import { parseArgs } from 'node:util'
import { amountSchema } from '@pool/contract/fields'
import { type Cents, centsFromDollars, dollarsFromCents, formatDollars } from '@pool/contract/money'
import type { Database } from '../db/connection.ts'
import { poolBalance } from '../ledger/accounts.ts'
import { openLedger } from '../ledger/ledger.ts'
import { contributeCapital } from '../reserve/contributeCapital.ts'
import { operator, print, runCommand, UsageError } from './command.ts'

const usage = `Usage:
  npm run reserve -- show
  npm run reserve -- add AMOUNT --note TEXT     AMOUNT in dollars, for example 25000.00`

const show = async ({ db }: Database): Promise<void> => {
  const dollars = async (kind: 'reserve' | 'committed') =>
    formatDollars(dollarsFromCents(await poolBalance(db, kind)))
  print(`Reserve, free:      ${await dollars('reserve')}`)
  print(`Committed interest: ${await dollars('committed')}`)
}

const amountFrom = (text: string): Cents => {
  const amount = amountSchema.safeParse(/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)
  if (!amount.success)
    throw new UsageError(`'${text}': ${amount.error.issues[0]?.message}.\n${usage}`)
  return centsFromDollars(amount.data)
}

await runCommand(() => {
  const { values, positionals } = parseArgs({
    options: { note: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const [verb, amountText = ''] = positionals
  const note = typeof values.note === 'string' ? values.note.trim() : ''
  if (verb === 'show') return show
  if (verb !== 'add' || note === '') throw new UsageError(usage)
  const amount = amountFrom(amountText)

  return async (product) => {
    await contributeCapital(
      { keys: product.keys, ledger: openLedger(product.pool) },
      { amount, note, contributedBy: operator().name },
    )
    print(`${formatDollars(dollarsFromCents(amount))} was added to the reserve.`)
    await show(product)
  }
})
