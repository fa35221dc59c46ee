/** Proposals that calls of their own begin, in place of `askProposal`. */
import type { Coin } from '../base/assets.ts'
import type { TypedTerms } from '../lending/loanTerms.ts'

/** Calls of staff about wallets ask for it in live mode (docs/decisions/040). */
type OfWallets =
  | {
      readonly kind: 'ADD_WALLETS'
      readonly reason: string
      readonly networkName: string
      readonly count: number
      readonly first: string
      readonly last: string
      /** SHA-256 of the addresses, a line each. */
      readonly sha256: string
    }
  | {
      readonly kind: 'DELETE_WALLET' | 'ARCHIVE_WALLET'
      readonly reason: string
      readonly walletId: string
      readonly networkName: string
      readonly address: string
    }
  | {
      readonly kind: 'ADD_KEY'
      readonly reason: string
      readonly networkName: string
      /** As `server/base/chains/accountKeys.ts` writes it. */
      readonly key: string
      /** The fingerprint of its wallet, or the ends of the key. */
      readonly name: string
    }
  | {
      readonly kind: 'END_KEY'
      readonly reason: string
      readonly keyId: string
      readonly networkName: string
      readonly name: string
    }

/** Calls of staff about rates ask for it in live mode (docs/decisions/046). */
type OfRates = {
  readonly kind: 'SET_RATE'
  readonly reason: string
  readonly coin: Coin
  /** Decimal text, as `textOfRate` writes it. */
  readonly dollars: string
}

/** Calls of staff about loans ask for it, in every mode (docs/decisions/057). */
type OfLoans = {
  readonly reason: string
  readonly loanId: string
  readonly borrower: string
  /** The borrower's own account, if any. Its owner never decides. */
  readonly userId: string | null
  /** The principal in dollars, or what the loan owes once it is disbursed. */
  readonly amount: number
  /** The part of the principal that investors' principal funds. Not of what a loan owes. */
  readonly fromInvestors?: number | undefined
} & (
  | { readonly kind: 'APPROVE_LOAN' | 'DEFAULT_LOAN' | 'WRITE_OFF_LOAN' }
  | {
      /** The amount is what came back. */
      readonly kind: 'RECOVER_LOAN'
      /** The day on which it arrived, as ISO text. */
      readonly valueOn: string
      readonly reference: string
    }
  | {
      readonly kind: 'RESTRUCTURE_LOAN'
      readonly isDistressed: boolean
      readonly terms: Omit<TypedTerms, 'amount' | 'disburseOn'>
    }
  | {
      readonly kind: 'DISBURSE_LOAN'
      readonly networkName: string
      /** The transaction that paid it out, as the network writes it. */
      readonly evidence: string
      /** ISO text. */
      readonly disbursedOn: string
    }
  | {
      readonly kind: 'SEND_LOAN'
      readonly networkName: string
      /** The address of the borrower that a batch pays to. */
      readonly address: string
    }
  | {
      /** The amount is what arrived. */
      readonly kind: 'REPAY_LOAN'
      readonly valueOn: string
      readonly reference: string
      readonly inFull?: boolean | undefined
    }
  | {
      /** The amount is that of the repayment. */
      readonly kind: 'REVERSE_REPAYMENT'
      readonly repaymentId: string
      readonly valueOn: string
      readonly reference: string
    }
  | {
      /** The amount is the sum of these repayments. */
      readonly kind: 'RECOUNT_LOAN'
      readonly repaymentIds: readonly string[]
    }
  | {
      readonly kind: 'RELEASE_LOAN'
      /** The reserved loan, as it was shown. */
      readonly sendingId: string
    }
)

/** A file of repayments of which one person may not record all (docs/decisions/083). */
type OfFiles = {
  readonly kind: 'IMPORT_REPAYMENTS'
  readonly reason: string
  readonly lines: number
  /** The sum of its lines in dollars. */
  readonly amount: number
  readonly sha256: string
}

/** A sent withdrawal that no node shows as it should be (docs/decisions/084). */
type OfWithdrawals = {
  readonly kind: 'COMPLETE_WITHDRAWAL'
  readonly reason: string
  readonly transactionId: string
  readonly userId: string
  readonly amount: number
  readonly networkName: string
  readonly evidence: string
}

export type CalledProposal = OfFiles | OfWithdrawals | OfWallets | OfRates | OfLoans
