import { limitHolders } from '@pool/contract/limits'
import { callFailed } from '@pool/contract/messages'
import {
  balance as balanceEndpoint,
  deposit as depositEndpoint,
  destinationOf,
  listTransactions,
  type Transaction,
  totalBalance,
  withdraw as withdrawEndpoint,
} from '@pool/contract/transactions'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireUserId } from './http/client.ts'
import { ApiError } from './http/errors.ts'
import { listSource } from './http/lists.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  firstText,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from './http/reading.ts'
import { useSubmit } from './http/submit.ts'

const paidAddress = record({
  address: asText,
  networkName: asText,
  since: asMoment,
  firstNamed: asMoment,
  usableFrom: asMoment,
} satisfies Shape<NonNullable<Transaction['payee']>>)

/** Null without an address. */
const asPaidAddress = (value: unknown) => {
  const { address, ...payee } = paidAddress(value)
  return address ? { address, ...payee } : null
}

/** Reads a transaction, with the defaults of docs/product.md 10.5. */
export const readTransaction = record({
  id: (_, fields) => firstText(fields, 'id', 'transactionId') ?? '',
  userId: asText,
  username: asText,
  userEmail: asText,
  type: (value) => asText(value)?.toLowerCase() ?? 'deposit',
  amount: asNumber,
  status: or(asText, 'PENDING'),
  description: asText,
  networkName: asText,
  walletAddress: asText,
  destinationAddress: asText,
  payee: asPaidAddress,
  reason: asText,
  evidence: asText,
  approvalsNeeded: or(asNumber, 1),
  exceeds: oneOf(limitHolders),
  approvals: list(
    record({ username: or(asText, ''), at: asMoment } satisfies Shape<
      NonNullable<Transaction['approvals']>[number]
    >),
  ),
  createdAt: asMoment,
  updatedAt: asMoment,
} satisfies Shape<Transaction>)

/** A transaction as screens show it; null for a field that was not sent. Amount in dollars. */
export type TransactionRow = ReturnType<typeof readTransaction>

/** The moment until which a withdrawal to a new address waits, or null. */
export const waitsUntil = ({ payee }: TransactionRow, now: Date): Date | null =>
  payee?.usableFrom && payee.usableFrom > now ? payee.usableFrom : null

/** An investor's own transactions; all for staff. */
export const transactionList = listSource({
  noun: 'transactions',
  endpoint: listTransactions,
  read: readTransaction,
  texts: { otherwise: callFailed.dashboard },
})

/** A spendable balance, in dollars. */
export const useBalance = (userId: string) =>
  useQuery({
    queryKey: ['balance', userId],
    queryFn: async ({ signal }) => {
      requireUserId()
      const { data } = await call(balanceEndpoint, {
        payload: { userId },
        signal,
        texts: { otherwise: callFailed.balance },
      })
      return readDollars(data)
    },
  })

/** The sum of all investors' balances in dollars, for staff only. */
export const useTotalBalance = () =>
  useQuery({
    queryKey: ['balance', 'total'],
    queryFn: async ({ signal }) =>
      readDollars(
        (await call(totalBalance, { signal, texts: { otherwise: callFailed.balance } })).data,
      ),
  })

/** A balance that is no number is a failure, never a zero. */
const readDollars = (data: unknown): number => {
  const dollars = asNumber(data) ?? asNumber(asRecord(data)?.balance)
  if (dollars === null) throw new ApiError(callFailed.balance, { kind: 'answer', status: 200 })
  return dollars
}

/** Queries that no movement of money changes. */
const UNMOVED: readonly unknown[] = ['session', 'networks']

/**
 * Invalidates every figure after money moved (docs/product.md 9.7). The result waits for the rows,
 * not for the charts.
 */
export const invalidateMoney = (client: QueryClient): Promise<void> => {
  void client.invalidateQueries({ queryKey: ['figures'] })
  return client.invalidateQueries({
    predicate: ({ queryKey: [noun] }) => noun !== 'figures' && !UNMOVED.includes(noun),
  })
}

export type Deposit = {
  readonly userId: string
  readonly amount: number
  readonly description?: string | undefined
}
/** The address for a deposit (docs/product.md 3.7). */
export type DepositInstruction = { readonly address: string; readonly networkName: string }

const deposit = async (
  { userId, amount, description }: Deposit,
  idempotencyKey: string,
): Promise<Answer<DepositInstruction>> => {
  requireUserId()
  const payload = {
    userId,
    amount,
    ...(description?.trim() ? { description: description.trim() } : {}),
  }
  const answer = await call(depositEndpoint, {
    payload,
    idempotencyKey,
    texts: { otherwise: callFailed.deposit },
  })
  const body = asRecord(answer.data)
  const address = asText(body?.address)
  if (!address) throw new ApiError(callFailed.deposit, { kind: 'answer', status: 200 })
  return { ...answer, data: { address, networkName: asText(body?.networkName) ?? '' } }
}

/** Asks to deposit. The screen decides about the fallback address (docs/product.md 5.6). */
export const useDeposit = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(deposit),
    onSettled: () => void invalidateMoney(client),
  })
}

export type Withdrawal = Deposit & {
  readonly destinationAddress?: string | undefined
  /** The server refuses a destination that is no address of this network. */
  readonly networkName?: string | undefined
}

const withdraw = async (
  withdrawal: Withdrawal,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireUserId()
  const { userId, amount, description, networkName } = withdrawal
  const payload = {
    userId,
    amount,
    destinationAddress: destinationOf(withdrawal),
    ...(networkName ? { networkName } : {}),
    ...(description?.trim() ? { description: description.trim() } : {}),
  }
  return call(withdrawEndpoint, {
    payload,
    idempotencyKey,
    texts: { otherwise: callFailed.withdraw },
  })
}

export const useWithdraw = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(withdraw),
    onSettled: () => void invalidateMoney(client),
  })
}
