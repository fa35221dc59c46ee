import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { addKey, endKey } from './addressKeys.ts'
import { putInCapital } from './capital.ts'
import { completeWithdrawal } from './completions.ts'
import { endBreak, opening, ownAddress, settlement } from './custody.ts'
import { resetFactors } from './factorResets.ts'
import { invite } from './invites.ts'
import type { Rules } from './kind.ts'
import { defaultLoan, recoverLoan, restructureLoan, writeOffLoan } from './lateLoans.ts'
import { approveLoan, disburseLoan, releaseLoan, sendLoan } from './loans.ts'
import { coverLoss, shareLoss } from './losses.ts'
import { plan } from './plans.ts'
import { setRate } from './rates.ts'
import { importRepayments, recountLoan, repayLoan, reverseRepayment } from './repayments.ts'
import { returnWithdrawal } from './returns.ts'
import { grant, revoke } from './roles.ts'
import { skipBlocks } from './skips.ts'
import { resume, suspend } from './suspensions.ts'
import { addWallets, archiveWallet, deleteWallet } from './wallets.ts'
import { endWindDown, windDown, withdrawCapital } from './windDown.ts'
import { writeOff } from './writeOffs.ts'

/** The rules of every kind. */
const kinds: { readonly [Kind in ProposalKind]: Rules<Kind> } = {
  GRANT: grant,
  REVOKE: revoke,
  SUSPEND: suspend,
  RESUME: resume,
  RESET_FACTORS: resetFactors,
  INVITE: invite,
  ADD_WALLETS: addWallets,
  DELETE_WALLET: deleteWallet,
  ARCHIVE_WALLET: archiveWallet,
  ADD_KEY: addKey,
  END_KEY: endKey,
  SET_RATE: setRate,
  WRITE_OFF: writeOff,
  RETURN_WITHDRAWAL: returnWithdrawal,
  COMPLETE_WITHDRAWAL: completeWithdrawal,
  APPROVE_LOAN: approveLoan,
  DISBURSE_LOAN: disburseLoan,
  SEND_LOAN: sendLoan,
  RELEASE_LOAN: releaseLoan,
  REPAY_LOAN: repayLoan,
  REVERSE_REPAYMENT: reverseRepayment,
  RECOUNT_LOAN: recountLoan,
  IMPORT_REPAYMENTS: importRepayments,
  DEFAULT_LOAN: defaultLoan,
  WRITE_OFF_LOAN: writeOffLoan,
  RECOVER_LOAN: recoverLoan,
  RESTRUCTURE_LOAN: restructureLoan,
  OWN_ADDRESS: ownAddress,
  OPENING: opening,
  SETTLE_SPENDING: settlement,
  END_BREAK: endBreak,
  SKIP_BLOCKS: skipBlocks,
  COVER_LOSS: coverLoss,
  SHARE_LOSS: shareLoss,
  PLAN: plan,
  WIND_DOWN: windDown,
  END_WIND_DOWN: endWindDown,
  PUT_IN_CAPITAL: putInCapital,
  WITHDRAW_CAPITAL: withdrawCapital,
}

/** The rules of a proposal, whose payload was made by the same kind. */
export const rulesOf = (kind: ProposalKind) => kinds[kind] as Rules<ProposalKind>
