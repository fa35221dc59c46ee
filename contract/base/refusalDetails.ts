import type { FactorKind, PasskeyOptions } from '../accounts/factors.ts'
import type { KeyProblem } from '../chain/addressKeys.ts'
import type { FeeRefusalDetails } from '../chain/feeRefusals.ts'
import type { BadLine } from '../chain/wallets.ts'
import type { BatchRefusalDetails } from '../coins/batchRefusals.ts'
import type { TermsProblem } from '../lending/loanTerms.ts'
import type { WindDownRefusalDetails } from '../lending/windDownRefusals.ts'
import type { CapitalRefusalDetails } from '../money/capitalRefusals.ts'
import type { TakesTwo } from '../money/limits.ts'
import type { PlanRefusalDetails } from '../money/planRefusals.ts'
import type { CallRefusalDetails } from './callRefusals.ts'
import type { StoppedWork } from './health.ts'
import type { isPaused, NotReady } from './messages.ts'
import type { Timestamp } from './timestamp.ts'

/**
 * The facts of each sentence, as they cross the wire: amounts in dollars. The field at fault is
 * sent beside them.
 */
export type RefusalDetails = BatchRefusalDetails &
  PlanRefusalDetails &
  FeeRefusalDetails &
  WindDownRefusalDetails &
  CapitalRefusalDetails &
  CallRefusalDetails & {
    readonly validation: { message: string; field?: string | undefined }
    readonly invalidAddress: { network: string; field: string }
    readonly ambiguousAddress: { networks: readonly string[]; field: string }
    readonly unpayableDestination: { field: string }
    readonly noPayoutAddress: { field: string }
    readonly addressUnowned: { field: string }
    readonly poolWallet: { field: string }
    readonly insufficientFunds: { balance: number }
    readonly amountDiffers: { amount: number }
    readonly evidenceUnseen: { network: string }
    readonly evidenceUnpriced: { coin: string }
    readonly evidenceCountsAs: { amount: number }
    readonly alreadyDecided: { status: string }
    readonly notToSend: { status: string }
    readonly notToComplete: { status: string }
    readonly notToReturn: { status: string }
    readonly payeeTooNew: { from: Timestamp }
    readonly tooManySignIns: { minutes: number }
    readonly tooManyRegistrations: { minutes: number }
    readonly tooManyResets: { minutes: number }
    readonly tooManyEmailLinks: { minutes: number }
    readonly tooManyExports: { minutes: number }
    readonly tooManyStatements: { minutes: number }
    readonly tooManyGuesses: { minutes: number }
    readonly factorRequired: { kinds: readonly FactorKind[]; passkey?: PasskeyOptions | undefined }
    readonly factorNeeded: { kinds: readonly FactorKind[] }
    readonly withdrawalsRest: { until: Timestamp }
    readonly ownerHasWallet: { network: string }
    readonly badAddresses: { network: string; total: number; lines: readonly BadLine[] }
    readonly badKey: { problem: KeyProblem }
    readonly networkHasKey: { network: string }
    readonly coinNotTaken: { coin: string; network: string }
    readonly noWalletOnNetwork: { network: string }
    readonly tooManyNewWallets: { hours: number }
    readonly walletsInDemand: { minutes: number }
    /** Staff alone get the jobs. */
    readonly notReady: { why: NotReady; stoppedJobs?: StoppedWork | undefined }
    readonly badTerms: { problem: TermsProblem }
    readonly loanIs: { status: string }
    readonly loanReserveShort: { free: number }
    readonly loanConcentrated: { most: number }
    readonly lossTooLarge: { invested: number }
    readonly disbursedBefore: { on: string }
    readonly takenOverBefore: { on: string }
    readonly ladderShort: { on: string; short: number }
    readonly recoveredTooMuch: { most: number }
    readonly payoffIs: { amount: number }
    readonly loanOwes: { amount: number }
    readonly takesTwo: { why: TakesTwo }
    readonly repaidTooMuch: { most: number }
    readonly paused: { name: keyof typeof isPaused; reason: string }
  }
