import { callFailed, sessionMessages } from '@pool/contract/base/messages'
import {
  checkMaturities,
  type Investment,
  invest as investEndpoint,
  listAllInvestments,
  listInvestments,
} from '@pool/contract/money/investments'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireUserId } from '../http/client.ts'
import { type ListSource, listSource } from '../http/lists.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  firstText,
  isDay,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { invalidateMoney } from '../requests/transactions.ts'

/**
 * Reads an investment. Each list has its own default status, and `maturityIsDay` marks a calendar
 * day.
 */
const investment = (defaultStatus: string) => {
  const fields = record({
    id: (_, { id, investmentId }) => asText(id) ?? asText(investmentId) ?? '',
    userId: asText,
    userName: (_, all) => firstText(all, 'userName', 'username'),
    userEmail: asText,
    amount: asNumber,
    interest: (value, { returnAmount }) => asNumber(value) ?? asNumber(returnAmount),
    borne: or(asNumber, 0),
    durationDays: asNumber,
    rateBasisPoints: asNumber,
    status: or(asText, defaultStatus),
    description: asText,
    maturityDate: asMoment,
    createdAt: asMoment,
    updatedAt: asMoment,
  } satisfies Shape<Investment>)
  return (value: unknown) => ({
    ...fields(value),
    maturityIsDay: isDay(asRecord(value)?.maturityDate),
  })
}

/** Reads an own investment, with the defaults of docs/product.md 10.6. */
export const readOwnInvestment = investment('PENDING')
/** Reads an investment of the admin list, with the defaults of docs/product.md 10.6. */
export const readAdminInvestment = investment('ACTIVE')

/**
 * An investment as screens show it; null for a field that was not sent. `amount` is the principal,
 * in dollars.
 */
export type InvestmentRow = ReturnType<typeof readOwnInvestment>

/** A user's investments. Drops other users' rows (docs/product.md 2.7). */
export const investmentsOf = (userId: string): ListSource<InvestmentRow> => {
  const source = listSource({
    noun: 'investments',
    endpoint: listInvestments,
    params: { userId },
    read: readOwnInvestment,
    keep: (investment) => investment.userId === userId,
    texts: { otherwise: callFailed.dashboard },
  })
  return {
    ...source,
    load: async (ask) => {
      requireUserId()
      return source.load(ask)
    },
  }
}

/** The most upcoming maturities that are shown. */
export const UPCOMING = 5

/** The user's active investments that mature next, soonest first. */
export const useUpcomingMaturities = (userId: string) =>
  useQuery({
    queryKey: ['investments', userId, 'upcoming'],
    queryFn: async ({ signal }) => {
      const query = { status: 'ACTIVE', sort: 'maturityDate', order: 'asc' }
      return (await investmentsOf(userId).load({ query, limit: UPCOMING, signal })).rows
    },
  })

/** All investments, for staff only. */
export const allInvestments = listSource({
  noun: 'investments',
  endpoint: listAllInvestments,
  read: readAdminInvestment,
  texts: { otherwise: callFailed.dashboard },
})

export type NewInvestment = {
  readonly userId: string
  readonly amount: number
  readonly durationDays: number
  /** The version whose terms were shown. Null where none was told. */
  readonly planId: string | null
}

const invest = async (
  { userId, amount, durationDays, planId }: NewInvestment,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireUserId(sessionMessages.notAuthenticated)
  return call(investEndpoint, {
    payload: { userId, amount, durationDays, ...(planId !== null && { planId }) },
    idempotencyKey,
    texts: { otherwise: callFailed.invest },
  })
}

export const useInvest = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(invest),
    onSettled: () => void invalidateMoney(client),
  })
}

/** Pays every matured investment, for staff only. Returns their number. */
export const payMatured = async (): Promise<number> => {
  const { data } = await call(checkMaturities, { texts: { otherwise: callFailed.dashboard } })
  return asNumber(asRecord(data)?.matured) ?? 0
}
