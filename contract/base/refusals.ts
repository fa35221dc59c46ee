/** The closed catalogue of refusals. A code without status or sentence does not compile. */
import { MOST_FACTORS } from '../accounts/factors.ts'
import { keyProblems } from '../chain/addressKeys.ts'
import { feeRefusals } from '../chain/feeRefusals.ts'
import { batchRefusals } from '../coins/batchRefusals.ts'
import { custodyRefusals } from '../coins/custodyRefusals.ts'
import { loanRefusals } from '../lending/loanRefusals.ts'
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
  validation,
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

type Entry<Details> = { readonly status: number; readonly narration: (details: Details) => string }

const says = (status: number, sentence: string): Entry<undefined> => ({
  status,
  narration: () => sentence,
})
const plain = (status: number): Entry<undefined> => says(status, messageForStatus(status))

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
  malformedJson: says(400, 'The request is not valid JSON. Please check your input.'),
  unsupportedMediaType: says(415, 'Requests must be sent as application/json.'),
  bodyTooLarge: says(413, 'The request is too large.'),
  headersTooLarge: says(431, 'The URL or the headers of the request are too long.'),
  requestTimeout: says(408, 'The request took too long to arrive.'),
  notHttp: says(400, 'The request is not valid HTTP.'),
  httpsRequired: says(403, 'This service is reached by https alone. Please use its https address.'),
  routeNotFound: plain(404),
  tooManyRequests: says(429, 'Too many attempts. Please wait a minute and try again.'),
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
  internal: plain(500),
  unavailable: plain(503),
  busy: says(503, 'The service is very busy. Nothing was recorded; please try again in a moment.'),
  outcomeUnknown: says(
    503,
    'The connection was lost while your request was being recorded. Please check your transactions before trying again.',
  ),

  notReady: { status: 503, narration: ({ why }: RefusalDetails['notReady']) => notReady[why] },
  paused: {
    status: 503,
    narration: ({ name, reason }: RefusalDetails['paused']) => isPaused[name](reason),
  },

  unauthenticated: plain(401),
  invalidCredentials: says(401, 'Invalid email or password.'),
  wrongPassword: says(403, 'The current password is not right.'),
  factorRequired: {
    status: 401,
    narration: () => 'Please confirm with your second factor that it is you.',
  },
  factorNeeded: {
    status: 403,
    narration: () => 'Please confirm with your second factor that it is you.',
  },
  factorWrong: says(403, 'This code is not right, or was used already.'),
  enrolmentEnded: says(403, 'The time to add this app is over. Please begin again.'),
  passkeyRefused: says(403, 'This passkey was not accepted. Please try again, or use another way.'),
  tooManyGuesses: {
    status: 429,
    narration: ({ minutes }: RefusalDetails['tooManyGuesses']) =>
      `Too many codes were tried. Please use a recovery code or a passkey, or try again in ${minutes} min.`,
  },
  enrolFactor: says(403, 'Please add a second factor to your account first.'),
  lastFactor: says(409, sentences.lastFactor),
  factorNotFound: says(404, 'Second factor not found.'),
  passkeyKnown: says(409, 'This passkey has already been added.'),
  tooManyFactors: says(
    409,
    `You already have ${MOST_FACTORS} second factors. Please remove one first.`,
  ),
  resetLinkInvalid: says(400, sentences.resetLinkInvalid),
  freezeLinkInvalid: says(400, sentences.freezeLinkInvalid),
  accountFrozen: says(403, sentences.accountFrozen),
  accountClosed: says(409, 'This account is closed.'),
  staffCannotClose: says(403, sentences.staffCannotClose),
  accountNotEmpty: says(409, sentences.accountNotEmpty),
  depositArrived: says(409, sentences.depositArrived),
  requestsOpen: says(409, sentences.requestsOpen),
  emailLinkInvalid: says(400, sentences.emailLinkInvalid),
  emailTakenMeanwhile: says(409, sentences.emailTakenMeanwhile),
  emailConfirmed: says(409, 'Your email address is confirmed already.'),
  emailUnchanged: says(409, 'This is your email address already.'),
  emailUnconfirmed: says(403, sentences.emailUnconfirmed),
  sessionNotFound: says(404, 'This session has ended already.'),
  suspended: says(403, 'This account is suspended. Please contact support.'),
  forbidden: plain(403),
  ownTransaction: says(403, sentences.ownTransaction),

  emailTaken: says(409, 'An account with this email already exists. Please sign in instead.'),
  ownProposal: says(403, 'You asked for this yourself. Another super admin must approve it.'),
  ownFactorReset: says(403, 'Other super admins decide about your own second factors.'),
  inviteeKnown: says(409, 'This address has an account. Please give it the role on its page.'),
  inviteOpen: says(409, sentences.inviteOpen),
  inviteInvalid: says(400, sentences.inviteInvalid),
  proposalAsked: says(409, 'This was asked for already, and waits for a second person.'),
  proposalClosed: says(409, 'This request is no longer open.'),
  proposalNeedless: says(409, 'This is so already. Nothing was changed.'),
  auditorOnly: says(409, 'Auditors have no other staff role. Please revoke one first.'),
  lastSuperAdmin: says(409, 'This is the last super admin. Please make another one first.'),
  userNotFound: says(404, 'User not found.'),

  insufficientFunds: {
    status: 409,
    narration: ({ balance }: RefusalDetails['insufficientFunds']) =>
      exceedsBalance(formatDollars(balance)),
  },
  withdrawalsRest: {
    status: 409,
    narration: ({ until }: RefusalDetails['withdrawalsRest']) =>
      `Your password or your email address was replaced by a mailed link, or your second factors were reset. To keep your money safe, withdrawals can be requested again from ${minuteFrom(until)}.`,
  },
  ...feeRefusals,
  ...planRefusals,
  claimOpen: says(409, sentences.claimOpen),
  depositUnsure: says(409, sentences.depositUnsure),
  claimSettled: says(409, 'This claim has changed. Look at it again.'),
  claimNeedsTwo: says(409, sentences.claimNeedsTwo),
  reserveShort: says(409, sentences.reserveShort),
  reserveExhausted: says(409, sentences.reserveExhausted),
  keyReused: says(422, 'This Idempotency-Key was already used for a different request.'),

  transactionNotFound: says(404, 'Transaction not found.'),
  alreadyDecided: {
    status: 409,
    narration: ({ status }: RefusalDetails['alreadyDecided']) =>
      `This transaction was already ${status.toLowerCase()}.`,
  },
  ...marks,
  ...loanRefusals,
  ...batchRefusals,
  ...custodyRefusals,
  paidAtApproval: says(409, sentences.paidAtApproval),
  returnNeedsTwo: says(409, sentences.returnNeedsTwo),
  networkDiffers: says(400, 'The address of this withdrawal is not on that network.'),
  investmentNotFound: says(404, 'Investment not found.'),
  notMatured: says(409, 'This investment has not matured yet, or was already paid.'),
  destinationUnresolved: says(409, sentences.destinationUnresolved),
  networkUnknown: says(409, sentences.networkUnknown),
  ownerFrozen: says(409, sentences.ownerFrozen),
  ownerSuspended: says(409, sentences.ownerSuspended),
  ownerOwes: says(409, sentences.ownerOwes),
  payeeIsPoolWallet: says(409, sentences.payeeIsPoolWallet),
  payeeTooNew: {
    status: 409,
    narration: ({ from }: RefusalDetails['payeeTooNew']) => newPayoutAddress(minuteFrom(from)),
  },
  notADeposit: says(409, 'Only a deposit can be confirmed.'),
  notAWithdrawal: says(409, 'Only a withdrawal can be approved or rejected.'),
  samePerson: says(409, sentences.samePerson),
  approvedAlready: says(409, sentences.approvedAlready),
  evidenceRequired: says(409, sentences.evidenceRequired),
  evidenceInvalid: says(400, 'This is not the id of a transaction on this network.'),
  evidenceUsed: says(409, sentences.evidenceUsed),
  evidenceOutputUsed: says(409, sentences.evidenceOutputUsed),
  evidencePaid: says(409, sentences.evidencePaid),
  evidenceOutputPaid: says(409, 'This output already paid a withdrawal to another address.'),
  evidenceDiffers: says(409, sentences.evidenceDiffers),
  evidenceUnseen: {
    status: 409,
    narration: ({ network }: RefusalDetails['evidenceUnseen']) =>
      `The node of ${network} shows no such payment to this deposit's address. Check the id, or wait for the node.`,
  },
  evidenceUnconfirmed: says(409, sentences.evidenceUnconfirmed),
  evidenceUnpriced: {
    status: 409,
    narration: ({ coin }: RefusalDetails['evidenceUnpriced']) =>
      `No rate of ${coin} counts, so this payment has no dollars. Set a rate first.`,
  },
  evidenceCountsAs: {
    status: 409,
    narration: ({ amount }: RefusalDetails['evidenceCountsAs']) =>
      `This payment counts as ${formatDollars(amount)}. Confirm that amount.`,
  },
  amountDiffers: {
    status: 409,
    narration: ({ amount }: RefusalDetails['amountDiffers']) =>
      `The first approver received ${formatDollars(amount)}. Check the payment. Then name the same amount, or reject the deposit.`,
  },
  payeeChanged: says(409, sentences.payeeChanged),
  payeeNotShown: says(409, sentences.payeeNotShown),
  ownerMismatch: says(409, 'This transaction belongs to another user. Reload and try again.'),

  noWalletAvailable: says(503, sentences.noWalletAvailable),
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
  tooManyOpenDeposits: says(
    409,
    `You already have ${OPEN_DEPOSITS_LIMIT} deposits waiting for confirmation. Nothing was recorded; please try again once one of them is confirmed.`,
  ),
  tooManyOpenWithdrawals: says(
    409,
    `You already have ${OPEN_WITHDRAWALS_LIMIT} withdrawals waiting to be sent. Nothing was recorded; please try again once one of them is sent, or cancel one.`,
  ),
  walletNotFound: says(404, 'Wallet not found.'),
  unseenNotFound: says(404, 'This arrival is not on record.'),
  unseenSettled: says(409, 'Another member of staff has settled this arrival already.'),
  walletExists: says(409, 'This address has already been added.'),
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
  keyAsked: says(409, sentences.keyAsked),
  rateAsked: says(409, sentences.rateAsked),
  coinNotTaken: {
    status: 400,
    narration: ({ coin, network }: RefusalDetails['coinNotTaken']) =>
      `${network} does not take ${coin}. Please choose another coin.`,
  },
  rateNeedsTwo: says(409, sentences.rateNeedsTwo),
  tapeNotFound: says(404, 'There is no file of that day.'),
  proofNotFound: says(404, 'There is no entry of this account for that day.'),
  keyNotFound: says(404, 'This key has ended, or never was.'),
  walletAssigned: says(409, sentences.walletAssigned),
  walletWaits: says(409, sentences.walletWaits),
  walletNotAssigned: says(409, sentences.walletNotAssigned),
  mailNotFound: says(404, 'Mail not found.'),
  mailExpired: says(409, 'The link in this mail has run out. A new one must be asked for.'),
  noMailServer: says(409, 'This sandbox keeps its mails. Set SMTP_URL to send them.'),
  unknownNetwork: says(400, 'Please choose one of the available networks.'),
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

type Sent = {
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

  constructor(code: RefusalCode, narration: string, { status, field, details }: Sent) {
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
