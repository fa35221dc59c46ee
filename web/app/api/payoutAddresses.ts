/** The investor's own payout address: what 'Default Address' means. */
import { callFailed } from '@pool/contract/messages'
import { payoutAddress, savePayoutAddress } from '@pool/contract/payoutAddresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from './http/client.ts'
import { asMoment, asRecord, asText } from './http/reading.ts'
import { useSubmit } from './http/submit.ts'

type SavedAddress = {
  readonly address: string
  readonly networkName: string
  readonly savedAt: Date | null
  readonly usableFrom: Date | null
}

/**
 * `current` is the one in use, `next` one that was saved but still waits; null where there is none.
 */
export type PayoutAddress = {
  readonly current: SavedAddress | null
  readonly next: SavedAddress | null
}

const readSaved = (value: unknown): SavedAddress | null => {
  const fields = asRecord(value)
  const address = asText(fields?.address)
  if (!fields || !address) return null
  return {
    address,
    networkName: asText(fields.networkName) ?? '',
    savedAt: asMoment(fields.savedAt),
    usableFrom: asMoment(fields.usableFrom),
  }
}

const read = (value: unknown): PayoutAddress => {
  const fields = asRecord(value)
  return { current: readSaved(fields?.current), next: readSaved(fields?.next) }
}

const queryKey = ['payout']

export const usePayoutAddress = () =>
  useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      read(
        (await call(payoutAddress, { signal, texts: { otherwise: callFailed.payoutAddress } }))
          .data,
      ),
  })

type Choice = { readonly networkName: string; readonly address: string }

const save = async ({ networkName, address }: Choice): Promise<PayoutAddress> =>
  read(
    (
      await call(savePayoutAddress, {
        payload: { networkName, address },
        texts: { otherwise: callFailed.savePayoutAddress },
      })
    ).data,
  )

export const useSavePayoutAddress = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(save),
    onSuccess: (saved) => client.setQueryData(queryKey, saved),
  })
}
