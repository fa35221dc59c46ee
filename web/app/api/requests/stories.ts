import { callFailed } from '@pool/contract/base/messages'
import type { Transfer } from '@pool/contract/money/ledger'
import {
  type Actor,
  type Event,
  type InvestmentStory,
  investmentStory,
  type TransactionStory,
  transactionStory,
} from '@pool/contract/requests/stories'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { asPayments } from '../chain/depositPayments.ts'
import { asQuote } from '../chain/quotes.ts'
import { asCoinPayout } from '../coins/coinPayout.ts'
import { call } from '../http/client.ts'
import { queryClient } from '../http/queryClient.ts'
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
import { readOwnInvestment } from '../money/investments.ts'
import { readTransaction } from './transactions.ts'

/** The subject of a story. */
export type Subject = { readonly kind: 'transaction' | 'investment'; readonly id: string }

const actor = record({ kind: or(asText, ''), username: asText } satisfies Shape<Actor>)

const event = record({
  at: asMoment,
  what: or(asText, ''),
  by: actor,
  amount: asNumber,
} satisfies Shape<Event>)
/** An event. Staff get the actor's `by.username`. */
export type StoryEvent = ReturnType<typeof event>

const transfer = record({
  movement: or(asText, ''),
  from: or(asText, ''),
  to: or(asText, ''),
  amount: asNumber,
  at: asMoment,
} satisfies Shape<Transfer>)
/** A transfer of the ledger, in dollars. */
export type StoryTransfer = ReturnType<typeof transfer>

/** Reads the stories of transactions and of investments. Fields of the other kind are null. */
const readStory = record({
  transaction: (value) => asRecord(value) && readTransaction(value),
  investment: (value) => asRecord(value) && readOwnInvestment(value),
  rateBasisPoints: asNumber,
  investmentId: asText,
  quote: asQuote,
  payments: asPayments,
  coinPayout: asCoinPayout,
  ahead: asNumber,
  openingTransactionId: asText,
  payoutTransactionId: asText,
  events: list(event),
  transfers: list(transfer),
  transfersArchived: asFlag,
} satisfies Shape<TransactionStory & InvestmentStory>)
export type Story = ReturnType<typeof readStory>

const endpoints = { transaction: transactionStory, investment: investmentStory } as const

const storyQuery = ({ kind, id }: Subject) =>
  queryOptions({
    queryKey: ['stories', kind, id],
    // Loaded at each opening: approvals rest on the address in it (docs/threats.md T17).
    staleTime: 0,
    queryFn: async ({ signal }) =>
      readStory(
        (
          await call(endpoints[kind], {
            params: { id },
            signal,
            texts: { otherwise: callFailed.dashboard },
          })
        ).data,
      ),
  })

/** The story of a transaction or an investment. Investors get those of their own rows. */
export const useStory = (subject: Subject) => useQuery(storyQuery(subject))

/** True once a payment of a deposit was seen that stands. */
export const isPaid = (story: Story | undefined): boolean =>
  story?.payments?.some(({ state }) => state === 'SEEN' || state === 'CONFIRMED') ?? false

/** The same of a deposit whose dialog is open. False without one. */
export const useIsPaid = (depositId: string | null): boolean => {
  const subject = { kind: 'transaction' as const, id: depositId ?? '' }
  return isPaid(useQuery({ ...storyQuery(subject), enabled: depositId !== null }).data)
}

/** The reason of a rejection, or null. */
export const findReason = async (id: string): Promise<string | null> =>
  (await queryClient.fetchQuery(storyQuery({ kind: 'transaction', id }))).transaction?.reason ??
  null
