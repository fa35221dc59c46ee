/** Deposits: requested, then confirmed when coins arrive, or ended. */
import type { Cents } from '@pool/contract/base/money'
import type { TransactionStatus } from '@pool/contract/requests/transactions'
import {
  type Automatic,
  approveRequest,
  type Decidable,
  type Decided,
  type Decisions,
  decisions,
  type Ends,
  type Evidence,
  endRequest,
  evidenceText,
} from './decisions.ts'
import { type Lone, lone } from './lone.ts'
import type { Expected, Movement, OperationRequest, Refused, StateReading } from './movement.ts'
import { type Quoting, quoteFor, quoteRow, type Rates, rates } from './quotes.ts'
import { transactionRow, transactionsOf } from './requests.ts'
import { isBooked, noteUse, othersOn, type Use, type Uses, uses } from './uses.ts'

/** Limits on new wallets: per day for one IP range, given as a digest, and per hour for all. */
export type WalletPace = {
  readonly source: Buffer
  readonly perIp: number
  readonly perHour: number
}

export type DepositRequested = OperationRequest & {
  readonly movement: 'deposit_requested'
  readonly id: string
  readonly amount: Cents
  readonly description: string
  /** The wallet's network. Undefined takes the one used last, else any. */
  readonly networkName?: string | undefined
  /** Limits an investor who has no wallet of the network yet. */
  readonly walletPace?: WalletPace | undefined
  /** Quotes the coins to send. Undefined makes no quote. */
  readonly quoting?: Quoting | undefined
}

/** Confirms a deposit. Its amount is what was received. The request keeps what was asked for. */
export type DepositConfirmed = (Decided | Automatic) & {
  readonly movement: 'deposit_confirmed'
  /** The deposit's payment on its chain. Each counts once. */
  readonly evidence?: Evidence | undefined
}

export type DepositRejected = Decided & Ends & { readonly movement: 'deposit_rejected' }

export type DepositOperation = DepositRequested | DepositConfirmed | DepositRejected

export type Wallet = {
  readonly walletId: string
  readonly address: string
  readonly networkName: string
}

/** The wallets of deposit requests. */
type Wallets = Map<DepositRequested, Wallet>

/**
 * Gives each request its investor's wallet. An investor without a wallet of the wanted network gets
 * the oldest free one, for good.
 */
export const wallets: StateReading<DepositRequested, Wallets> = {
  read: () => Promise.resolve(new Map()),
  prepare: async (query, requests, given) => {
    const [row] = await query<{ wallets: (Wallet | Refused)[] }>(
      'assign_wallets',
      'SELECT assign_wallets($1, $2, $3, $4, $5) AS wallets',
      [
        requests.map(({ by }) => by.id),
        requests.map(({ networkName }) => networkName),
        requests.map(({ walletPace }) => walletPace && `\\x${walletPace.source.toString('hex')}`),
        requests.map(({ walletPace }) => walletPace?.perIp),
        requests.map(({ walletPace }) => walletPace?.perHour),
      ],
    )
    const refused = new Map<DepositRequested, Refused>()
    for (const [position, request] of requests.entries()) {
      const wallet = row?.wallets[position]
      if (wallet && 'refused' in wallet) refused.set(request, wallet)
      else if (wallet) given.set(request, wallet)
    }
    return refused
  },
}

const depositsOn = (confirmed: DepositConfirmed, uses: Uses): readonly Use[] =>
  othersOn(confirmed, uses).filter(({ kind }) => kind === 'deposit')

/** An output pays one wallet. A transaction without an output counts once for each wallet. */
const refusedEvidence = (
  confirmed: DepositConfirmed,
  request: Decidable,
  uses: Uses,
): Refused | undefined => {
  const { evidence } = confirmed
  if (!evidence) return undefined
  const { output } = evidence
  if (isBooked(confirmed, uses)) return { refused: 'evidenceUsed' }
  const others = depositsOn(confirmed, uses)
  if (output !== undefined && others.some((use) => use.output === output))
    return { refused: 'evidenceOutputUsed' }
  if (output === undefined && others.some(({ walletId }) => walletId === request.walletId))
    return { refused: 'evidenceUsed' }
  return request.evidence !== null && request.evidence !== evidenceText(evidence)
    ? { refused: 'evidenceDiffers' }
    : undefined
}

/** True if another deposit of the wallet may rest on the same output, since it names none. */
const mayRepeat = (confirmed: DepositConfirmed, { walletId }: Decidable, uses: Uses): boolean =>
  depositsOn(confirmed, uses).some((use) => use.output === null && use.walletId === walletId)

export const deposits = {
  /** A deposit was requested. Nothing moves until coins arrive. */
  deposit_requested: {
    legs: [],
    reads: { wallets, rates },
    rule: (request, { wallets, rates }, at) => {
      const wallet = wallets.get(request)
      const { walletId, ...shown } = wallet ?? {}
      const { id, by, amount, description, quoting } = request
      const row = { id, ownerId: by.id, amount, description, walletId }
      const quote = wallet && quoting && quoteFor({ ...wallet, quoting, amount, rates, at })
      return {
        rows: [
          transactionRow({ ...row, type: 'deposit', status: 'PENDING' }),
          ...(quote ? [quoteRow(id, quote)] : []),
        ],
        posted: { ...shown, ...(quote && { quote }) },
      }
    },
  } satisfies Movement<DepositRequested, { wallets: Wallets; rates: Rates }>,

  /** The coins of a deposit arrived in the pool's wallet. */
  deposit_confirmed: {
    legs: [{ from: 'custody', to: 'available', moves: 'amount' }],
    expected: {
      rows: transactionsOf('deposit'),
      statuses: ['APPROVED', 'REVERSED'],
    } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { decisions, uses, lone },
    rule: (confirmed, { decisions, uses, lone }) =>
      approveRequest(
        confirmed,
        { ...decisions, lone },
        {
          refused: (request) => refusedEvidence(confirmed, request, uses),
          needsTwo: (request) => mayRepeat(confirmed, request, uses),
          firstApproval: 'deposit.firstApproval',
          proof: confirmed.evidence,
          receives: true,
          note: () => {
            const walletId = decisions.requests.get(confirmed.id)?.walletId ?? null
            noteUse(confirmed, walletId, uses)
          },
        },
      ),
  } satisfies Movement<DepositConfirmed, { decisions: Decisions; uses: Uses; lone: Lone }>,

  /** A deposit was rejected, or cancelled by its investor. */
  deposit_rejected: {
    legs: [],
    locks: 'transactions',
    reads: { decisions },
    rule: (rejected, { decisions }) => endRequest(rejected, decisions),
  } satisfies Movement<DepositRejected, { decisions: Decisions }>,
}
