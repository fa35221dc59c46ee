/** Coins on the chains compared with the books, for staff only. */
import { listOwnAddresses, type OwnAddress } from '@pool/contract/coins/custody'
import {
  type Reconciliation,
  type ReconciliationSummary,
  readReconciliation,
} from '@pool/contract/coins/reconciliation'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

type Coin = Reconciliation['coins'][number]

const units = or(asText, '0')

const readLine = record({
  account: or(asText, ''),
  chain: units,
  booked: units,
  pending: units,
  unopened: units,
} satisfies Shape<Coin['lines'][number]>)

const readCoin = record({
  network: or(asText, ''),
  asset: or(asText, ''),
  unexplained: units,
  uncovered: units,
  difference: units,
  accepted: units,
  dollars: asNumber,
  lines: list(readLine),
} satisfies Shape<Coin>)

const readNetwork = record({
  network: or(asText, ''),
  height: asNumber,
  addresses: asNumber,
  problem: asText,
} satisfies Shape<Reconciliation['networks'][number]>)

const summary = {
  id: or(asText, ''),
  at: asMoment,
  isWhole: asFlag,
  breaks: or(asNumber, 0),
  isUnpriced: asFlag,
  isPausing: asFlag,
} satisfies Shape<ReconciliationSummary>

const readNewest = record({
  ...summary,
  limit: or(asNumber, 0),
  networks: list(readNetwork),
  coins: list(readCoin),
  valuation: record({
    custody: or(asNumber, 0),
    typed: or(asNumber, 0),
    coins: or(asNumber, 0),
    difference: or(asNumber, 0),
  }),
} satisfies Shape<Reconciliation>)

/** A coin of a network as the screen shows it. */
export type ComparedCoin = ReturnType<typeof readCoin>
/** A comparison as the screen shows it. */
export type ShownReconciliation = ReturnType<typeof readNewest>

const read = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    hasNodes: asFlag(fields.hasNodes),
    isPaused: asFlag(fields.isPaused),
    newest: asRecord(fields.newest) === null ? null : readNewest(fields.newest),
    earlier: list(record(summary))(fields.earlier),
  }
}

/** The interval of the query in milliseconds. Coins are compared each hour. */
const ASKED_EVERY = 60_000

/** The newest comparison and those before. `otherwise` is said of a failure without a sentence. */
export const useReconciliation = (otherwise: string) =>
  useQuery({
    queryKey: ['reconciliation'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      read((await call(readReconciliation, { signal, texts: { otherwise } })).data),
  })

const readAddress = record({
  id: or(asText, ''),
  network: or(asText, ''),
  address: or(asText, ''),
  class: or(asText, ''),
  createdAt: asMoment,
} satisfies Shape<OwnAddress>)

/** The pool's own addresses. */
export const useOwnAddresses = (otherwise: string) =>
  useQuery({
    queryKey: ['reconciliation', 'addresses'],
    queryFn: async ({ signal }) =>
      list(readAddress)((await call(listOwnAddresses, { signal, texts: { otherwise } })).data),
  })
