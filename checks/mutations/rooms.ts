/**
 * Rooms where money leaves or is owed, with the sources in which tests must notice a fault. Sources
 * that a thread loads, as `signedEvm.ts`, are left out: a fault is planted in tests alone.
 */
export type MutatedRoom = {
  readonly name: string
  readonly sources: readonly string[]
  /** The folder of its tests, if its sources have none beside them. They are tried first. */
  readonly tests?: string
}

export const mutatedRooms: readonly MutatedRoom[] = [
  {
    name: 'batches',
    sources: [
      'server/coins/batches/makeBatch.ts',
      'server/coins/batches/planBitcoin.ts',
      'server/coins/batches/planEvm.ts',
      'server/coins/batches/payingNode.ts',
      'server/coins/batches/approveBatch.ts',
      'server/coins/batches/giveUpBatch.ts',
      'server/coins/batches/selectCoins.ts',
      'server/coins/batches/sendEvm.ts',
    ],
  },
  {
    name: 'payouts',
    sources: [
      'server/coins/payouts/byChain.ts',
      'server/coins/payouts/explain.ts',
      'server/coins/payouts/followPayouts.ts',
      'server/coins/payouts/settleAlarm.ts',
      'server/chain/nodes/proof.ts',
    ],
  },
  {
    name: 'loans',
    tests: 'server/lending/loans/',
    sources: [
      'server/ledger/families/loans.ts',
      'server/ledger/families/lateLoans.ts',
      'server/ledger/families/disbursements.ts',
      'contract/lending/repayments.ts',
      'contract/lending/schedules.ts',
    ],
  },
  {
    name: 'custody',
    sources: [
      'server/coins/custody/postCoins.ts',
      'server/coins/custody/coinMovements.ts',
      'server/coins/custody/checkCoins.ts',
    ],
  },
  {
    name: 'agreements',
    sources: [
      'server/agreements/proposals/ask.ts',
      'server/agreements/proposals/decide.ts',
      'server/agreements/proposals/hold.ts',
      'server/agreements/proposals/secondPerson.ts',
      'server/ledger/families/decisions.ts',
    ],
  },
]
