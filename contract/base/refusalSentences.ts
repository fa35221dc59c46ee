/** The long sentences of contract/base/refusals.ts. */
import type { addressesKnown, badAddresses } from './messages.ts'
import type { RefusalDetails } from './refusalDetails.ts'
import { dateFromTimestamp, type Timestamp } from './timestamp.ts'

export const sentences = {
  resetLinkInvalid:
    'This link was used already, or is older than 30 minutes. Please ask for a new one.',
  freezeLinkInvalid:
    'This link was used already, or is older than 7 days. Please choose a new password, which signs every device out.',
  accountFrozen:
    'Your account is frozen. To lift that, sign in with your second factor. Without one, choose a new password: "Forgot your password?" on the sign-in page.',
  emailLinkInvalid:
    'This link was used already, was replaced by a newer one, or is older than 24 hours. Please ask for a new one on the Security page.',
  emailTakenMeanwhile:
    'Meanwhile another account took this email address. Your account keeps its old one.',
  emailUnconfirmed:
    'Please confirm your email address before you withdraw. Open the link in our email, or ask for a new one on the Security page.',
  ownTransaction: 'You cannot decide about your own transaction. Another admin must do it.',
  ownerFrozen:
    'The investor has frozen this account, because somebody else may have signed in. The withdrawal can be approved once the investor has lifted that, or rejected now.',
  ownerSuspended:
    'The investor of this account is suspended. The withdrawal can be approved once the account is resumed, or rejected now.',
  ownerOwes:
    'A deposit of this account was taken back by its network, or is being confirmed again. The withdrawal can be approved once that is settled, or rejected now.',
  claimOpen:
    'A deposit of yours was taken back by its network after it was credited, and a part of it is still owed. Withdrawals and investments wait until that is settled: deposit the amount again, or contact support.',
  depositUnsure:
    'The network of a deposit of yours is confirming its coins again. Withdrawals and investments wait until it has.',
  claimNeedsTwo:
    'Writing off needs two super admins, and there is only one. Give the role to another person first.',
  reserveShort: "The pool's reserve cannot cover that much right now. Nothing was written off.",
  returnNeedsTwo:
    'Giving a withdrawal back needs two super admins, and there is only one. Give the role to another person first.',
  custodyNeedsTwo:
    'This needs two super admins, and there is only one. Give the role to another person first.',
  alarmNeedsTwo:
    'Coins that left without a batch are settled by two super admins. One of them asks for it at "Networks".',
  blockReadable: 'No block of this network is unreadable at the moment. Nothing is skipped.',
  blockNotNext:
    'Only the block that could not be read can be skipped, the one directly after the last that was. Please look at the network again.',
  skipUncompared:
    'No comparison would find a payment in a skipped block of this network, so none is skipped there.',
  skipWaits:
    'A skip on this network was agreed already. The product skips the blocks at its next look at the node.',
  alarmChanged: 'This alarm has changed. Please look at it again, and ask once more.',
  addressOurs: 'This address already belongs to the pool.',
  addressOfInvestor:
    'An investor is paid at this address, so it is not one of the pool. Look at the withdrawals that name it.',
  addressNotOwn:
    'Two super admins have not named this address as an own one. Name it under "Reconciliation" first.',
  pausedByBreak:
    'Coins on a chain differ from the books, so withdrawals are paused. Two super admins can resume them: see "Reconciliation".',
  breakChanged:
    'The difference has changed, or it does not pause withdrawals. Look at the newest comparison, and ask again.',
  samePerson:
    'You count as one person: one of you let the other in alone, less than 24 hours ago. Another member of staff must approve this, or you must wait until then.',
  destinationUnresolved:
    'This withdrawal has no address to pay to: its destination is no valid address, and no payout address is in use. Nothing was paid.',
  networkUnknown:
    'This withdrawal names no network, and its address is valid on several. Please reject it, so that the investor can name one.',
  payeeIsPoolWallet:
    'This withdrawal would be paid to a deposit wallet of the pool. Please reject it, so that the investor can name another address.',
  inviteOpen:
    'This address has an open invite. Please withdraw it first, or wait until it runs out.',
  inviteInvalid: 'This invite was used or withdrawn, or has run out. Please ask for another one.',
  walletAssigned:
    'This wallet is assigned to an investor who may still pay to it, so it cannot be deleted.',
  walletNotAssigned: 'Only an assigned wallet can be archived. An available one can be deleted.',
  lastFactor: 'This is your only second factor, and staff need one. Please add another one first.',
  walletWaits:
    'This address waits for another member of staff. Turn it down under "Waiting" instead.',
  keyAsked:
    'This was asked for already, and waits for another member of staff. Turn it down under "Waiting" first.',
  rateAsked:
    'A rate of this coin waits for another member of staff already. Turn it down on the page of rates first.',
  rateNeedsTwo:
    'A rate takes two people, and no other member of staff can approve it. Ask a super admin to give the role to another person.',
  evidenceRequired:
    'A deposit is confirmed only with its on-chain transaction. Please give its ID.',
  evidenceUsed:
    'This transaction already confirmed another deposit to this address. If it paid twice, add the output, such as ID:1.',
  approvedAlready:
    'You have already approved this transaction. Another admin must approve it, too.',
  payeeChanged:
    'The address that is paid has changed since you saw it. Check the new one, then approve again.',
  evidenceOutputUsed: 'This output of the transaction already confirmed another deposit.',
  evidencePaid:
    'This transaction already paid another withdrawal to this address. If it paid this one too, add the output, such as ID:1.',
  evidenceUnconfirmed:
    'This payment has too few confirmations yet. Please wait until its network has confirmed it.',
  evidenceDiffers:
    'The first approver gave another on-chain transaction. Check which one paid this deposit.',
  payeeNotShown:
    'A withdrawal is approved only with the address that you were shown. Please send it.',
  noWalletAvailable:
    'No deposit address is available right now. Nothing was recorded; please try again later or contact support.',
  staffCannotClose: 'Staff cannot close their account. Please have your staff roles revoked first.',
  accountNotEmpty:
    'There is money in your account. Please withdraw it first, and wait until your investments have matured.',
  depositArrived:
    'The coins of this deposit are here, so it cannot be cancelled. Please wait until they are checked.',
  requestsOpen:
    'A deposit or a withdrawal is on its way. Please wait until it is completed, or cancel it where you can.',
  reserveExhausted:
    "The pool's reserve cannot cover the interest on this investment right now. Please try a smaller amount or come back later.",
} as const

type WithdrawalStatus = { readonly status: string }
const refusedFor = (sentence: string) => ({
  status: 409,
  narration: ({ status }: WithdrawalStatus): string =>
    `${sentence} This one is ${status.toLowerCase()}.`,
})

/** The refusals of marks that another status of a withdrawal would take. */
export const marks = {
  notToSend: refusedFor('Only an approved withdrawal can be marked as sent.'),
  notToComplete: refusedFor('Only a sent withdrawal can be marked as completed.'),
  notToReturn: refusedFor('Only an approved or sent withdrawal can be given back.'),
}

/** Refuses a mail that was asked for several times within some minutes. */
export const mailsAskedFor = (minutes: number): string =>
  `Several emails were asked for already. Please look for them in your mailbox, or try again in ${minutes} min.`

/** Rounds a moment up to the minute: `2026-01-31 12:00 UTC`. */
export const minuteFrom = (moment: Timestamp): string => {
  const minute = Math.ceil(dateFromTimestamp(moment).getTime() / 60_000) * 60_000
  return `${new Date(minute).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Says how many addresses of a list are at fault. */
export const sentenceOfBadAddresses = (
  { network, total, lines }: RefusalDetails['badAddresses'],
  said: { bad: typeof badAddresses; known: typeof addressesKnown },
  language: string,
): string => {
  const isRepeat = lines.length === total && lines.every(({ problem }) => problem === 'exists')
  const [count, all] = [lines.length, total].map((number) => number.toLocaleString(language))
  return isRepeat ? said.known(network) : said.bad(count ?? '', all ?? '', network)
}
