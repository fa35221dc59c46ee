/** Deposits: requested, then confirmed when coins arrive, or ended. */
import type { Cents } from '@pool/contract/money'
import type { TransactionStatus } from '@pool/contract/transactions'
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
} from './decisions.ts'
import type { Asked, Expected, Movement, Reading, Refused } from './movement.ts'
import { transactionRow, transactionsOf } from './requests.ts'

/** Limits on new wallets: per day for one IP range, given as a digest, and per hour for all. */
export type WalletPace = {
  readonly source: Buffer
  readonly perIp: number
  readonly perHour: number
}

export type DepositRequested = Asked & {
  readonly movement: 'deposit_requested'
  readonly id: string
  readonly amount: Cents
  readonly description: string
  /** The wallet's network. Undefined takes the one used last, else any. */
  readonly networkName?: string | undefined
  /** Limits an investor who has no wallet of the network yet. */
  readonly walletPace?: WalletPace | undefined
}

/** Confirms a deposit. Its amount is what was received. The request keeps what was asked for. */
export type DepositConfirmed = (Decided | Automatic) & {
  readonly movement: 'deposit_confirmed'
  /** The deposit's transaction on its chain. Each counts once. */
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
export const wallets: Reading<DepositRequested, Wallets> = {
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

/** Requests by the evidence on record for them: {@link evidenceName}. */
type EvidenceOnRecord = Map<string, string>

/** Names evidence in one word. */
const evidenceName = ({ network, id }: Evidence): string => `${network} ${id}`

const EVIDENCE = `
SELECT t.id, t.evidence_network AS network, t.evidence
FROM transactions AS t JOIN unnest($1::text[], $2::text[]) AS named (network, evidence)
  ON t.evidence_network = named.network AND t.evidence = named.evidence`

export const evidenceOnRecord: Reading<DepositConfirmed, EvidenceOnRecord> = {
  read: async (query, confirmations) => {
    const proofs = confirmations.flatMap(({ evidence }) => evidence ?? [])
    const rows = await query<{ id: string; network: string; evidence: string }>(
      'read_evidence',
      EVIDENCE,
      [proofs.map(({ network }) => network), proofs.map(({ id }) => id)],
    )
    return new Map(
      rows.map(({ id, network, evidence }) => [evidenceName({ network, id: evidence }), id]),
    )
  },
}

const refusedEvidence = (
  { id, evidence }: DepositConfirmed,
  request: Decidable,
  onRecord: EvidenceOnRecord,
): Refused | undefined => {
  if (!evidence) return undefined
  const used = onRecord.get(evidenceName(evidence))
  if (used !== undefined && used !== id) return { refused: 'evidenceUsed' }
  return request.evidence !== null && request.evidence !== evidence.id
    ? { refused: 'evidenceDiffers' }
    : undefined
}

export const deposits = {
  /** A deposit was requested. Nothing moves until coins arrive. */
  deposit_requested: {
    legs: [],
    reads: { wallets },
    rule: (request, { wallets }) => {
      const { walletId, ...shown } = wallets.get(request) ?? {}
      const { id, by, amount, description } = request
      const row = { id, ownerId: by.id, amount, description, walletId }
      return {
        rows: [transactionRow({ ...row, type: 'deposit', status: 'PENDING' })],
        posted: shown,
      }
    },
  } satisfies Movement<DepositRequested, { wallets: Wallets }>,

  /** The coins of a deposit arrived in the pool's wallet. */
  deposit_confirmed: {
    legs: [{ from: 'custody', to: 'available', moves: 'amount' }],
    expected: {
      rows: transactionsOf('deposit'),
      statuses: ['APPROVED'],
    } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { decisions, evidenceOnRecord },
    rule: (confirmed, { decisions, evidenceOnRecord }) =>
      approveRequest(confirmed, decisions, {
        refused: (request) => refusedEvidence(confirmed, request, evidenceOnRecord),
        firstApproval: 'deposit.firstApproval',
        proof: confirmed.evidence,
        receives: true,
        note: () => {
          const { evidence, id } = confirmed
          if (evidence) evidenceOnRecord.set(evidenceName(evidence), id)
        },
      }),
  } satisfies Movement<
    DepositConfirmed,
    { decisions: Decisions; evidenceOnRecord: EvidenceOnRecord }
  >,

  /** A deposit was rejected, or cancelled by its investor. */
  deposit_rejected: {
    legs: [],
    locks: 'transactions',
    reads: { decisions },
    rule: (rejected, { decisions }) => endRequest(rejected, decisions),
  } satisfies Movement<DepositRejected, { decisions: Decisions }>,
}
