/**
 * Every call of the product (docs/product.md 9.1). Registration, authorization and the OpenAPI page
 * read this list.
 */
import * as emails from '../accounts/emails.ts'
import * as factors from '../accounts/factors.ts'
import * as invites from '../accounts/invites.ts'
import * as mails from '../accounts/mails.ts'
import * as people from '../accounts/people.ts'
import * as readingKeys from '../accounts/readingKeys.ts'
import * as sessions from '../accounts/sessions.ts'
import * as users from '../accounts/users.ts'
import * as proposals from '../agreements/proposals.ts'
import * as waiting from '../agreements/staffProposals.ts'
import * as addressKeys from '../chain/addressKeys.ts'
import { listChains } from '../chain/chains.ts'
import * as rates from '../chain/rates.ts'
import * as wallets from '../chain/wallets.ts'
import * as batches from '../coins/batches.ts'
import { readCapital } from '../coins/capital.ts'
import { listCoinMovements, listOwnAddresses } from '../coins/custody.ts'
import { listPayments } from '../coins/payments.ts'
import * as payouts from '../coins/payouts.ts'
import { readReconciliation } from '../coins/reconciliation.ts'
import * as sending from '../coins/sending.ts'
import * as unseen from '../coins/unseen.ts'
import { withdrawalOrder } from '../coins/withdrawalOrder.ts'
import * as borrowers from '../lending/borrowers.ts'
import * as lateLoans from '../lending/lateLoans.ts'
import * as loanFiles from '../lending/loanFiles.ts'
import * as loanRecords from '../lending/loanRecords.ts'
import * as loans from '../lending/loans.ts'
import { listLosses } from '../lending/losses.ts'
import * as pool from '../lending/poolBook.ts'
import { readStress } from '../lending/stress.ts'
import { readWindDown } from '../lending/windDown.ts'
import { listClaims } from '../money/claims.ts'
import * as investments from '../money/investments.ts'
import * as limits from '../money/limits.ts'
import * as pauses from '../money/pauses.ts'
import { payoutAddress, savePayoutAddress } from '../money/payoutAddresses.ts'
import { listPlans, listPlanVersions } from '../money/planVersions.ts'
import * as audit from '../reports/audit.ts'
import * as figures from '../reports/figures.ts'
import * as liabilities from '../reports/liabilities.ts'
import * as notices from '../reports/notices.ts'
import { closeAccount, exportOwnData } from '../reports/ownData.ts'
import { poolKeys } from '../reports/poolKeys.ts'
import { readPoolStatement } from '../reports/poolStatements.ts'
import { listStatements, previewStatement, readStatement } from '../reports/statements.ts'
import * as timeline from '../reports/timeline.ts'
import * as today from '../reports/today.ts'
import * as decisions from '../requests/decisions.ts'
import * as requests from '../requests/requests.ts'
import * as stories from '../requests/stories.ts'
import * as transactions from '../requests/transactions.ts'
import { changeStream } from './changes.ts'
import type { Endpoint } from './endpoint.ts'
import { health, readiness } from './health.ts'
import { listStoppedJobs } from './jobs.ts'

export const endpoints = {
  login: users.login,
  register: users.register,
  currentUser: users.currentUser,
  changePassword: users.changePassword,
  forgotPassword: users.forgotPassword,
  resetPassword: users.resetPassword,
  acceptInvite: invites.acceptInvite,
  confirmEmail: emails.confirmEmail,
  askEmailLink: emails.askEmailLink,
  changeEmail: emails.changeEmail,
  logout: users.logout,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  endOtherSessions: sessions.endOtherSessions,
  listReadingKeys: readingKeys.listReadingKeys,
  makeReadingKey: readingKeys.makeReadingKey,
  endReadingKey: readingKeys.endReadingKey,
  freezeAccount: sessions.freezeAccount,
  exportOwnData,
  closeAccount,
  listUsers: users.listUsers,
  person: people.person,
  personAccess: people.personAccess,
  listNotes: people.listNotes,
  addNote: people.addNote,
  listProposals: proposals.listProposals,
  askProposal: proposals.askProposal,
  approveProposal: proposals.approveProposal,
  declineProposal: proposals.declineProposal,
  listFactors: factors.listFactors,
  beginTotp: factors.beginTotp,
  confirmTotp: factors.confirmTotp,
  beginPasskey: factors.beginPasskey,
  confirmPasskey: factors.confirmPasskey,
  renameFactor: factors.renameFactor,
  removeFactor: factors.removeFactor,
  renewRecoveryCodes: factors.renewRecoveryCodes,
  passkeyOptions: factors.passkeyOptions,
  proveFactor: factors.proveFactor,
  passkeySignInOptions: factors.passkeySignInOptions,
  passkeySignIn: users.passkeySignIn,
  balance: transactions.balance,
  totalBalance: transactions.totalBalance,
  deposit: requests.deposit,
  withdraw: requests.withdraw,
  checkDestination: requests.checkDestination,
  listTransactions: transactions.listTransactions,
  approve: decisions.approve,
  confirm: decisions.confirm,
  reject: decisions.reject,
  rejectByPayload: decisions.rejectByPayload,
  rejectByPut: decisions.rejectByPut,
  rejectDeposit: decisions.rejectDeposit,
  cancel: requests.cancel,
  withdrawalOrder,
  markSent: sending.markSent,
  markCompleted: sending.markCompleted,
  previewBatch: batches.previewBatch,
  makeBatch: batches.makeBatch,
  listBatches: batches.listBatches,
  batchAddresses: batches.batchAddresses,
  readBatch: batches.readBatch,
  batchFile: batches.batchFile,
  compareSigned: batches.compareSigned,
  sendSigned: batches.sendSigned,
  approveBatch: batches.approveBatch,
  giveUpBatch: batches.giveUpBatch,
  invest: investments.invest,
  listInvestments: investments.listInvestments,
  listAllInvestments: investments.listAllInvestments,
  checkMaturities: investments.checkMaturities,
  listNetworks: wallets.listNetworks,
  depositTerms: wallets.depositTerms,
  listWallets: wallets.listWallets,
  walletStock: wallets.walletStock,
  createWallet: wallets.createWallet,
  createWallets: wallets.createWallets,
  deleteWallet: wallets.deleteWallet,
  archiveWallet: wallets.archiveWallet,
  restoreWallet: wallets.restoreWallet,
  listWaiting: waiting.listOpenProposals,
  waitingAddresses: waiting.listProposedAddresses,
  approveWaiting: waiting.approveOpenProposal,
  declineWaiting: waiting.declineOpenProposal,
  listKeys: addressKeys.listKeys,
  readKey: addressKeys.readKey,
  addKey: addressKeys.addKey,
  endKey: addressKeys.endKey,
  listRates: rates.listRates,
  setRate: rates.setRate,
  listBorrowers: borrowers.listBorrowers,
  borrowerStory: borrowers.borrowerStory,
  recordBorrower: borrowers.recordBorrower,
  correctBorrower: borrowers.correctBorrower,
  closeLoan: loans.closeLoan,
  listLoans: loans.listLoans,
  loanStory: loans.loanStory,
  recordLoan: loans.recordLoan,
  askLoanApproval: loans.askLoanApproval,
  askDisbursement: loans.askDisbursement,
  askSending: loans.askSending,
  askRelease: loans.askRelease,
  repayLoan: loans.repayLoan,
  reverseRepayment: loans.reverseRepayment,
  recountLoan: loans.recountLoan,
  importLoanFile: loanFiles.importLoanFile,
  exportLoanFile: loanFiles.exportLoanFile,
  addCollateral: loanRecords.addCollateral,
  withdrawCollateral: loanRecords.withdrawCollateral,
  addLoanDocument: loanRecords.addLoanDocument,
  addBorrowerDocument: loanRecords.addBorrowerDocument,
  withdrawDocument: loanRecords.withdrawDocument,
  writeUpdate: loanRecords.writeUpdate,
  askDefault: lateLoans.askDefault,
  askLoanWriteOff: lateLoans.askLoanWriteOff,
  askRecovery: lateLoans.askRecovery,
  askRestructuring: lateLoans.askRestructuring,
  payoutAddress,
  savePayoutAddress,
  transactionStory: stories.transactionStory,
  investmentStory: stories.investmentStory,
  listStatements,
  readPoolStatement,
  previewStatement,
  readStatement,
  userFigures: figures.userFigures,
  adminFigures: figures.adminFigures,
  poolFigures: figures.poolFigures,
  readCounts: today.readCounts,
  readTimeline: timeline.readTimeline,
  readToday: today.readToday,
  readMorningMail: today.readMorningMail,
  saveMorningMail: today.saveMorningMail,
  readStress,
  poolBook: pool.poolBook,
  poolKeys,
  listTapes: pool.listTapes,
  readTape: pool.readTape,
  listLiabilities: liabilities.listLiabilities,
  readLiabilities: liabilities.readLiabilities,
  readProof: liabilities.readProof,
  changeStream,
  listNotices: notices.listNotices,
  readNotices: notices.readNotices,
  noticePreferences: notices.noticePreferences,
  saveNoticePreferences: notices.saveNoticePreferences,
  listPlans,
  listPlanVersions,
  listPauses: pauses.listPauses,
  pause: pauses.pause,
  resume: pauses.resume,
  approvalLimits: limits.approvalLimits,
  listAudit: audit.listAudit,
  listMails: mails.listMails,
  readMail: mails.readMail,
  listChains,
  listPayments,
  listClaims,
  listLosses,
  readWindDown,
  listUnseen: unseen.listUnseen,
  listOwnAddresses,
  listCoinMovements,
  readCapital,
  readReconciliation,
  settleUnseen: unseen.settleUnseen,
  listAlarms: payouts.listAlarms,
  settleAlarm: payouts.settleAlarm,
  listUndelivered: mails.listUndelivered,
  resendMail: mails.resendMail,
  listStoppedJobs,
  health,
  readiness,
} as const satisfies Record<string, Endpoint>
