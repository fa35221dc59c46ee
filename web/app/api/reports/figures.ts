import { callFailed } from '@pool/contract/base/messages'
import type * as Contract from '@pool/contract/reports/figures'
import { adminFigures, userFigures } from '@pool/contract/reports/figures'
import { useQuery } from '@tanstack/react-query'
import { call, requireUserId } from '../http/client.ts'
import { asMoment, asNumber, asRecord, asRecords, or, record, type Shape } from '../http/reading.ts'

/** The dollars of a day or a month; `at` is its start, UTC. */
export type Figure = { readonly at: Date; readonly amount: number }

type Fields = Readonly<Record<string, unknown>>

/** A month has no day. */
const momentOf = (parts: unknown): Date | null =>
  asMoment(Array.isArray(parts) && parts.length === 2 ? [...parts, 1] : parts)

/** Reads the figure `name` by day or month. Skips entries without a date or a number. */
const figures =
  (name: string) =>
  (value: unknown): readonly Figure[] =>
    (asRecords(value) ?? []).flatMap((row) => {
      const at = momentOf(row.day ?? row.month)
      const amount = asNumber(row[name])
      return at && amount !== null ? [{ at, amount }] : []
    })

const readUserFigures = record({
  invested: asNumber,
  interestToCome: asNumber,
  held: asNumber,
  // Servers of an older release send none.
  onTheWay: or(asNumber, 0),
  depositsToCome: or(asNumber, 0),
  totals: figures('total'),
  interest: figures('amount'),
} satisfies Shape<Contract.UserFigures>)
/** Dollars; null for a figure that was not sent. */
export type UserFigures = ReturnType<typeof readUserFigures>

const readAdminFigures = ({ days, onTheWay }: Fields) => ({
  onTheWay: asNumber(onTheWay),
  deposits: figures('deposits')(days),
  withdrawals: figures('withdrawals')(days),
  atWork: figures('atWork')(days),
})
/** Dollars by day, and those on the way now. */
export type AdminFigures = ReturnType<typeof readAdminFigures>

/** The user's money outside the balance, its total value by day, and the interest by month. */
export const useUserFigures = (userId: string) =>
  useQuery({
    queryKey: ['figures', userId],
    queryFn: async ({ signal }) => {
      requireUserId()
      const { data } = await call(userFigures, {
        signal,
        texts: { otherwise: callFailed.dashboard },
      })
      return readUserFigures(data)
    },
  })

/** Deposits, withdrawals and principal at work by day, and the sum on the way, for staff only. */
export const useAdminFigures = () =>
  useQuery({
    queryKey: ['figures', 'all'],
    queryFn: async ({ signal }) => {
      const { data } = await call(adminFigures, {
        signal,
        texts: { otherwise: callFailed.dashboard },
      })
      return readAdminFigures(asRecord(data) ?? {})
    },
  })
