/**
 * Every call of the product (docs/product.md 9.1). Registration, authorization and the OpenAPI page
 * read this list.
 */
import * as audit from './audit.ts'
import { changeStream } from './changes.ts'
import type { Endpoint } from './endpoint.ts'
import * as figures from './figures.ts'
import { health, readiness } from './health.ts'
import * as investments from './investments.ts'
import * as limits from './limits.ts'
import * as pauses from './pauses.ts'
import { payoutAddress, savePayoutAddress } from './payoutAddresses.ts'
import * as stories from './stories.ts'
import * as transactions from './transactions.ts'
import * as users from './users.ts'
import * as wallets from './wallets.ts'

export const endpoints = {
  login: users.login,
  register: users.register,
  currentUser: users.currentUser,
  changePassword: users.changePassword,
  logout: users.logout,
  listUsers: users.listUsers,
  balance: transactions.balance,
  totalBalance: transactions.totalBalance,
  deposit: transactions.deposit,
  withdraw: transactions.withdraw,
  listTransactions: transactions.listTransactions,
  approve: transactions.approve,
  confirm: transactions.confirm,
  reject: transactions.reject,
  rejectByPayload: transactions.rejectByPayload,
  rejectByPut: transactions.rejectByPut,
  invest: investments.invest,
  listInvestments: investments.listInvestments,
  listAllInvestments: investments.listAllInvestments,
  checkMaturities: investments.checkMaturities,
  listNetworks: wallets.listNetworks,
  listWallets: wallets.listWallets,
  createWallet: wallets.createWallet,
  deleteWallet: wallets.deleteWallet,
  payoutAddress,
  savePayoutAddress,
  transactionStory: stories.transactionStory,
  investmentStory: stories.investmentStory,
  userFigures: figures.userFigures,
  adminFigures: figures.adminFigures,
  poolFigures: figures.poolFigures,
  changeStream,
  listPauses: pauses.listPauses,
  pause: pauses.pause,
  resume: pauses.resume,
  approvalLimits: limits.approvalLimits,
  listAudit: audit.listAudit,
  health,
  readiness,
} as const satisfies Record<string, Endpoint>
