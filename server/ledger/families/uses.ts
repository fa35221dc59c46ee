/** Transactions of chains that something rests on, so that no coins are booked twice. */
import { networks } from '@pool/contract/base/networks'
import { canonicalEvidence, type Payment } from '../../base/chains/networks.ts'
import { lockSql } from '../../base/locks.ts'
import type { Evidence } from './decisions.ts'
import type { Query, StateReading } from './movement.ts'

type UseKind = 'deposit' | 'capital' | 'disbursement' | 'repayment'

/** A row that rests on a transaction: on one output, or on all of it. */
export type Use = {
  readonly id: string
  readonly kind: UseKind
  readonly output: number | null
  /** Null but for a deposit. */
  readonly walletId: string | null
}

/** The uses of transactions, under their {@link nameOf}. */
export type Uses = Map<string, readonly Use[]>

/** An act that rests on a transaction, as people or nodes name it. */
export type Using = { readonly id: string } & (
  | { readonly movement: 'deposit_confirmed'; readonly evidence?: Evidence | undefined }
  | { readonly movement: 'capital_contributed'; readonly coins?: NamedCoins | undefined }
  | {
      readonly movement: 'loan_disbursed'
      readonly networkName: string
      readonly evidence: string
    }
  | { readonly movement: 'loan_repaid' | 'loan_recovered'; readonly reference: string }
)

type NamedCoins = {
  readonly network: string
  readonly evidence: string
  readonly paymentId: string | undefined
}

const KINDS = {
  deposit_confirmed: 'deposit',
  capital_contributed: 'capital',
  loan_disbursed: 'disbursement',
  loan_repaid: 'repayment',
  loan_recovered: 'repayment',
} as const satisfies Record<Using['movement'], UseKind>

/** Kinds that exclude one another on a transaction. Other two of one kind have their own rules. */
const EXCLUDES: Readonly<Record<UseKind, readonly UseKind[]>> = {
  deposit: ['capital', 'repayment'],
  capital: ['deposit', 'capital', 'disbursement', 'repayment'],
  // Coins that went to a borrower may come to the deposit wallet of the same person.
  disbursement: ['capital'],
  repayment: ['deposit', 'capital'],
}

/** The output of a payment in the coin of an EVM network, whose evidence has none. */
const COIN = -1

/** Names a transaction in one word. */
const nameOf = ({ network, id }: Evidence): string => `${network} ${id}`

/** The transactions that an act names. A reference has no network, and may be no transaction. */
const namedBy = (using: Using): readonly Evidence[] => {
  if (using.movement === 'deposit_confirmed') return using.evidence ? [using.evidence] : []
  if (using.movement === 'loan_disbursed')
    return [{ network: using.networkName, id: using.evidence }]
  if (using.movement !== 'capital_contributed')
    return networks.flatMap(({ name }) => on(name, using.reference))
  if (!using.coins) return []
  const { network, evidence, paymentId } = using.coins
  const whole = paymentId === undefined ? undefined : COIN
  return on(network, evidence).map((each) => ({ output: whole, ...each }))
}

const on = (network: string, text: string): readonly (Payment & { readonly network: string })[] => {
  const payment = canonicalEvidence(network, text)
  return payment ? [{ network, ...payment }] : []
}

/** Reads the uses of what these acts name. */
export const readUses = async (query: Query, using: readonly Using[]): Promise<Uses> => {
  const named = using.flatMap(namedBy)
  const uses: Uses = new Map()
  if (named.length === 0) return uses
  const rows = await query<Use & { network: string; hash: string }>(
    'read_uses',
    'SELECT id, kind, network, hash, output, wallet_id AS "walletId" FROM uses_of($1, $2)',
    [named.map(({ network }) => network), named.map(({ id }) => id)],
  )
  for (const { network, hash, ...use } of rows) add(uses, { network, id: hash }, use)
  return uses
}

/** Reads once no other group that uses a transaction is under way. */
export const uses: StateReading<Using, Uses> = {
  begin: () => lockSql('evidence'),
  read: readUses,
}

const add = (uses: Uses, evidence: Evidence, use: Use): void => {
  const name = nameOf(evidence)
  uses.set(name, [...(uses.get(name) ?? []), use])
}

/** Uses by other rows of the transactions that an act names. */
export const othersOn = (using: Using, uses: Uses): readonly Use[] =>
  namedBy(using).flatMap((each) =>
    (uses.get(nameOf(each)) ?? []).filter(({ id }) => id !== using.id),
  )

/** True if the coins of a transaction that an act names are booked as something else. */
export const isBooked = (using: Using, uses: Uses): boolean =>
  namedBy(using).some(({ output, ...evidence }) =>
    (uses.get(nameOf(evidence)) ?? []).some(
      (use) =>
        use.id !== using.id &&
        EXCLUDES[KINDS[using.movement]].includes(use.kind) &&
        (output === undefined || use.output === null || use.output === output),
    ),
  )

/** Notes what an act uses, so that the group's later operations see it. */
export const noteUse = (using: Using, walletId: string | null, uses: Uses): void => {
  for (const { output = null, ...evidence } of namedBy(using))
    add(uses, evidence, { id: using.id, kind: KINDS[using.movement], output, walletId })
}
