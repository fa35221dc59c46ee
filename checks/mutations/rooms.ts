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
      'server/batches/makeBatch.ts',
      'server/batches/planBitcoin.ts',
      'server/batches/planEvm.ts',
      'server/batches/payingNode.ts',
      'server/batches/approveBatch.ts',
      'server/batches/giveUpBatch.ts',
      'server/batches/selectCoins.ts',
      'server/batches/signedEvm.ts',
      'server/batches/sendEvm.ts',
    ],
    tests: ['server/batches/'],
  },
  {
    name: 'payouts',
    sources: [
      'server/payouts/byChain.ts',
      'server/payouts/explain.ts',
      'server/payouts/followPayouts.ts',
      'server/payouts/settleAlarm.ts',
      'server/nodes/proof.ts',
    ],
    tests: ['server/payouts/', 'server/transactions/sending.test.ts', 'server/batches/evm.test.ts'],
  },
  {
    name: 'loans',
    sources: [
      'server/ledger/loans.ts',
      'server/ledger/lateLoans.ts',
      'server/ledger/disbursements.ts',
      'contract/repayments.ts',
      'contract/schedules.ts',
    ],
    tests: ['contract/', 'server/loans/'],
  },
  {
    name: 'custody',
    sources: [
      'server/custody/postCoins.ts',
      'server/custody/coinMovements.ts',
      'server/custody/checkCoins.ts',
    ],
    tests: ['server/custody/', 'server/reconciliation/'],
  },
  {
    name: 'agreements',
    sources: [
      'server/proposals/ask.ts',
      'server/proposals/decide.ts',
      'server/proposals/hold.ts',
      'server/proposals/secondPerson.ts',
      'server/ledger/decisions.ts',
    ],
    tests: ['server/limits/', 'server/proposals/', 'server/transactions/approvals.test.ts'],
  },
]
