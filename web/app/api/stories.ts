import type { Transfer } from '@pool/contract/ledger'
import { callFailed } from '@pool/contract/messages'
import {
  type Actor,
  type Event,
  type InvestmentStory,
  investmentStory,
  type TransactionStory,
  transactionStory,
} from '@pool/contract/stories'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { queryClient } from './http/queryClient.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from './http/reading.ts'
import { readOwnInvestment } from './investments.ts'
import { readTransaction } from './transactions.ts'

/** What a story is about. */
export type Subject = { readonly kind: 'transaction' | 'investment'; readonly id: string }

const actor = record({ kind: or(asText, ''), username: asText } satisfies Shape<Actor>)

const event = record({ at: asMoment, what: or(asText, ''), by: actor } satisfies Shape<Event>)
/** Something that happened; `by.username` names who did it where the reader may know (staff). */
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

/** The stories of transactions and investments, in one; what one of the two lacks is null. */
const readStory = record({
  transaction: (value) => asRecord(value) && readTransaction(value),
  investment: (value) => asRecord(value) && readOwnInvestment(value),
  rateBasisPoints: asNumber,
  investmentId: asText,
  openingTransactionId: asText,
  payoutTransactionId: asText,
  events: list(event),
  transfers: list(transfer),
} satisfies Shape<TransactionStory & InvestmentStory>)
export type Story = ReturnType<typeof readStory>

const endpoints = { transaction: transactionStory, investment: investmentStory } as const

const storyQuery = ({ kind, id }: Subject) =>
  queryOptions({
    queryKey: ['stories', kind, id],
    // Asked for again whenever it is opened: decisions rest on what it says, above all on where a
    // withdrawal is paid (docs/threats.md T17).
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

/** The story of a transaction or an investment; a client is told those of its own rows. */
export const useStory = (subject: Subject) => useQuery(storyQuery(subject))

/** Why a transaction was rejected; null where that is not known. */
export const findReason = async (id: string): Promise<string | null> =>
  (await queryClient.fetchQuery(storyQuery({ kind: 'transaction', id }))).transaction?.reason ??
  null
