/**
 * The sentences that both the server and the web app say (docs/product.md 11.1, 12.1). The Spanish
 * build replaces this file (web/compileMessages.ts).
 */

import type { PlanClosing } from '../money/plans.ts'
import * as validation from './validation.ts'

/** `balance` is a formatted amount such as `$12.00` (docs/product.md 11.1). */
export const exceedsBalance = (balance: string): string =>
  `Amount cannot exceed your balance of ${balance}`

/** Refuses an amount whose interest rounds to nothing. `least` is a formatted amount. */
export const earnsNothing = (least: string): string =>
  `This amount would earn no interest on this plan. Please invest at least ${least}.`

/** Refuses an amount out of a plan's bounds, each a formatted amount. */
export const belowLeast = (least: string): string =>
  `This plan takes ${least} or more. Please invest a larger amount.`
export const aboveMost = (most: string): string =>
  `This plan takes at most ${most} at once. Please invest a smaller amount.`
/** Refuses an amount above what still fits in a plan. `left` is a formatted amount. */
export const planNearlyFull = (left: string): string =>
  `Only ${left} can still be invested in this plan now. Please invest a smaller amount.`
/** Why a plan is closed, in front of the button and as a refusal. */
export const planIsClosed: Readonly<Record<PlanClosing, string>> = {
  closed: 'This plan is closed to new investments.',
  full: 'As much as this plan takes is at work now. It opens again as investments mature.',
  reserve:
    "The pool's reserve cannot cover the interest of another investment in this plan right now.",
  runway:
    'With this investment the free reserve would not last as long as this plan asks. A smaller amount may fit.',
}

/** Refuses a list of addresses. `count` of them are at fault, each named beside the sentence. */
export const badAddresses = (count: string, total: string, network: string): string =>
  `${count} of ${total} addresses cannot be added on ${network}. Nothing was added.`

/** Refuses a list whose addresses are all on record, as after a repeat. */
export const addressesKnown = (network: string): string =>
  `All of these addresses are already in the pool on ${network}. Nothing was added.`

/** Refuses an address that is not one of its network, such as `Bitcoin`. */
export const invalidAddress = (network: string): string =>
  `This is not a valid ${network} address. Please check it character by character.`

/** Refuses to pay to an address that is new to its investor before `moment`. */
export const newPayoutAddress = (moment: string): string =>
  `The investor first named this address less than 24 hours ago. The withdrawal can be approved from ${moment}.`

/** Refuses a destination that live mode could not pay. */
export const unpayableDestination =
  'This is not an address that can be paid. Check it character by character, or save a payout address first.'
/** Refuses a withdrawal to the Default Address of an investor who saved none. */
export const noPayoutAddress =
  'You have not saved a payout address. Save one first, or enter an address.'
/** Refuses an address that no wallet controls, or every wallet. */
export const addressUnowned =
  'This address has no owner. Coins sent to it are lost, or free for anyone to take. Enter an address of your own wallet.'
/** Refuses to pay to a deposit address of the pool. */
export const poolWallet =
  'This is a deposit address of the pool. Enter an address of your own wallet.'

/** Asks for the network of an address that is valid on all of `networks`. */
export const ambiguousAddress = (networks: string): string =>
  `This address is valid on several networks. Please choose one of them: ${networks}.`

/** Says what is paused, with the operator's own reason. */
export const isPaused: Readonly<
  Record<'deposits' | 'withdrawals' | 'investing', (reason: string) => string>
> = {
  deposits: (reason) => `New deposits are paused for now. The reason: ${reason}`,
  withdrawals: (reason) => `New withdrawals are paused for now. The reason: ${reason}`,
  investing: (reason) => `New investments are paused for now. The reason: ${reason}`,
}

/** Reasons to send a process no requests. */
export const notReady = {
  starting: 'The service is starting.',
  stopping: 'The service is stopping.',
  database: 'The database does not answer.',
  migrations: 'The database is not at the version of the service.',
  jobs: 'The background jobs do not run.',
} as const
export type NotReady = keyof typeof notReady

/** The sentence for a status without a narration (docs/product.md 12.1). */
const byStatus: Readonly<Record<number, string>> = {
  400: validation.badRequest,
  401: 'Unauthorized. Please login again.',
  403: "Access denied. You don't have permission for this action.",
  404: 'Resource not found.',
  500: 'Server error. Please try again later.',
  502: 'Bad gateway. Please try again later.',
  503: 'Service unavailable. Please try again later.',
}

export const messageForStatus = (status: number): string =>
  byStatus[status] ?? `Server error (${status}). Please try again.`

/** The sentence for a failure without a response, by its kind (docs/product.md 12.2). */
export const connection = {
  network: 'Network error. Please check your internet connection.',
  timeout: 'Request timeout. Please try again.',
  listTimeout: 'Request timeout - server not responding',
  listNetwork: 'Network error - server may be down or endpoint does not exist',
  refused: 'Backend server not available',
  crossOrigin: 'The server does not accept requests from this site. Please contact support.',
} as const

/** The default sentence of each call (docs/product.md 12.1). */
export const callFailed = {
  login: 'Login failed',
  register: 'Registration failed',
  balance: 'Failed to get balance',
  deposit: 'Failed to initiate deposit',
  withdraw: 'Failed to initiate withdrawal',
  invest: 'Failed to make investment',
  approve: 'Failed to approve transaction',
  confirm: 'Failed to confirm deposit',
  reject: 'Failed to reject transaction',
  cancel: 'Failed to cancel request',
  markSent: 'Failed to mark withdrawal',
  createWallet: 'Failed to create wallet',
  createWallets: 'Failed to add the addresses',
  deleteWallet: 'Failed to delete wallet',
  archiveWallet: 'Failed to archive wallet',
  restoreWallet: 'Failed to restore wallet',
  wallets: 'Failed to get wallets',
  fetchWallets: 'Failed to fetch wallets',
  networks: 'Failed to get networks',
  payoutAddress: 'Failed to get payout address',
  savePayoutAddress: 'Failed to save payout address',
  changePassword: 'Failed to change password',
  audit: 'Failed to get audit trail',
  pause: 'Failed to pause',
  resume: 'Failed to resume',
  pauses: 'Failed to get what is paused',
  users: 'Failed to get users',
  dashboard: 'Failed to load dashboard data',
} as const

/** The fallback of a screen (docs/product.md 12.1). */
export const screenFailed = {
  login: 'Login failed. Please check your credentials and try again.',
  register: 'Registration failed. Please check your information and try again.',
} as const

/** Sentences about the session (docs/product.md 9.6, 12.3). */
export const sessionMessages = {
  authenticationRequired: 'Authentication required. Please login first.',
  userInformationMissing: 'User information not found. Please login again.',
  userIdMissing: 'User ID not found. Please login again.',
  notAuthenticated: 'User not authenticated',
  authenticationFailed: 'Authentication failed. Please login again.',
  adminRequired: 'Unauthorized. Please make sure that you are logged in as an admin.',
} as const

/** Sentences of success (docs/product.md 3.4, 3.7, 3.13). */
export const succeeded = {
  register: 'Account created successfully! Please login with your credentials.',
  walletCreated: 'Wallet created successfully!',
  walletsCreated: 'Wallets created successfully!',
  walletDeleted: 'Wallet deleted successfully!',
  walletArchived: 'Wallet archived successfully!',
  walletRestored: 'Wallet restored successfully!',
  mailResent: 'The email is being sent again.',
  firstApproval:
    'Your approval is recorded. A second admin must approve it, too, before money moves.',
  addressCopied: 'Address copied to clipboard!',
  payoutAddressSaved: 'Payout address saved.',
  passwordChanged: 'Password changed. You are signed in here only.',
} as const
