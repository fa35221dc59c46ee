/** The pool's coins: every movement in units with running balances (docs/product.md 5.39). */
import {
  BYTE_ORDER_MARK,
  type CsvColumn,
  csvHeading,
  csvLines,
  type Exact,
} from '@pool/contract/base/csv'
import { textOfUnits } from '@pool/contract/chain/quotes'
import {
  type BookedCoins,
  selectBookedCoins,
  selectCoinsBefore,
} from '../../coins/custody/coinBooks.ts'
import { requireUnarchived } from '../../ledger/sums/poolTransfers.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { writeSigned } from './archive.ts'
import type { Period } from './period.ts'

type Line = {
  readonly booked: BookedCoins
  readonly fromBalance: bigint
  readonly toBalance: bigint
}

/** Units with their sign as coins. */
const coins = (units: bigint, decimals: number): Exact => {
  const text = textOfUnits(units < 0n ? -units : units, decimals)
  return { exact: `${units < 0n ? '-' : ''}${text}` as Exact['exact'] }
}

const booked = (heading: string, value: CsvColumn<BookedCoins>['value']): CsvColumn<Line> => ({
  heading,
  value: (line) => value(line.booked),
})

const balance = (heading: string, of: 'fromBalance' | 'toBalance'): CsvColumn<Line> => ({
  heading,
  value: (line) => coins(line[of], line.booked.decimals),
})

const COLUMNS: readonly CsvColumn<Line>[] = [
  booked('at', ({ at }) => at.toISOString()),
  booked('movement', ({ kind }) => kind),
  booked('network', ({ network }) => network),
  booked('network_transaction', ({ transaction }) => transaction),
  booked('from', ({ from }) => from),
  booked('to', ({ to }) => to),
  booked('asset', ({ asset }) => asset),
  booked('coins', ({ units, decimals }) => coins(BigInt(units), decimals)),
  balance('from_balance', 'fromBalance'),
  balance('to_balance', 'toBalance'),
  booked('dollars', ({ cents }) => (cents === null ? null : { dollars: Number(cents) / 100 })),
]

const keyOf = (network: string, asset: string, account: string): string =>
  [network, asset, account].join(' ')

/** Running balances, one movement after another. */
const openCoins = (balances: Map<string, bigint>) => {
  const move = (key: string, units: bigint): bigint => {
    const after = (balances.get(key) ?? 0n) + units
    balances.set(key, after)
    return after
  }
  return (booked: BookedCoins): Line => {
    const { network, asset, from, to } = booked
    const units = BigInt(booked.units)
    return {
      booked,
      fromBalance: move(keyOf(network, asset, from), -units),
      toBalance: move(keyOf(network, asset, to), units),
    }
  }
}

/** Writes the movements of coins and their signature into an archive. */
export const writePoolCoins =
  (context: OnRecord, { name, period }: { readonly name: string; readonly period: Period }) =>
  (hand: (bytes: Buffer) => Promise<void>) =>
    writeSigned<BookedCoins>(
      context,
      async (snapshot) => {
        await requireUnarchived(snapshot, period.from)
        const { rows } = await selectCoinsBefore(period.from).execute(snapshot)
        const lineOf = openCoins(
          new Map(
            rows.map(({ network, asset, account, units }) => [
              keyOf(network, asset, account),
              BigInt(units),
            ]),
          ),
        )
        return {
          name,
          beginning: BYTE_ORDER_MARK + csvHeading(COLUMNS),
          query: selectBookedCoins(period),
          add: (booked) => csvLines(booked.map(lineOf), COLUMNS),
          end: () => '',
        }
      },
      hand,
    )
