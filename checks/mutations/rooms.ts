/** Rooms where money leaves or is owed: their sources, and the tests that must notice a fault. */
export type MutatedRoom = {
  readonly name: string
  readonly sources: readonly string[]
  /** In the order in which they run. The first failure ends the run. */
  readonly tests: readonly string[]
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
      'server/coins/batches/signedEvm.ts',
      'server/coins/batches/sendEvm.ts',
    ],
    tests: ['server/coins/batches/'],
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
    tests: [
      'server/coins/payouts/',
      'server/requests/transactions/sending.test.ts',
      'server/coins/batches/evm.test.ts',
    ],
  },
  {
    name: 'loans',
    sources: [
      'server/ledger/families/loans.ts',
      'server/ledger/families/lateLoans.ts',
      'server/ledger/families/disbursements.ts',
      'contract/lending/repayments.ts',
      'contract/lending/schedules.ts',
    ],
    tests: ['contract/', 'server/lending/loans/'],
  },
  {
    name: 'custody',
    sources: [
      'server/coins/custody/postCoins.ts',
      'server/coins/custody/coinMovements.ts',
      'server/coins/custody/checkCoins.ts',
    ],
    tests: ['server/coins/custody/', 'server/coins/reconciliation/'],
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
    tests: [
      'server/money/brakes/limits/',
      'server/agreements/proposals/',
      'server/requests/transactions/approvals.test.ts',
    ],
  },
]
