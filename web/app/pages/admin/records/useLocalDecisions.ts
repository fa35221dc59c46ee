import { useMemo, useState } from 'react'

type LocalDecision = 'APPROVED' | 'REJECTED'

/**
 * Decisions about investments in this view only. They make no call, and 'Refresh Data' drops them
 * (docs/product.md 3.14).
 */
export const useLocalDecisions = () => {
  const [decided, setDecided] = useState<ReadonlyMap<string, LocalDecision>>(new Map())
  return useMemo(
    () => ({
      of: (id: string): LocalDecision | undefined => decided.get(id),
      decide: (id: string, decision: LocalDecision) =>
        setDecided((before) => new Map(before).set(id, decision)),
      forget: () => setDecided(new Map()),
    }),
    [decided],
  )
}

export type LocalDecisions = ReturnType<typeof useLocalDecisions>
