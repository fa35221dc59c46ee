/** The refusals of batches, a part of contract/base/refusals.ts. */

/** Why no batch can be made. `amount` is in coins, or satoshis for a virtual byte. */
export const batchProblems = {
  empty: 'None of these payments can be made by this batch.',
  insufficient: 'Too few coins can be spent. Missing',
  feeAboveBound: 'The fee would be above the bound that you set. It would be',
  tooLarge: 'The transaction would be too large for the network. Choose fewer payments.',
  fileTooLarge:
    'The transactions that made these coins are too large for one file. Collect coins first, or choose fewer payments.',
  conflictGone:
    'A payment was in a batch that was given up, whose coins another batch holds. Wait for that one.',
  noRate: 'The coin has no rate now. Set one, or check its price URLs.',
  noFeeRate: 'The node does not estimate a fee rate. Please give one.',
  noKey:
    'No coins can be spent by a file: they are at imported addresses, or their key has no origin.',
  noNode: 'This network has no node of the operator, and a batch needs one.',
  nodeNotFine: 'The node of this network has a problem, or was not read up to its newest block.',
  coinsChanged: 'The coins changed meanwhile. Please try again.',
  unknownCoin: 'The node of this network does not know this coin.',
  noPayer: 'Please give the address that pays.',
  noSafe: 'There is no Safe of a version that is known (1.3.0 or 1.4.1) at the address that pays.',
  noTarget: 'Please choose an address of the pool to collect to.',
  noCollection: 'Collecting is not offered on this network.',
  tooLittle: 'The address that pays has too few coins. It lacks',
  noTrial:
    'The node could not try these payments. It needs eth_call with overrides of code (docs/chains.md).',
  payerRefused: 'The coin takes no payment from the address that pays, not even a plain one.',
  refusedTogether:
    'Each of these payments can be made alone, but not all in one transaction. Choose fewer.',
  smallAmount: 'The coins are worth less than the fee of collecting them.',
} as const
export type BatchProblem = keyof typeof batchProblems

export type BatchRefusalDetails = {
  readonly batchImpossible: {
    problem: BatchProblem
    amount?: string | undefined
    /** Why each payment is left out, of `empty`. */
    leftOut?: readonly string[] | undefined
  }
  readonly signedRefused: { words: string }
  readonly batchClosed: { state: string }
  readonly batchLeavesOut: { count: number }
}

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const batchRefusals = {
  batchImpossible: {
    status: 409,
    narration: ({ problem, amount }: BatchRefusalDetails['batchImpossible']): string =>
      amount === undefined ? batchProblems[problem] : `${batchProblems[problem]} ${amount}.`,
  },
  batchClosed: {
    status: 409,
    narration: ({ state }: BatchRefusalDetails['batchClosed']): string =>
      `This batch is ${state.toLowerCase().replace('_', ' ')}, which does not allow that.`,
  },
  batchLeavesOut: {
    status: 409,
    narration: ({ count }: BatchRefusalDetails['batchLeavesOut']): string =>
      `${count} of these payments cannot be made by this batch. Look at the preview again.`,
  },
  batchNotFound: define(404, 'This batch is not on record.'),
  batchOnChain: define(
    409,
    'A transaction of this batch is on the network already, so it cannot be given up. If each payee got another amount, one person settles these alarms, and then another gives the batch up.',
  ),
  batchDiffers: define(409, 'This is not the digest of the file of this batch. Look at it again.'),
  batchBusy: define(409, 'This batch is being changed at this moment. Look at it again.'),
  restMayCome: define(
    409,
    'The file of this batch could still pay the rest. Wait until what it paid is confirmed.',
  ),
  signedUnreadable: define(
    400,
    'This is no signed transaction. Paste a signed PSBT, or the digits of a transaction.',
  ),
  signedUnfinished: define(409, 'Signatures are missing. Sign the file with all keys first.'),
  signedDiffers: define(
    409,
    'The signed transaction is not the one of this batch, so it was not sent. Look at what differs.',
  ),
  signedNotTaken: define(
    409,
    'Signed files of Bitcoin and of payments on EVM networks are taken. The signer sends this one.',
  ),
  signedOther: define(
    409,
    'Another signed file of this batch was given to the node. Give that one back again, or wait: two would pay twice.',
  ),
  signedRefused: {
    status: 409,
    narration: ({ words }: BatchRefusalDetails['signedRefused']): string =>
      `The node refused the transaction: ${words}`,
  },
  ownBatch: define(403, 'You made this batch yourself. Another member of staff must approve it.'),
  inBatch: define(
    409,
    'This withdrawal is in a batch that is not on the network yet. Give the batch up first.',
  ),
} as const
