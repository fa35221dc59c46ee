/** Proposals that a second member of staff decides about: of wallets, rates and loans. */
import {
  approveOpenProposal,
  declineOpenProposal,
  listOpenProposals,
  listProposedAddresses,
} from '@pool/contract/agreements/staffProposals'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asText, list } from '../http/reading.ts'
import { readProposal } from './proposals.ts'

const WAITING = ['waiting']

/** Those that wait or rest. */
export const useOpenStaffProposals = () =>
  useQuery({
    queryKey: WAITING,
    // Another member of staff may ask or decide at any time.
    refetchInterval: 30_000,
    queryFn: async ({ signal }) =>
      list(readProposal)(
        (await call(listOpenProposals, { signal, texts: { otherwise: '' } })).data,
      ),
  })

const textsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => asText(each) ?? [])

/** The addresses that wait together, in their order. */
export const useProposedAddresses = (id: string) =>
  useQuery({
    queryKey: [...WAITING, id],
    queryFn: async ({ signal }) => {
      const { data } = await call(listProposedAddresses, {
        params: { id },
        signal,
        texts: { otherwise: '' },
      })
      return textsIn(data)
    },
  })

type Step = { readonly id: string; readonly step: 'approve' | 'decline' }

/** Approves what waits, or turns it down. */
export const useStaffProposalStep = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, step }: Step) =>
      call(step === 'approve' ? approveOpenProposal : declineOpenProposal, {
        params: { id },
        texts: { otherwise },
      }),
    // Also after a refusal, since another person may have decided.
    onSettled: () =>
      Promise.all(
        ['waiting', 'wallets', 'stock', 'rates', 'proposals', 'loans'].map((word) =>
          client.invalidateQueries({ queryKey: [word] }),
        ),
      ),
  })
}
