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

/** A deposit that rests on a transaction: on one output, or on what its wallet was paid. */
export type EvidenceUse = {
  readonly id: string
  readonly walletId: string | null
  readonly output: number | null
  /** True for capital of the operator, which took the whole transaction. */
  readonly isCapital?: boolean
}

/** The deposits that rest on a transaction, under its {@link nameOf}. */
type EvidenceOnRecord = Map<string, readonly EvidenceUse[]>

/** Names a transaction in one word. */
const nameOf = ({ network, id }: Evidence): string => `${network} ${id}`

/** A rejected or expired deposit leaves its evidence to others. Capital that was typed keeps it. */
const EVIDENCE = `
SELECT t.id, t.evidence_network AS network, t.evidence, t.evidence_output AS output, t.wallet_id AS "walletId", false AS "isCapital"
FROM transactions AS t JOIN unnest($1::text[], $2::text[]) AS named (network, evidence)
  ON t.evidence_network = named.network AND t.evidence = named.evidence
WHERE t.evidence IS NOT NULL AND t.status IN ('PENDING', 'APPROVED')
UNION ALL
SELECT c.id, named.network, named.evidence, NULL, NULL, true
FROM contributions AS c JOIN unnest($1::text[], $2::text[]) AS named (network, evidence)
  ON c.network_name = named.network AND lower(c.evidence) = lower(named.evidence)
WHERE c.source = 'TYPED'`

export const evidenceOnRecord: StateReading<DepositConfirmed, EvidenceOnRecord> = {
  read: async (query, confirmations) => {
    const proofs = confirmations.flatMap(({ evidence }) => evidence ?? [])
    const rows = await query<EvidenceUse & { network: string; evidence: string }>(
      'read_evidence',
      EVIDENCE,
      [proofs.map(({ network }) => network), proofs.map(({ id }) => id)],
    )
    const onRecord: EvidenceOnRecord = new Map()
    for (const { network, evidence, ...use } of rows)
      addUse(onRecord, { network, id: evidence }, use)
    return onRecord
  },
}

const addUse = (onRecord: EvidenceOnRecord, evidence: Evidence, use: EvidenceUse): void => {
  const name = nameOf(evidence)
  onRecord.set(name, [...(onRecord.get(name) ?? []), use])
}

/** Uses by other deposits of the transaction that a confirmation rests on. */
const othersOn = ({ id, evidence }: DepositConfirmed, onRecord: EvidenceOnRecord) =>
  (evidence ? (onRecord.get(nameOf(evidence)) ?? []) : []).filter((use) => use.id !== id)

/** An output pays one wallet. A transaction without an output counts once for each wallet. */
const refusedEvidence = (
  confirmed: DepositConfirmed,
  request: Decidable,
  onRecord: EvidenceOnRecord,
): Refused | undefined => {
  const { evidence } = confirmed
  if (!evidence) return undefined
  const { output } = evidence
  const others = othersOn(confirmed, onRecord)
  if (others.some(({ isCapital }) => isCapital)) return { refused: 'evidenceUsed' }
  if (output !== undefined && others.some((use) => use.output === output))
    return { refused: 'evidenceOutputUsed' }
  if (output === undefined && others.some(({ walletId }) => walletId === request.walletId))
    return { refused: 'evidenceUsed' }
  return request.evidence !== null && request.evidence !== evidenceText(evidence)
    ? { refused: 'evidenceDiffers' }
    : undefined
}

/** True if another deposit of the wallet may rest on the same output, since it names none. */
const mayRepeat = (
  confirmed: DepositConfirmed,
  { walletId }: Decidable,
  onRecord: EvidenceOnRecord,
): boolean =>
  othersOn(confirmed, onRecord).some((use) => use.output === null && use.walletId === walletId)

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
    reads: { decisions, evidenceOnRecord, lone },
    rule: (confirmed, { decisions, evidenceOnRecord, lone }) =>
      approveRequest(
        confirmed,
        { ...decisions, lone },
        {
          refused: (request) => refusedEvidence(confirmed, request, evidenceOnRecord),
          needsTwo: (request) => mayRepeat(confirmed, request, evidenceOnRecord),
          firstApproval: 'deposit.firstApproval',
          proof: confirmed.evidence,
          receives: true,
          note: () => {
            const { evidence, id } = confirmed
            const walletId = decisions.requests.get(id)?.walletId ?? null
            if (evidence)
              addUse(evidenceOnRecord, evidence, { id, walletId, output: evidence.output ?? null })
          },
        },
      ),
  } satisfies Movement<
    DepositConfirmed,
    { decisions: Decisions; evidenceOnRecord: EvidenceOnRecord; lone: Lone }
  >,

  /** A deposit was rejected, or cancelled by its investor. */
  deposit_rejected: {
    legs: [],
    locks: 'transactions',
    reads: { decisions },
    rule: (rejected, { decisions }) => endRequest(rejected, decisions),
  } satisfies Movement<DepositRejected, { decisions: Decisions }>,
}
