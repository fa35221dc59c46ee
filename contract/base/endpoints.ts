/**
 * Every call of the product (docs/product.md 9.1). Registration, authorization and the OpenAPI page
 * read this list.
 */
import * as addressKeys from './addressKeys.ts'
import * as audit from './audit.ts'
import * as batches from './batches.ts'
import * as borrowers from './borrowers.ts'
import { listChains } from './chains.ts'
import { changeStream } from './changes.ts'
import { listClaims } from './claims.ts'
import { listCoinMovements, listOwnAddresses } from './custody.ts'
import * as decisions from './decisions.ts'
import * as emails from './emails.ts'
import type { Endpoint } from './endpoint.ts'
import * as factors from './factors.ts'
import * as figures from './figures.ts'
import { health, readiness } from './health.ts'
import * as investments from './investments.ts'
import * as invites from './invites.ts'
import * as lateLoans from './lateLoans.ts'
import * as liabilities from './liabilities.ts'
import * as limits from './limits.ts'
import * as loanFiles from './loanFiles.ts'
import * as loanRecords from './loanRecords.ts'
import * as loans from './loans.ts'
import { listLosses } from './losses.ts'
import * as mails from './mails.ts'
import * as notices from './notices.ts'
import { closeAccount, exportOwnData } from './ownData.ts'
import * as pauses from './pauses.ts'
import { listPayments } from './payments.ts'
import { payoutAddress, savePayoutAddress } from './payoutAddresses.ts'
import * as payouts from './payouts.ts'
import * as people from './people.ts'
import * as pool from './poolBook.ts'
import { poolKeys } from './poolKeys.ts'
import { readPoolStatement } from './poolStatements.ts'
import * as proposals from './proposals.ts'
import * as rates from './rates.ts'
import * as readingKeys from './readingKeys.ts'
import { readReconciliation } from './reconciliation.ts'
import * as requests from './requests.ts'
import * as sending from './sending.ts'
import * as sessions from './sessions.ts'
import { listStatements, readStatement } from './statements.ts'
import * as stories from './stories.ts'
import { readStress } from './stress.ts'
import * as transactions from './transactions.ts'
import * as unseen from './unseen.ts'
import * as users from './users.ts'
import * as waiting from './waitingWallets.ts'
import * as wallets from './wallets.ts'
import { readWindDown } from './windDown.ts'
import { withdrawalOrder } from './withdrawalOrder.ts'

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
  personTrail: people.personTrail,
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
  listWaiting: waiting.listWaiting,
  waitingAddresses: waiting.waitingAddresses,
  approveWaiting: waiting.approveWaiting,
  declineWaiting: waiting.declineWaiting,
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
  repayLoan: loans.repayLoan,
  reverseRepayment: loans.reverseRepayment,
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
  readStatement,
  userFigures: figures.userFigures,
  adminFigures: figures.adminFigures,
  poolFigures: figures.poolFigures,
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
  readReconciliation,
  settleUnseen: unseen.settleUnseen,
  listAlarms: payouts.listAlarms,
  settleAlarm: payouts.settleAlarm,
  listUndelivered: mails.listUndelivered,
  resendMail: mails.resendMail,
  health,
  readiness,
} as const satisfies Record<string, Endpoint>
