import { adminFigures, userFigures } from '@pool/contract/figures'
import { callFailed } from '@pool/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { call, requireUserId } from './http/client.ts'
import { asMoment, asNumber, asRecord, asRecords } from './http/reading.ts'

/** An amount of a day or a month, in dollars; `at` is its beginning, UTC. */
export type Figure = { readonly at: Date; readonly amount: number }

/** Dollars; null where the server sent nothing. */
export type UserFigures = {
  readonly invested: number | null
  readonly interestToCome: number | null
  readonly held: number | null
  readonly balances: readonly Figure[]
  readonly interest: readonly Figure[]
}

/** Dollars by day. */
export type AdminFigures = Readonly<
  Record<'deposits' | 'withdrawals' | 'atWork', readonly Figure[]>
>

type Fields = Readonly<Record<string, unknown>>

/** A month is told without a day. */
const momentOf = (parts: unknown): Date | null =>
  asMoment(Array.isArray(parts) && parts.length === 2 ? [...parts, 1] : parts)

/**
 * The figures called `name` of a list by day or month; an entry that says neither when nor how much
 * is left out.
 */
const figuresIn = (rows: readonly Fields[], name: string): readonly Figure[] =>
  rows.flatMap((row) => {
    const at = momentOf(row.day ?? row.month)
    const amount = asNumber(row[name])
    return at && amount !== null ? [{ at, amount }] : []
  })

/**
 * The signed-in user's money that is not in the balance, the balance by day, and interest by month.
 */
export const useUserFigures = (userId: string) =>
  useQuery({
    queryKey: ['figures', userId],
    queryFn: async ({ signal }): Promise<UserFigures> => {
      requireUserId()
      const { data } = await call(userFigures, {
        signal,
        texts: { otherwise: callFailed.dashboard },
      })
      const fields = asRecord(data) ?? {}
      return {
        invested: asNumber(fields.invested),
        interestToCome: asNumber(fields.interestToCome),
        held: asNumber(fields.held),
        balances: figuresIn(asRecords(fields.balances) ?? [], 'balance'),
        interest: figuresIn(asRecords(fields.interest) ?? [], 'amount'),
      }
    },
  })

/** What came into the pool, left it and was at work, by day; staff only. */
export const useAdminFigures = () =>
  useQuery({
    queryKey: ['figures', 'all'],
    queryFn: async ({ signal }): Promise<AdminFigures> => {
      const { data } = await call(adminFigures, {
        signal,
        texts: { otherwise: callFailed.dashboard },
      })
      const days = asRecords(asRecord(data)?.days) ?? []
      return {
        deposits: figuresIn(days, 'deposits'),
        withdrawals: figuresIn(days, 'withdrawals'),
        atWork: figuresIn(days, 'atWork'),
      }
    },
  })
