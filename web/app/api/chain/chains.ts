/** The networks as the operator's nodes tell them, for staff only. */
import { type Chain, listChains } from '@pool/contract/chain/chains'
import type { BlockSkip } from '@pool/contract/chain/skips'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'

const readSkip = record({
  id: or(asText, ''),
  from: or(asNumber, 0),
  to: or(asNumber, 0),
  state: or(asText, ''),
  agreedAt: asMoment,
  skippedAt: asMoment,
  askedBy: asText,
  agreedBy: asText,
  reason: or(asText, ''),
} satisfies Shape<BlockSkip>)

/** Skipped blocks as the screen shows them. */
export type ListedSkip = ReturnType<typeof readSkip>

const read = record({
  network: or(asText, ''),
  state: or(asText, ''),
  words: or(asText, ''),
  since: asMoment,
  checkedAt: asMoment,
  height: asNumber,
  finalHeight: asNumber,
  heightSince: asMoment,
  balancesAt: asMoment,
  unreadHeight: asNumber,
  skips: list(readSkip),
} satisfies Shape<Chain>)

/** A network as the screen shows it. */
export type ListedChain = ReturnType<typeof read>

/** The interval of the query in milliseconds. Nodes are asked every ten seconds by default. */
const ASKED_EVERY = 10_000

/** The networks with a node. `otherwise` is said of a failure without a sentence. */
export const useChains = (otherwise: string) =>
  useQuery({
    queryKey: ['chains'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listChains, { signal, texts: { otherwise } })).data),
  })
