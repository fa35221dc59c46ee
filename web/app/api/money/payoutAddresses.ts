/** The investor's payout address: the meaning of 'Default Address'. */
import { callFailed } from '@pool/contract/base/messages'
import {
  type PayoutAddress,
  payoutAddress,
  savePayoutAddress,
} from '@pool/contract/money/payoutAddresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asText, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

const savedFields = record({
  address: asText,
  networkName: or(asText, ''),
  label: asText,
  savedAt: asMoment,
  usableFrom: asMoment,
} satisfies Shape<NonNullable<PayoutAddress['current']>>)

/** Null without an address. */
const asSaved = (value: unknown) => {
  const { address, ...saved } = savedFields(value)
  return address ? { address, ...saved } : null
}

const read = record({ current: asSaved, next: asSaved } satisfies Shape<PayoutAddress>)

const queryKey = ['payoutAddress']

export const usePayoutAddress = () =>
  useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      read(
        (await call(payoutAddress, { signal, texts: { otherwise: callFailed.payoutAddress } }))
          .data,
      ),
  })

type Choice = Readonly<Record<'networkName' | 'address' | 'label', string>>

const save = async (payload: Choice) =>
  read(
    (
      await call(savePayoutAddress, {
        payload,
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
