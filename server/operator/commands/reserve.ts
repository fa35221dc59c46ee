import { amountSchema } from '@pool/contract/base/fields'
import {
  type Cents,
  centsFromDollars,
  dollarsFromCents,
  formatDollars,
} from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import type { Database } from '../../base/db/connection.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run reserve -- show
  npm run reserve -- add AMOUNT --note TEXT     play coins of a sandbox: AMOUNT in dollars, for example 25000.00`

const show = async ({ db }: Database): Promise<void> => {
  const dollars = async (kind: 'reserve' | 'committed') =>
    formatDollars(dollarsFromCents(await poolBalance(db, kind)))
  print(`Reserve, free:      ${await dollars('reserve')}`)
  print(`Committed interest: ${await dollars('committed')}`)
}

const amountFrom = (text: string): Cents => {
  const amount = amountSchema.safeParse(/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)
  // `1.500` may be fifteen hundred.
  const isFiner = /\.\d{3}/.test(text)
  if (!amount.success || isFiner)
    throw new UsageError(
      `'${text}': ${isFiner ? validation.amountDecimals : amount.error?.issues[0]?.message}.\n${usage}`,
    )
  return centsFromDollars(amount.data)
}

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'note')
  const [verb, amountText = '', ...rest] = words
  const note = options.note?.trim() ?? ''
  if (verb === 'show' && amountText === '') return show
  if (verb !== 'add' || note === '' || rest.length > 0) throw new UsageError(usage)
  const amount = amountFrom(amountText)

  return async (product, { poolMode }) => {
    if (poolMode === 'live')
      throw new Error(
        'Capital of a live pool is coins. Send them to an own address, and let two super admins book them on /admin/reconciliation.',
      )
    await contributeCapital(
      { keys: product.keys, ledger: openLedger(product.pool) },
      { amount, note, contributedBy: operator().name },
    )
    print(`${formatDollars(dollarsFromCents(amount))} was added to the reserve.`)
    await show(product)
  }
})
