/** The order of withdrawals, oldest first (docs/product.md 5.40). Only staff make this call. */
import { MOST_TAKEN, type Taking, withdrawalOrder } from '@pool/contract/coins/withdrawalOrder'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asNumber, asRecord } from '../http/reading.ts'

/** Milliseconds that a decision waits for the count. */
const TIMEOUT_MS = 5_000

type OrderRequest = { readonly taking: Taking; readonly ids: readonly string[] }

/**
 * The number of older withdrawals that the user could take before these. The server counts again,
 * so a failure here stops no decision.
 */
export const readPassedOver = async ({ taking, ids }: OrderRequest): Promise<number> => {
  try {
    const { data } = await call(withdrawalOrder, {
      payload: { taking, ids: ids.slice(0, MOST_TAKEN) },
      timeoutMs: TIMEOUT_MS,
      texts: { otherwise: '' },
    })
    return asNumber(asRecord(data)?.passedOver) ?? 0
  } catch {
    return 0
  }
}

/** That number, or undefined while it is asked for. 0 where nothing is taken. */
export const usePassedOver = ({ taking, ids }: OrderRequest): number | undefined =>
  useQuery({
    queryKey: ['withdrawalOrder', taking, ...ids],
    // Counted at each opening, as others decide meanwhile.
    staleTime: 0,
    gcTime: 0,
    enabled: ids.length > 0,
    queryFn: () => readPassedOver({ taking, ids }),
    ...(ids.length === 0 && { initialData: 0 }),
  }).data
