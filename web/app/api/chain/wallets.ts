import { callFailed, sessionMessages } from '@pool/contract/base/messages'
import { networks as fallbackNetworks } from '@pool/contract/base/networks'
import {
  archiveWallet as archiveEndpoint,
  type BadLine,
  type DepositTerms as Contract,
  createWallet as createEndpoint,
  createWallets as createListEndpoint,
  deleteWallet as deleteEndpoint,
  depositTerms,
  listNetworks,
  listWallets,
  type Network,
  restoreWallet as restoreEndpoint,
  type Stock,
  type Wallet,
  type WalletStatus,
  walletStock,
} from '@pool/contract/chain/wallets'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireIdentity } from '../http/client.ts'
import { ApiError, type FailureTexts } from '../http/errors.ts'
import { listSource } from '../http/lists.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

export const readWallet = record({
  id: or(asText, ''),
  address: or(asText, ''),
  networkName: or(asText, ''),
  assigned: asFlag,
  owner: or(asText, ''),
  ownerId: or(asText, null),
  dateCreated: asMoment,
  waits: asFlag,
  dateArchived: asMoment,
} satisfies Shape<Wallet>)

/** A deposit wallet as screens show it. */
export type WalletRow = ReturnType<typeof readWallet>

export const statusOf = ({ assigned, waits, dateArchived }: WalletRow): WalletStatus => {
  if (waits) return 'waiting'
  if (dateArchived !== null) return 'archived'
  return assigned ? 'assigned' : 'available'
}

const networkFields = record({
  name: asText,
  symbol: or(asText, ''),
  displayName: asText,
} satisfies Shape<Network>)

/** The networks in a response that have a name. */
export const readNetworks = (value: unknown): readonly Network[] =>
  list(networkFields)(value).flatMap(({ name, symbol, displayName }) =>
    name ? [{ name, symbol, displayName: displayName ?? name }] : [],
  )

/** A 401 on these calls advises to sign in as an admin (docs/product.md 12.3). */
const textsOf = (otherwise: string): FailureTexts => ({
  otherwise,
  unauthorized: sessionMessages.adminRequired,
})

/** All deposit wallets, for staff only. */
export const walletList = listSource({
  noun: 'wallets',
  endpoint: listWallets,
  read: readWallet,
  texts: textsOf(callFailed.wallets),
  fields: (wallet) => ({
    status: statusOf(wallet),
    network: wallet.networkName,
    createdAt: wallet.dateCreated,
  }),
})

const readStock = list(
  record({
    networkName: or(asText, ''),
    available: or(asNumber, 0),
    total: or(asNumber, 0),
    unpaid: or(asNumber, 0),
  } satisfies Shape<Stock>),
)

/** The networks that have wallets, with how many of them are available. */
export const useWalletStock = () =>
  useQuery({
    queryKey: ['stock'],
    queryFn: async ({ signal }) =>
      readStock((await call(walletStock, { signal, texts: textsOf(callFailed.wallets) })).data),
  })

const readTerms = record({
  networks: readNetworks,
  usualMinutes: asNumber,
  quoted: (value: unknown): readonly string[] =>
    (Array.isArray(value) ? value : []).flatMap((each) => asText(each) ?? []),
} satisfies Shape<Contract>)

/** The networks for deposits, the default first, and the usual time. Null for too few deposits. */
export type DepositTerms = ReturnType<typeof readTerms>

/** The terms of the next deposit. Without an answer the server chooses the network. */
export const useDepositTerms = () =>
  useQuery({
    queryKey: ['wallets', 'terms'],
    queryFn: async ({ signal }) =>
      readTerms(
        (await call(depositTerms, { signal, texts: { otherwise: callFailed.networks } })).data,
      ),
  })

/** The server's networks, or those of the contract when it names none (docs/product.md 7.1). */
export const useNetworks = (): readonly Network[] => {
  const { data } = useQuery({
    queryKey: ['networks'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      readNetworks(
        (await call(listNetworks, { signal, texts: { otherwise: callFailed.networks } })).data,
      ),
  })
  return data && data.length > 0 ? data : fallbackNetworks
}

const create = async ({
  address,
  networkName,
}: {
  address: string
  networkName: string
}): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(createEndpoint, {
    payload: { address, networkName },
    texts: textsOf(callFailed.createWallet),
  })
}

const remove = async (id: string): Promise<Answer<unknown>> => {
  requireIdentity()
  return call(deleteEndpoint, { params: { id }, texts: textsOf(callFailed.deleteWallet) })
}

/** True for a deletion that waits for a second member of staff. */
export const isAsked = (data: unknown): boolean => asFlag(asRecord(data)?.waits)

/** The result waits for the cards, not for the warning about the stock or for what waits. */
const invalidateWallets = (client: QueryClient): Promise<void> => {
  for (const word of ['stock', 'waiting']) void client.invalidateQueries({ queryKey: [word] })
  return client.invalidateQueries({ queryKey: ['wallets'] })
}

export const useCreateWallet = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(create),
    onSettled: () => invalidateWallets(client),
  })
}

/** Solana's addresses take the server longest: 10,000 of them about ten seconds. */
const LIST_TIMEOUT_MS = 120_000

const readAdded = record({
  networkName: or(asText, ''),
  added: or(asNumber, 0),
  assigned: or(asNumber, 0),
  waiting: or(asNumber, 0),
})

const createList = async (payload: {
  readonly networkName: string
  readonly addresses: readonly string[]
}) => {
  requireIdentity()
  const { networkName, addresses } = payload
  const { data } = await call(createListEndpoint, {
    payload: { networkName, addresses: [...addresses] },
    texts: textsOf(callFailed.createWallets),
    timeoutMs: LIST_TIMEOUT_MS,
  })
  return readAdded(data)
}

/** Adds a list of wallets, all or none. */
export const useCreateWallets = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(createList),
    onSettled: () => invalidateWallets(client),
  })
}

const readBadLines = list(
  record({
    line: asNumber,
    problem: oneOf(['invalid', 'repeated', 'exists', 'ownerHasWallet', 'own']),
    sameAs: asNumber,
  } satisfies Shape<BadLine>),
)

/** The lines that a refusal of a list names; none for any other failure. */
export const badLinesOf = (error: unknown): ReturnType<typeof readBadLines> =>
  error instanceof ApiError ? readBadLines(error.details?.lines) : []

export const useDeleteWallet = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(remove),
    onSettled: () => invalidateWallets(client),
  })
}

type Change = { readonly id: string; readonly isArchived: boolean }

const change = async ({ id, isArchived }: Change): Promise<Answer<unknown>> => {
  requireIdentity()
  return isArchived
    ? call(restoreEndpoint, { params: { id }, texts: textsOf(callFailed.restoreWallet) })
    : call(archiveEndpoint, { params: { id }, texts: textsOf(callFailed.archiveWallet) })
}

/** Archives a wallet, or restores one that is archived. */
export const useArchiveWallet = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(change),
    onSettled: () => invalidateWallets(client),
  })
}
