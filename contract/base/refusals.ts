/** The closed catalogue of refusals. A code without status or sentence does not compile. */
import { MOST_FACTORS } from '../accounts/factors.ts'
import { keyProblems } from '../chain/addressKeys.ts'
import { feeRefusals } from '../chain/feeRefusals.ts'
import { batchRefusals } from '../coins/batchRefusals.ts'
import { custodyRefusals } from '../coins/custodyRefusals.ts'
import { loanRefusals } from '../lending/loanRefusals.ts'
import { capitalRefusals } from '../money/capitalRefusals.ts'
import { planRefusals } from '../money/planRefusals.ts'
import { statementRefusals } from '../reports/statementRefusals.ts'
import { callRefusals } from './callRefusals.ts'
import {
  addressesKnown,
  addressUnowned,
  ambiguousAddress,
  badAddresses,
  exceedsBalance,
  invalidAddress,
  isPaused,
  messageForStatus,
  newPayoutAddress,
  noPayoutAddress,
  notReady,
  poolWallet,
  unpayableDestination,
} from './messages.ts'
import { formatDollars, OPEN_DEPOSITS_LIMIT, OPEN_WITHDRAWALS_LIMIT } from './money.ts'
import type { RefusalDetails } from './refusalDetails.ts'
import {
  mailsAskedFor,
  marks,
  minuteFrom,
  sentenceOfBadAddresses,
  sentences,
} from './refusalSentences.ts'
import * as validation from './validation.ts'

type Entry<Details> = { readonly status: number; readonly narration: (details: Details) => string }

const define = (status: number, sentence: string): Entry<undefined> => ({
  status,
  narration: () => sentence,
})
const defineByStatus = (status: number): Entry<undefined> =>
  define(status, messageForStatus(status))

const catalogue = {
  validation: { status: 400, narration: ({ message }: RefusalDetails['validation']) => message },
  invalidAddress: {
    status: 400,
    narration: ({ network }: RefusalDetails['invalidAddress']) => invalidAddress(network),
  },
  ambiguousAddress: {
    status: 400,
    narration: ({ networks }: RefusalDetails['ambiguousAddress']) =>
      ambiguousAddress(networks.join(', ')),
  },
  unpayableDestination: { status: 400, narration: () => unpayableDestination },
  noPayoutAddress: { status: 400, narration: () => noPayoutAddress },
  addressUnowned: { status: 400, narration: () => addressUnowned },
  poolWallet: { status: 400, narration: () => poolWallet },
  malformedJson: define(400, 'The request is not valid JSON. Please check your input.'),
  unsupportedMediaType: define(415, 'Requests must be sent as application/json.'),
  bodyTooLarge: define(413, 'The request is too large.'),
  headersTooLarge: define(431, 'The URL or the headers of the request are too long.'),
  requestTimeout: define(408, 'The request took too long to arrive.'),
  notHttp: define(400, 'The request is not valid HTTP.'),
  httpsRequired: define(
    403,
    'This service is reached by https alone. Please use its https address.',
  ),
  routeNotFound: defineByStatus(404),
  tooManyRequests: define(429, 'Too many attempts. Please wait a minute and try again.'),
  ...callRefusals,
  tooManySignIns: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManySignIns']) =>
      `Too many attempts. Please try again in ${minutes} min.`,
  },
  tooManyRegistrations: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManyRegistrations']) =>
      `Many accounts were asked for over your internet connection. Nothing was recorded; please try again in ${minutes} min.`,
  },
  tooManyResets: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManyResets']) => mailsAskedFor(minutes),
  },
  tooManyEmailLinks: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManyEmailLinks']) => mailsAskedFor(minutes),
  },
  tooManyExports: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManyExports']) =>
      `Your data was asked for several times already. Please use the file that you have, or try again in ${minutes} min.`,
  },
  ...statementRefusals,
  internal: defineByStatus(500),
  unavailable: defineByStatus(503),
  busy: define(
    503,
    'The service is very busy. Nothing was recorded; please try again in a moment.',
  ),
  outcomeUnknown: define(
    503,
    'The connection was lost while your request was being recorded. Please check your transactions before trying again.',
  ),

  notReady: { status: 503, narration: ({ why }: RefusalDetails['notReady']) => notReady[why] },
  paused: {
    status: 503,
    narration: ({ name, reason }: RefusalDetails['paused']) => isPaused[name](reason),
  },

  unauthenticated: defineByStatus(401),
  invalidCredentials: define(401, 'Invalid email or password.'),
  wrongPassword: define(403, 'The current password is not right.'),
  factorRequired: {
    status: 401,
    narration: () => 'Please confirm with your second factor that it is you.',
  },
  factorNeeded: {
    status: 403,
    narration: () => 'Please confirm with your second factor that it is you.',
  },
  factorWrong: define(403, 'This code is not right, or was used already.'),
  enrolmentEnded: define(403, 'The time to add this app is over. Please begin again.'),
  passkeyRefused: define(
    403,
    'This passkey was not accepted. Please try again, or use another way.',
  ),
  tooManyGuesses: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManyGuesses']) =>
      `Too many codes were tried. Please use a recovery code or a passkey, or try again in ${minutes} min.`,
  },
  enrolFactor: define(403, 'Please add a second factor to your account first.'),
  lastFactor: define(409, sentences.lastFactor),
  factorNotFound: define(404, 'Second factor not found.'),
  passkeyKnown: define(409, 'This passkey has already been added.'),
  tooManyFactors: define(
    409,
    `You already have ${MOST_FACTORS} second factors. Please remove one first.`,
  ),
  resetLinkInvalid: define(400, sentences.resetLinkInvalid),
  freezeLinkInvalid: define(400, sentences.freezeLinkInvalid),
  accountFrozen: define(403, sentences.accountFrozen),
  accountClosed: define(409, 'This account is closed.'),
  staffCannotClose: define(403, sentences.staffCannotClose),
  accountNotEmpty: define(409, sentences.accountNotEmpty),
  depositArrived: define(409, sentences.depositArrived),
  requestsOpen: define(409, sentences.requestsOpen),
  emailLinkInvalid: define(400, sentences.emailLinkInvalid),
  emailTakenMeanwhile: define(409, sentences.emailTakenMeanwhile),
  emailConfirmed: define(409, 'Your email address is confirmed already.'),
  emailUnchanged: define(409, 'This is your email address already.'),
  emailUnconfirmed: define(403, sentences.emailUnconfirmed),
  sessionNotFound: define(404, 'This session has ended already.'),
  suspended: define(403, 'This account is suspended. Please contact support.'),
  forbidden: defineByStatus(403),
  ownTransaction: define(403, sentences.ownTransaction),

  emailTaken: define(409, 'An account with this email already exists. Please sign in instead.'),
  ownProposal: define(403, 'You asked for this yourself. Another super admin must approve it.'),
  ownFactorReset: define(403, 'Other super admins decide about your own second factors.'),
  inviteeKnown: define(409, 'This address has an account. Please give it the role on its page.'),
  inviteOpen: define(409, sentences.inviteOpen),
  inviteInvalid: define(400, sentences.inviteInvalid),
  proposalAsked: define(409, 'This was asked for already, and waits for a second person.'),
  proposalClosed: define(409, 'This request is no longer open.'),
  proposalNeedless: define(409, 'This is so already. Nothing was changed.'),
  auditorOnly: define(409, 'Auditors have no other staff role. Please revoke one first.'),
  lastSuperAdmin: define(409, 'This is the last super admin. Please make another one first.'),
  userNotFound: define(404, 'User not found.'),

  insufficientFunds: {
    status: 409,
    narration: ({ balance }: RefusalDetails['insufficientFunds']) =>
      exceedsBalance(formatDollars(balance)),
  },
  withdrawalsRest: {
    status: 409,
    narration: ({ until }: RefusalDetails['withdrawalsRest']) =>
      `Your password or your email address was replaced by an emailed link, or your second factors were reset. To keep your money safe, withdrawals can be requested again from ${minuteFrom(until)}.`,
  },
  ...feeRefusals,
  ...planRefusals,
  ...capitalRefusals,
  claimOpen: define(409, sentences.claimOpen),
  depositUnsure: define(409, sentences.depositUnsure),
  claimSettled: define(409, 'This claim has changed. Look at it again.'),
  claimNeedsTwo: define(409, sentences.claimNeedsTwo),
  reserveShort: define(409, sentences.reserveShort),
  reserveExhausted: define(409, sentences.reserveExhausted),
  keyReused: define(422, 'This Idempotency-Key was already used for a different request.'),

  transactionNotFound: define(404, 'Transaction not found.'),
  alreadyDecided: {
    status: 409,
    narration: ({ status }: RefusalDetails['alreadyDecided']) =>
      `This transaction was already ${status.toLowerCase()}.`,
  },
  ...marks,
  ...loanRefusals,
  ...batchRefusals,
  ...custodyRefusals,
  returnNeedsTwo: define(409, sentences.returnNeedsTwo),
  networkDiffers: define(400, 'The address of this withdrawal is not on that network.'),
  investmentNotFound: define(404, 'Investment not found.'),
  notMatured: define(409, 'This investment has not matured yet, or was already paid.'),
  destinationUnresolved: define(409, sentences.destinationUnresolved),
  networkUnknown: define(409, sentences.networkUnknown),
  ownerFrozen: define(409, sentences.ownerFrozen),
  ownerSuspended: define(409, sentences.ownerSuspended),
  ownerOwes: define(409, sentences.ownerOwes),
  payeeIsPoolWallet: define(409, sentences.payeeIsPoolWallet),
  payeeTooNew: {
    status: 409,
    narration: ({ from }: RefusalDetails['payeeTooNew']) => newPayoutAddress(minuteFrom(from)),
  },
  notADeposit: define(409, 'Only a deposit can be confirmed.'),
  notAWithdrawal: define(409, 'Only a withdrawal can be approved or rejected.'),
  samePerson: define(409, sentences.samePerson),
  approvedAlready: define(409, sentences.approvedAlready),
  evidenceRequired: define(409, sentences.evidenceRequired),
  evidenceInvalid: define(400, 'This is not the ID of a transaction on this network.'),
  evidenceUsed: define(409, sentences.evidenceUsed),
  evidenceOutputUsed: define(409, sentences.evidenceOutputUsed),
  evidencePaid: define(409, sentences.evidencePaid),
  evidenceOutputPaid: define(409, 'This output already paid a withdrawal to another address.'),
  evidenceDiffers: define(409, sentences.evidenceDiffers),
  evidenceUnseen: {
    status: 409,
    narration: ({ network }: RefusalDetails['evidenceUnseen']) =>
      `The node of ${network} shows no such payment to this deposit's address. Check the ID, or wait for the node.`,
  },
  evidenceUnconfirmed: define(409, sentences.evidenceUnconfirmed),
  evidenceUnpriced: {
    status: 409,
    narration: ({ coin }: RefusalDetails['evidenceUnpriced']) =>
      `There is no current rate of ${coin}, so this payment has no value in dollars. Set a rate first.`,
  },
  evidenceCountsAs: {
    status: 409,
    narration: ({ amount }: RefusalDetails['evidenceCountsAs']) =>
      `This payment is worth ${formatDollars(amount)}. Confirm that amount.`,
  },
  amountDiffers: {
    status: 409,
    narration: ({ amount }: RefusalDetails['amountDiffers']) =>
      `The first approver received ${formatDollars(amount)}. Check the payment. Then name the same amount, or reject the deposit.`,
  },
  payeeChanged: define(409, sentences.payeeChanged),
  payeeNotShown: define(409, sentences.payeeNotShown),
  ownerMismatch: define(409, 'This transaction belongs to another user. Reload and try again.'),

  noWalletAvailable: define(503, sentences.noWalletAvailable),
  noWalletOnNetwork: {
    status: 409,
    narration: ({ network }: RefusalDetails['noWalletOnNetwork']) =>
      `No deposit address is available on ${network} right now. Nothing was recorded; please choose another network.`,
  },
  tooManyNewWallets: {
    status: 429,
    narration: ({ hours }: RefusalDetails['tooManyNewWallets']) =>
      `Many deposit addresses were given out over your internet connection today. Nothing was recorded; please try again in ${hours} h, or over another connection.`,
  },
  walletsInDemand: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['walletsInDemand']) =>
      `Deposit addresses are in unusual demand. Nothing was recorded; please try again in ${minutes} min.`,
  },
  tooManyOpenDeposits: define(
    409,
    `You already have ${OPEN_DEPOSITS_LIMIT} deposits waiting for confirmation. Nothing was recorded; please try again once one of them is confirmed.`,
  ),
  tooManyOpenWithdrawals: define(
    409,
    `You already have ${OPEN_WITHDRAWALS_LIMIT} withdrawals waiting to be sent. Nothing was recorded; please try again once one of them is sent, or cancel one.`,
  ),
  walletNotFound: define(404, 'Wallet not found.'),
  unseenNotFound: define(404, 'This arrival is not on record.'),
  unseenSettled: define(409, 'Another member of staff has settled this arrival already.'),
  walletExists: define(409, 'This address has already been added.'),
  ownerHasWallet: {
    status: 409,
    narration: ({ network }: RefusalDetails['ownerHasWallet']) =>
      `This address belongs to an investor who already has another address on ${network}.`,
  },
  badAddresses: {
    status: 409,
    narration: (details: RefusalDetails['badAddresses']) =>
      sentenceOfBadAddresses(details, { bad: badAddresses, known: addressesKnown }, 'en-US'),
  },
  badKey: {
    status: 400,
    narration: ({ problem }: RefusalDetails['badKey']) => keyProblems[problem],
  },
  networkHasKey: {
    status: 409,
    narration: ({ network }: RefusalDetails['networkHasKey']) =>
      `${network} has a key already. Please end that one first.`,
  },
  keyAsked: define(409, sentences.keyAsked),
  rateAsked: define(409, sentences.rateAsked),
  coinNotTaken: {
    status: 400,
    narration: ({ coin, network }: RefusalDetails['coinNotTaken']) =>
      `${network} does not take ${coin}. Please choose another coin.`,
  },
  rateNeedsTwo: define(409, sentences.rateNeedsTwo),
  tapeNotFound: define(404, 'There is no file of that day.'),
  proofNotFound: define(404, 'There is no entry of this account for that day.'),
  keyNotFound: define(404, 'This key does not exist or was revoked.'),
  walletAssigned: define(409, sentences.walletAssigned),
  walletWaits: define(409, sentences.walletWaits),
  walletNotAssigned: define(409, sentences.walletNotAssigned),
  mailNotFound: define(404, 'Email not found.'),
  mailExpired: define(409, 'The link in this email has run out. A new one must be asked for.'),
  noMailServer: define(409, 'This sandbox keeps its emails. Set SMTP_URL to send them.'),
  unknownNetwork: define(400, 'Please choose one of the available networks.'),
} satisfies { [Code in keyof RefusalDetails]: Entry<RefusalDetails[Code]> } & Record<
  string,
  Entry<never>
>

export type RefusalCode = keyof typeof catalogue
type DetailsOf<Code extends RefusalCode> = Code extends keyof RefusalDetails
  ? [RefusalDetails[Code]]
  : []

/** A refusal as data: its code, and the facts of its sentence. */
export type RefusalData = {
  [Code in RefusalCode]: { readonly refused: Code } & (Code extends keyof RefusalDetails
    ? RefusalDetails[Code]
    : unknown)
}[RefusalCode]

/** The facts that are sent beside a code. A broken rule is sent by its name in `validation`. */
export type SentDetails<Code extends RefusalCode> = Code extends 'validation'
  ? { readonly rule?: keyof typeof validation }
  : Code extends keyof RefusalDetails
    ? Omit<RefusalDetails[Code], 'field'>
    : undefined

/** The refusals in another language. Undefined keeps the server's sentence. */
export type RefusalTexts = {
  readonly [Code in RefusalCode]: SentDetails<Code> extends undefined
    ? string
    : (details: SentDetails<Code>) => string | undefined
}

type SentFault = {
  readonly status: number
  readonly field?: string | undefined
  readonly details?: object | undefined
}

/** Thrown by verbs, which rolls their transaction back. `http/` answers it as an envelope. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly field: string | undefined
  readonly details: object | undefined

  constructor(code: RefusalCode, narration: string, { status, field, details }: SentFault) {
    super(narration)
    this.name = 'Refusal'
    this.code = code
    this.status = status
    this.field = field
    this.details = details
  }
}

const rules = new Map<string, string>(
  Object.entries(validation).map(([rule, sentence]) => [sentence, rule]),
)
const ruleOf = (sentence: string): object | undefined => {
  const rule = rules.get(sentence)
  return rule ? { rule } : undefined
}

/** Makes the refusal for a code: `throw refusal('insufficientFunds', { balance })`. */
export const refusal = <Code extends RefusalCode>(
  code: Code,
  ...[facts]: DetailsOf<Code>
): Refusal => {
  const { status, narration } = catalogue[code] as Entry<unknown>
  const message = narration(facts)
  const { field, ...details } = (facts ?? {}) as { readonly field?: string }
  const sent = code === 'validation' ? ruleOf(message) : facts && details
  return new Refusal(code, message, { status, field, details: sent })
}

/** Makes the refusal that data describe. Undefined for an unknown code. */
export const refusalFrom = ({
  refused,
  ...facts
}: {
  readonly refused: string
}): Refusal | undefined => {
  if (!Object.hasOwn(catalogue, refused)) return undefined
  const build = refusal as (code: string, facts?: object) => Refusal
  return Object.keys(facts).length > 0 ? build(refused, facts) : build(refused)
}
