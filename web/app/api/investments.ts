import {
  checkMaturities,
  invest as investEndpoint,
  listAllInvestments,
  listInvestments,
} from '@pool/contract/investments'
import { callFailed, sessionMessages } from '@pool/contract/messages'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireUserId } from './http/client.ts'
import { type ListSource, listSource } from './http/lists.ts'
import { asMoment, asNumber, asRecord, asText, firstText, isDay } from './http/reading.ts'
import { useSubmit } from './http/submit.ts'
import { reloadMoney } from './transactions.ts'

/** An investment as screens show it; null where the server sent nothing. Dollars. */
export type InvestmentRow = {
  readonly id: string
  readonly userId: string | null
  readonly userName: string | null
  readonly userEmail: string | null
  /** What was invested. */
  readonly principal: number | null
  /**
   * What it earns: 'Return Amount' for its owner, 'Payout' in the admin list (docs/product.md
   * 10.6).
   */
  readonly returnAmount: number | null
  readonly status: string
  readonly description: string | null
  readonly maturityDate: Date | null
  /** The maturity is a calendar day, the same in every time zone, not a moment. */
  readonly maturityIsDay: boolean
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
}

const readInvestment = (value: unknown, defaultStatus: string): InvestmentRow => {
  const fields = asRecord(value) ?? {}
  return {
    id: firstText(fields, 'id', 'investmentId') ?? '',
    userId: asText(fields.userId),
    userName: firstText(fields, 'userName', 'username'),
    userEmail: asText(fields.userEmail),
    principal: asNumber(fields.amount),
    returnAmount: asNumber(fields.interest) ?? asNumber(fields.returnAmount),
    status: asText(fields.status) ?? defaultStatus,
    description: asText(fields.description),
    maturityDate: asMoment(fields.maturityDate),
    maturityIsDay: isDay(fields.maturityDate),
    createdAt: asMoment(fields.createdAt),
    updatedAt: asMoment(fields.updatedAt),
  }
}

/**
 * Reads an investment of the signed-in user; a status that was not sent is PENDING (docs/product.md
 * 10.6).
 */
export const readOwnInvestment = (value: unknown): InvestmentRow => readInvestment(value, 'PENDING')
/**
 * Reads an investment of the admin list; a status that was not sent is ACTIVE (docs/product.md
 * 10.6).
 */
export const readAdminInvestment = (value: unknown): InvestmentRow =>
  readInvestment(value, 'ACTIVE')

const investmentFields = ({ principal, returnAmount }: InvestmentRow) => ({
  amount: principal,
  interest: returnAmount,
})

/**
 * A user's investments; rows of anybody else are dropped, whatever the server sent (docs/product.md
 * 2.7).
 */
export const investmentsOf = (userId: string): ListSource<InvestmentRow> => {
  const source = listSource({
    noun: 'investments',
    endpoint: listInvestments,
    params: { userId },
    read: readOwnInvestment,
    keep: (investment) => investment.userId === userId,
    fields: investmentFields,
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

/** How many of the investments that mature next are shown. */
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

/** All investments; staff only. */
export const allInvestments = listSource({
  noun: 'investments',
  endpoint: listAllInvestments,
  read: readAdminInvestment,
  fields: investmentFields,
  texts: { otherwise: callFailed.dashboard },
})

export type NewInvestment = {
  readonly userId: string
  readonly amount: number
  readonly durationDays: number
}

const invest = async (
  { userId, amount, durationDays }: NewInvestment,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireUserId(sessionMessages.notAuthenticated)
  return call(investEndpoint, {
    payload: { userId, amount, durationDays },
    idempotencyKey,
    texts: { otherwise: callFailed.invest },
  })
}

export const useInvest = () => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(invest), onSettled: () => void reloadMoney(client) })
}

/** Has the server pay every investment that has matured; staff only. Answers how many it paid. */
export const useCheckMaturities = () =>
  useMutation({
    mutationFn: async (): Promise<number> => {
      const { data } = await call(checkMaturities, { texts: { otherwise: callFailed.dashboard } })
      return asNumber(asRecord(data)?.matured) ?? 0
    },
  })
