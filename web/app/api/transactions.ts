import { callFailed, DEFAULT_DESTINATION, defaultReason, sessionMessages } from '@pool/contract/messages'
import {
  approve as approveEndpoint,
  balance as balanceEndpoint,
  confirm as confirmEndpoint,
  deposit as depositEndpoint,
  listTransactions,
  rejectByPayload,
  rejectByPut,
  reject as rejectEndpoint,
  totalBalance,
  withdraw as withdrawEndpoint,
} from '@pool/contract/transactions'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireIdentity, requireUserId } from './client.ts'
import { ApiError, isUnauthorized } from './errors.ts'
import { listSource } from './lists.ts'
import { asMoment, asNumber, asRecord, asText, firstText } from './reading.ts'
import { useSubmit } from './submit.ts'

/** A transaction as screens show it; null where the server sent nothing. Amount in dollars. */
export type TransactionRow = {
  readonly id: string
  readonly userId: string | null
  readonly username: string | null
  readonly userEmail: string | null
  /** Lowercased. */
  readonly type: string
  readonly amount: number | null
  readonly status: string
  readonly description: string | null
  readonly networkName: string | null
  readonly walletAddress: string | null
  readonly destinationAddress: string | null
  /** Where a withdrawal is paid in fact, and since when that is known; null where its destination is no address. */
  readonly payee: { readonly address: string; readonly since: Date | null } | null
  readonly reason: string | null
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
}

/** Reads a transaction, with the defaults of spec §3. */
export const readTransaction = (value: unknown): TransactionRow => {
  const fields = asRecord(value) ?? {}
  return {
    id: firstText(fields, 'id', 'transactionId') ?? '',
    userId: asText(fields.userId),
    username: asText(fields.username),
    userEmail: asText(fields.userEmail),
    type: asText(fields.type)?.toLowerCase() ?? 'deposit',
    amount: asNumber(fields.amount),
    status: asText(fields.status) ?? 'PENDING',
    description: asText(fields.description),
    networkName: asText(fields.networkName),
    walletAddress: asText(fields.walletAddress),
    destinationAddress: asText(fields.destinationAddress),
    payee: readPayee(fields.payee),
    reason: asText(fields.reason),
    createdAt: asMoment(fields.createdAt),
    updatedAt: asMoment(fields.updatedAt),
  }
}

/** A client's own transactions, everybody's for staff. */
export const transactionList = listSource({
  noun: 'transactions',
  endpoint: listTransactions,
  read: readTransaction,
  texts: { otherwise: callFailed.dashboard },
})

const readPayee = (value: unknown): TransactionRow['payee'] => {
  const fields = asRecord(value)
  const address = asText(fields?.address)
  return address ? { address, since: asMoment(fields?.since) } : null
}

/** A spendable balance, in dollars. */
export const useBalance = (userId: string) =>
  useQuery({
    queryKey: ['balance', userId],
    queryFn: async ({ signal }) => {
      requireUserId()
      const { data } = await call(balanceEndpoint, { payload: { userId }, signal, texts: { otherwise: callFailed.balance } })
      return readDollars(data)
    },
  })

/** The sum of all investors' balances, in dollars; staff only. */
export const useTotalBalance = () =>
  useQuery({
    queryKey: ['balance', 'total'],
    queryFn: async ({ signal }) => readDollars((await call(totalBalance, { signal, texts: { otherwise: callFailed.balance } })).data),
  })

/** A balance that is no number is a failure, never a zero. */
const readDollars = (data: unknown): number => {
  const dollars = asNumber(data) ?? asNumber(asRecord(data)?.balance)
  if (dollars === null) throw new ApiError(callFailed.balance, { kind: 'answer', status: 200 })
  return dollars
}

/** What the movement of money does not change. */
const UNMOVED: readonly unknown[] = ['session', 'networks']

/**
 * After money moved, every figure on the screen is loaded again (spec §4); only what is on the screen makes a call. Whoever decided waits for
 * the rows, not for the charts.
 */
export const reloadMoney = (client: QueryClient): Promise<void> => {
  void client.invalidateQueries({ queryKey: ['figures'] })
  return client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => noun !== 'figures' && !UNMOVED.includes(noun) })
}

export type Deposit = { readonly userId: string; readonly amount: number; readonly description?: string | undefined }
/** Where to send a deposit (spec §3). */
export type DepositInstruction = { readonly address: string; readonly networkName: string }

const deposit = async ({ userId, amount, description }: Deposit, idempotencyKey: string): Promise<Answer<DepositInstruction>> => {
  requireUserId()
  const payload = { userId, amount, ...(description?.trim() ? { description: description.trim() } : {}) }
  const answer = await call(depositEndpoint, { payload, idempotencyKey, texts: { otherwise: callFailed.deposit } })
  const body = asRecord(answer.data)
  const address = asText(body?.address)
  if (!address) throw new ApiError(callFailed.deposit, { kind: 'answer', status: 200 })
  return { ...answer, data: { address, networkName: asText(body?.networkName) ?? '' } }
}

/** Asks to deposit. On failure the screen decides about the fallback address (design §7). */
export const useDeposit = () => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(deposit), onSettled: () => void reloadMoney(client) })
}

export type Withdrawal = Deposit & { readonly destinationAddress?: string | undefined }

/** The destination, else the description, else 'Default Address' (spec §5). */
export const destinationOf = ({ destinationAddress, description }: Withdrawal): string =>
  destinationAddress?.trim() || description?.trim() || DEFAULT_DESTINATION

const withdraw = async (withdrawal: Withdrawal, idempotencyKey: string): Promise<Answer<unknown>> => {
  requireUserId()
  const { userId, amount, description } = withdrawal
  const payload = {
    userId,
    amount,
    destinationAddress: destinationOf(withdrawal),
    ...(description?.trim() ? { description: description.trim() } : {}),
  }
  return call(withdrawEndpoint, { payload, idempotencyKey, texts: { otherwise: callFailed.withdraw } })
}

export const useWithdraw = () => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(withdraw), onSettled: () => void reloadMoney(client) })
}

const approve = async (
  { transactionId, userId }: { transactionId: string; userId: string },
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(approveEndpoint, { payload: { transactionId, userId }, idempotencyKey, texts: { otherwise: callFailed.approve } })
}

const confirm = async ({ transactionId }: { transactionId: string }, idempotencyKey: string): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(confirmEndpoint, { payload: { transactionId }, idempotencyKey, texts: { otherwise: callFailed.confirm } })
}

export type Rejection = { readonly transactionId: string; readonly reason: string }

/**
 * Rejects by the three paths in their order until one works (spec §7); the server sees to it that money is released
 * once. A 401 stops the row: it ends the session. When none works, the failure is that of the first path that exists.
 */
export const reject = async ({ transactionId, reason: typed }: Rejection, idempotencyKey: string): Promise<Answer<unknown>> => {
  requireIdentity()
  const reason = typed.trim() || defaultReason.reject
  const texts = { otherwise: callFailed.reject, unauthorized: sessionMessages.authenticationFailed }
  const byId = { params: { id: transactionId }, payload: { reason }, texts }
  // Each path is a request of its own to the server, and so needs a key of its own.
  const attempts = [
    () => call(rejectEndpoint, { ...byId, idempotencyKey: `${idempotencyKey}-1` }),
    () => call(rejectByPayload, { payload: { transactionId, reason }, texts, idempotencyKey: `${idempotencyKey}-2` }),
    () => call(rejectByPut, { ...byId, idempotencyKey: `${idempotencyKey}-3` }),
  ]
  const failures: unknown[] = []
  for (const attempt of attempts) {
    try {
      return await attempt()
    } catch (error) {
      if (isUnauthorized(error)) throw error
      failures.push(error)
    }
  }
  const exists = (error: unknown) => !(error instanceof ApiError && (error.status === 404 || error.status === 405))
  throw failures.find(exists) ?? failures[0]
}

/** After any decision, taken or refused, the rows are loaded again: they then show what is true. */
const useDecision = <Decision>(decide: (decision: Decision, idempotencyKey: string) => Promise<Answer<unknown>>) => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(decide), onSettled: () => reloadMoney(client) })
}

/** Approves a pending withdrawal; `userId` is its owner. Pending until the admin data is loaded again. */
export const useApprove = () => useDecision(approve)
/** Confirms that a pending deposit has arrived. */
export const useConfirm = () => useDecision(confirm)
/** Rejects a pending withdrawal; an empty reason becomes 'Transaction rejected by admin'. */
export const useReject = () => useDecision(reject)
