import { callFailed } from '@pool/contract/messages'
import { investmentStory, transactionStory } from '@pool/contract/stories'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { queryClient } from './http/queryClient.ts'
import { asMoment, asNumber, asRecord, asRecords, asText } from './http/reading.ts'
import { type InvestmentRow, readOwnInvestment } from './investments.ts'
import { readTransaction, type TransactionRow } from './transactions.ts'

/** What a story is about. */
export type Subject = { readonly kind: 'transaction' | 'investment'; readonly id: string }

/** Something that happened; `username` names who did it where the reader may know (staff). */
export type StoryEvent = {
  readonly at: Date | null
  readonly what: string
  readonly by: string
  readonly username: string | null
}

/** A transfer of the ledger, in dollars. */
export type StoryTransfer = {
  readonly movement: string
  readonly from: string
  readonly to: string
  readonly amount: number | null
  readonly at: Date | null
}

/**
 * The story of a transaction or an investment: the row itself, what happened to it, and the
 * transfers behind it.
 */
export type Story = {
  readonly transaction: TransactionRow | null
  readonly investment: InvestmentRow | null
  /** Interest over the whole duration, in hundredths of a percent; of an investment only. */
  readonly rateBasisPoints: number | null
  /** Other rows that belong to it. */
  readonly related: {
    readonly investment: string | null
    readonly opening: string | null
    readonly payout: string | null
  }
  readonly events: readonly StoryEvent[]
  readonly transfers: readonly StoryTransfer[]
}

const readStory = (value: unknown): Story => {
  const fields = asRecord(value) ?? {}
  return {
    transaction: asRecord(fields.transaction) && readTransaction(fields.transaction),
    investment: asRecord(fields.investment) && readOwnInvestment(fields.investment),
    rateBasisPoints: asNumber(fields.rateBasisPoints),
    related: {
      investment: asText(fields.investmentId),
      opening: asText(fields.openingTransactionId),
      payout: asText(fields.payoutTransactionId),
    },
    events: (asRecords(fields.events) ?? []).map(({ at, what, by }) => ({
      at: asMoment(at),
      what: asText(what) ?? '',
      by: asText(asRecord(by)?.kind) ?? '',
      username: asText(asRecord(by)?.username),
    })),
    transfers: (asRecords(fields.transfers) ?? []).map(({ movement, from, to, amount, at }) => ({
      movement: asText(movement) ?? '',
      from: asText(from) ?? '',
      to: asText(to) ?? '',
      amount: asNumber(amount),
      at: asMoment(at),
    })),
  }
}

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
