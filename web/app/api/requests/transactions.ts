import type { Coin } from '@pool/contract/base/assets'
import { IDS_AT_ONCE } from '@pool/contract/base/endpoint'
import { callFailed } from '@pool/contract/base/messages'
import { batchStates } from '@pool/contract/coins/batchStates'
import { limitHolders } from '@pool/contract/money/limits'
import {
  type CheckedDestination as Checked,
  cancel as cancelEndpoint,
  checkDestination,
  deposit as depositEndpoint,
  destinationOf,
  withdraw as withdrawEndpoint,
} from '@pool/contract/requests/requests'
import {
  balance as balanceEndpoint,
  listTransactions,
  type Transaction,
  totalBalance,
  transactionFlags,
} from '@pool/contract/requests/transactions'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { asQuote, type Quote } from '../chain/quotes.ts'
import { type Answer, call, requireUserId } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import { listSource } from '../http/lists.ts'
import {
  asFlag,
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
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

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

const sentTransaction = record({
  evidence: asText,
  networkName: asText,
  at: asMoment,
} satisfies Shape<NonNullable<Transaction['sent']>>)

/** Null before a withdrawal was sent. */
const asSent = (value: unknown) => {
  const sent = sentTransaction(value)
  return sent.evidence ? sent : null
}

/** Reads a transaction, with the defaults of docs/product.md 10.5. */
export const readTransaction = record({
  id: (_, fields) => firstText(fields, 'id', 'transactionId') ?? '',
  userId: asText,
  username: asText,
  userEmail: asText,
  type: (value) => asText(value)?.toLowerCase() ?? 'deposit',
  amount: asNumber,
  requestedAmount: asNumber,
  networkFee: asNumber,
  interest: asNumber,
  status: or(asText, 'PENDING'),
  description: asText,
  networkName: asText,
  walletAddress: asText,
  destinationAddress: asText,
  payee: asPaidAddress,
  unannounced: asFlag,
  reason: asText,
  evidence: asText,
  sent: asSent,
  approvalsNeeded: or(asNumber, 1),
  exceeds: oneOf(limitHolders),
  approvals: list(
    record({ username: or(asText, ''), amount: asNumber, at: asMoment } satisfies Shape<
      NonNullable<Transaction['approvals']>[number]
    >),
  ),
  flags: (value) => transactionFlags.filter((flag) => Array.isArray(value) && value.includes(flag)),
  batchId: asText,
  batchState: oneOf(batchStates),
  createdAt: asMoment,
  updatedAt: asMoment,
} satisfies Shape<Transaction>)

/** A transaction as screens show it; null for a field that was not sent. Amount in dollars. */
export type TransactionRow = ReturnType<typeof readTransaction>

/** The moment until which a withdrawal to a new address waits, or null. */
export const waitsUntil = ({ payee }: Pick<TransactionRow, 'payee'>, now: Date): Date | null =>
  payee?.usableFrom && payee.usableFrom > now ? payee.usableFrom : null

/** An investor's own transactions; all for staff. */
export const transactionList = listSource({
  noun: 'transactions',
  endpoint: listTransactions,
  read: readTransaction,
  texts: { otherwise: callFailed.dashboard },
  idsAtOnce: IDS_AT_ONCE,
  fields: ({ payee, networkName }) => ({ network: payee?.networkName || networkName }),
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
const UNMOVED: readonly unknown[] = ['session', 'networks', 'destination']

/** Queries that no decision waits for: charts, stock, and everything that is not money. */
const ASIDE: readonly unknown[] = [
  'figures',
  'stock',
  'notices',
  'proposals',
  'factors',
  'sessions',
  'mails',
  'withdrawalOrder',
]

/**
 * Invalidates every figure after money moved (docs/product.md 9.7). The result waits for the rows,
 * not for what stands aside.
 */
export const invalidateMoney = (client: QueryClient): Promise<void> => {
  void client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => ASIDE.includes(noun) })
  return client.invalidateQueries({
    predicate: ({ queryKey: [noun] }) => !ASIDE.includes(noun) && !UNMOVED.includes(noun),
  })
}

type Request = {
  readonly userId: string
  readonly amount: number
  readonly description?: string | undefined
  /**
   * Of a deposit: the network of its wallet. Of a withdrawal: the server refuses a destination
   * that is no address of it.
   */
  readonly networkName?: string | undefined
}
export type Deposit = Request & { readonly coin?: string | undefined }
/** The address for a deposit (docs/product.md 3.7), and the coins to send where a rate counts. */
export type DepositInstruction = {
  /** The deposit. Null without a record of it. */
  readonly id: string | null
  readonly address: string
  readonly networkName: string
  readonly quote: Quote | null
}

const deposit = async (
  { userId, amount, networkName, description, coin }: Deposit,
  idempotencyKey: string,
): Promise<Answer<DepositInstruction>> => {
  requireUserId()
  const payload = {
    userId,
    amount,
    ...(networkName ? { networkName } : {}),
    // The coins are those of the contract.
    ...(coin ? { coin: coin as Coin } : {}),
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
  const quote = asQuote(body?.quote)
  const network = asText(body?.networkName) ?? ''
  return {
    ...answer,
    data: { id: asText(body?.transactionId), address, networkName: network, quote },
  }
}

/** Asks to deposit. The screen decides about the fallback address (docs/product.md 5.6). */
export const useDeposit = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(deposit),
    onSettled: () => void invalidateMoney(client),
  })
}

export type Withdrawal = Request & {
  readonly destinationAddress?: string | undefined
  /** The dollars of the network's fee that the investor agreed to bear. */
  readonly networkFee?: number | undefined
}

/** The share of the network's fee that a refusal named, in dollars. Null for any other failure. */
export const shareNamedBy = (error: unknown): number | null => {
  if (!(error instanceof ApiError) || error.code !== 'networkFeeChanged') return null
  return asNumber(error.details?.share) || null
}

const withdraw = async (
  withdrawal: Withdrawal,
  idempotencyKey: string,
): Promise<Answer<unknown>> => {
  requireUserId()
  const { userId, amount, description, networkName, networkFee } = withdrawal
  const payload = {
    userId,
    amount,
    destinationAddress: destinationOf(withdrawal),
    ...(networkName ? { networkName } : {}),
    ...(networkFee ? { networkFee } : {}),
    ...(description?.trim() ? { description: description.trim() } : {}),
  }
  return call(withdrawEndpoint, {
    payload,
    idempotencyKey,
    texts: { otherwise: callFailed.withdraw },
  })
}

const readChecked = record({
  networks: (value) =>
    Array.isArray(value) ? value.filter((name) => typeof name === 'string') : null,
  isPoolWallet: asFlag,
} satisfies Shape<Checked>)

/** The networks that a destination is an address of, and if it is the pool's. */
export type CheckedDestination = Checked

/** Checks a destination. Without an answer it stays unchecked; the withdrawal checks it again. */
export const useCheckedDestination = (destination: string) =>
  useQuery({
    queryKey: ['destination', destination],
    enabled: destination !== '',
    retry: false,
    queryFn: async ({ signal }): Promise<CheckedDestination> => {
      const { data } = await call(checkDestination, {
        payload: { destination },
        signal,
        texts: { otherwise: callFailed.withdraw },
      })
      const { networks, isPoolWallet } = readChecked(data)
      if (!networks) throw new ApiError(callFailed.withdraw, { kind: 'answer', status: 200 })
      return { networks, isPoolWallet }
    },
  })

export const useWithdraw = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(withdraw),
    onSettled: () => void invalidateMoney(client),
  })
}

const cancel = (id: string, idempotencyKey: string): Promise<Answer<unknown>> => {
  requireUserId()
  return call(cancelEndpoint, {
    params: { id },
    payload: {},
    idempotencyKey,
    texts: { otherwise: callFailed.cancel },
  })
}

/** Cancels an own pending deposit or withdrawal. */
export const useCancel = () => {
  const client = useQueryClient()
  return useMutation({ mutationFn: useSubmit(cancel), onSettled: () => invalidateMoney(client) })
}
