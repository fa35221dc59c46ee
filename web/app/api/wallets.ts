import { callFailed, sessionMessages } from '@pool/contract/messages'
import {
  createWallet as createEndpoint,
  deleteWallet as deleteEndpoint,
  networks as fallbackNetworks,
  listNetworks,
  listWallets,
  type Network,
  type Wallet,
} from '@pool/contract/wallets'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, call, requireIdentity } from './http/client.ts'
import type { FailureTexts } from './http/errors.ts'
import { listSource } from './http/lists.ts'
import { asFlag, asMoment, asText, list, or, record, type Shape } from './http/reading.ts'
import { useSubmit } from './http/submit.ts'

export const readWallet = record({
  id: or(asText, ''),
  address: or(asText, ''),
  networkName: or(asText, ''),
  assigned: asFlag,
  dateCreated: asMoment,
} satisfies Shape<Wallet>)

/** A deposit wallet as screens show it. */
export type WalletRow = ReturnType<typeof readWallet>

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
  fields: ({ assigned, networkName, dateCreated }) => ({
    status: assigned ? 'assigned' : 'available',
    network: networkName,
    createdAt: dateCreated,
  }),
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

export const useCreateWallet = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(create),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallets'] }),
  })
}

export const useDeleteWallet = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(remove),
    onSettled: () => client.invalidateQueries({ queryKey: ['wallets'] }),
  })
}
