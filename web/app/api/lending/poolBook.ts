/** The public figures of the loan book, and the files of its loans. */
import { callFailed } from '@pool/contract/base/messages'
import {
  bookBuckets,
  listTapes,
  type PoolBook,
  poolBook,
  readTape,
  type Tape,
} from '@pool/contract/lending/poolBook'
import { poolKeys } from '@pool/contract/reports/poolKeys'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { apiHost, urlOf } from '../http/url.ts'

const number = or(asNumber, 0)
const text = or(asText, '')

/** Numbers of a list, null for one that is missing. */
const numbers = (value: unknown): readonly (number | null)[] =>
  Array.isArray(value) ? value.map(asNumber) : []

/** A month has no day. */
const asMonth = (value: unknown): Date | null =>
  asMoment(Array.isArray(value) ? [...value, 1] : value)

const readBook = record({
  outstanding: number,
  loans: number,
  borrowers: number,
  rate: asNumber,
  termDays: asNumber,
  largest: numbers,
  related: number,
  everLent: number,
})
const readBucket = record({
  bucket: oneOf(bookBuckets),
  loans: number,
  outstanding: number,
  overdue: number,
} satisfies Shape<PoolBook['arrears']['buckets'][number]>)
const readYear = record({
  year: number,
  takenOver: asFlag,
  loans: number,
  disbursed: number,
  late: number,
  defaults: number,
  exposure: number,
} satisfies Shape<PoolBook['years'][number]>)
const readVintage = record({
  year: number,
  quarter: number,
  takenOver: asFlag,
  loans: number,
  disbursed: number,
  defaulted: numbers,
  writtenOff: number,
  recovered: number,
})
const readMonth = record({
  month: asMonth,
  paid: number,
  setAside: number,
  interest: number,
  recoveries: number,
  capital: number,
  withdrawn: number,
  writtenOff: number,
} satisfies Shape<PoolBook['month']>)
const readInterest = record({
  promised: number,
  paid: number,
  fromBorrowers: number,
  pace: record({ days: number, promised: number }),
  runwayDays: asNumber,
  covered90: asNumber,
  planRate: asNumber,
  months: list(
    record({
      month: asMonth,
      promised: number,
      income: number,
      fromBorrowers: number,
    } satisfies Shape<PoolBook['interest']['months'][number]>),
  ),
} satisfies Shape<PoolBook['interest']>)
const readLosses = record({
  writtenOff: number,
  borne: number,
  recovered: number,
  returned: number,
} satisfies Shape<PoolBook['losses']>)
const readReserve = record({
  balance: number,
  committed: number,
  free: number,
  deployed: number,
  lent: number,
  openLoss: number,
  expectedLoss: number,
  interestCoverage: asNumber,
  capitalCoverage: asNumber,
} satisfies Shape<PoolBook['reserve']>)
const readLiquidity = record({
  coins: number,
  typed: number,
  owed: number,
  owedInAll: number,
  networks: list(record({ network: text, asset: text, units: text })),
  days: list(record({ days: number, promised: number, due: number, expected: asNumber })),
  collected: asNumber,
})
const readPayouts = record({
  half: asNumber,
  most: asNumber,
  completed: number,
  open: number,
  oldest: asNumber,
  refused: number,
  returned: number,
  outOfOrder: number,
  withoutReason: number,
} satisfies Shape<PoolBook['payouts']>)
const readReconciliation = record({ at: asMoment, isWhole: asFlag, breaks: number })
const readTrust = record({
  reconciliation: (value) => (asRecord(value) ? readReconciliation(value) : null),
  plans: list(
    record({
      durationDays: number,
      rateBasisPoints: number,
      isOpen: asFlag,
      startsAt: asMoment,
    } satisfies Shape<PoolBook['trust']['plans'][number]>),
  ),
})

const readFigures = record({
  at: asMoment,
  book: readBook,
  arrears: record({ buckets: list(readBucket), risk30: asNumber }),
  years: list(readYear),
  vintages: list(readVintage),
  month: readMonth,
  interest: readInterest,
  losses: readLosses,
  reserve: readReserve,
  liquidity: readLiquidity,
  payouts: readPayouts,
  trust: readTrust,
})
/** The figures as screens show them: dollars, basis points, seconds. */
export type ShownPool = ReturnType<typeof readFigures>

/** Milliseconds until the figures are asked for again, and before the first count. */
const ASKED_EVERY = 60_000
const ASKED_SOON = 3_000

/** The figures; null before the first count. */
export const usePoolBook = () =>
  useQuery<ShownPool | null>({
    queryKey: ['pool', 'book'],
    refetchInterval: ({ state }) => (state.data === null ? ASKED_SOON : ASKED_EVERY),
    queryFn: async ({ signal }) => {
      const { data } = await call(poolBook, { signal, texts: { otherwise: callFailed.dashboard } })
      return asRecord(data) ? readFigures(data) : null
    },
  })

const readTapeRow = record({
  day: asMoment,
  loans: number,
  size: number,
  digest: text,
  name: text,
  signed: or(record({ keyId: text, signature: text }), null),
} satisfies Shape<Tape>)
export type TapeRow = ReturnType<typeof readTapeRow>

/** The files, the newest first. */
export const useTapes = (otherwise: string) =>
  useQuery({
    queryKey: ['pool', 'tapes'],
    queryFn: async ({ signal }) =>
      list(readTapeRow)((await call(listTapes, { signal, texts: { otherwise } })).data),
  })

/** The public keys that check the signatures of files. */
export const poolKeysUrl = (): string => urlOf(poolKeys)

/** The URL of the file of a day. */
export const tapeUrl = (day: Date): string =>
  `${apiHost()}${readTape.path.replace('{day}', day.toISOString().slice(0, 10))}`

/** Loans in default, which the book counts among those that owe something. */
export const inDefault = ({ arrears }: Pick<ShownPool, 'arrears'>): number =>
  arrears.buckets.find(({ bucket }) => bucket === 'recovery')?.loans ?? 0
