/**
 * The most that one borrower may owe: a share of the operator's capital, lent or not. Related
 * parties count together (docs/product.md 5.27).
 */
import { lockSql } from '../../base/locks.ts'
import type { StateReading } from './movement.ts'

/** Of a loan: its borrower or all related parties, and what it refinances. */
const PARTIES = `
SELECT l.id, CASE WHEN b.relation = 'none' THEN b.id::text ELSE 'related' END AS party,
  coalesce((SELECT outstanding FROM loans WHERE id = l.refinances_id), 0)::bigint AS refinanced
FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE l.id = ANY ($1::uuid[])`

/** The debt of each party, with loans that a batch is to pay. */
const OWED = `
SELECT CASE WHEN b.relation = 'none' THEN b.id::text ELSE 'related' END AS party, sum(CASE l.status WHEN 'SENDING' THEN l.principal ELSE l.outstanding END)::bigint AS owed
FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id
WHERE l.status IN ('SENDING', 'ACTIVE', 'DEFAULTED') AND (b.relation <> 'none' OR b.id IN (SELECT borrower_id FROM loans WHERE id = ANY ($1::uuid[])))
GROUP BY 1`

/** The operator's capital: the free reserve, and what works in loans or is reserved for them. */
const CAPITAL = `
SELECT sum(balance)::bigint AS capital FROM accounts WHERE kind IN ('reserve', 'deployed', 'sending')`

type PartyRow = { readonly id: string; readonly party: string; readonly refinanced: bigint }
type OwedRow = { readonly party: string; readonly owed: bigint }

/** Parties of the loans of a group, and what they owe as it disburses. */
export type Lending = {
  readonly parties: ReadonlyMap<string, PartyRow>
  readonly owed: Map<string, bigint>
  readonly capital: bigint
}

const lendingOf = (
  parties: readonly PartyRow[],
  owed: readonly OwedRow[],
  capital: bigint,
): Lending => ({
  parties: new Map(parties.map((each) => [each.id, each])),
  owed: new Map(owed.map(({ party, owed }) => [party, owed])),
  capital,
})

type ReadRows = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** Reads what the rule needs about these loans. */
export const readLending = async (read: ReadRows, loanIds: readonly string[]): Promise<Lending> => {
  const [parties, owed, [row]] = await Promise.all([
    read<PartyRow>(PARTIES, [loanIds]),
    read<OwedRow>(OWED, [loanIds]),
    read<{ capital: bigint | null }>(CAPITAL, []),
  ])
  return lendingOf(parties, owed, row?.capital ?? 0n)
}

/** Cents that may still be lent to the borrower of a loan. `percent` is the share. */
export const mostFor = (
  { parties, owed, capital }: Lending,
  loanId: string,
  percent: number,
): bigint => {
  const found = parties.get(loanId)
  if (!found) return 0n
  const free = (capital * BigInt(percent)) / 100n - (owed.get(found.party) ?? 0n) + found.refinanced
  return free > 0n ? free : 0n
}

const NAMES: Readonly<Record<string, string>> = {
  [PARTIES]: 'lending_parties',
  [OWED]: 'lending_owed',
  [CAPITAL]: 'lending_capital',
}

export const lending: StateReading<{ readonly loanId: string }, Lending> = {
  // Disbursements come one at a time, so that no two exceed the share only together.
  begin: () => lockSql('lending'),
  read: (query, operations) =>
    readLending(
      (text, values) => query(NAMES[text] ?? 'lending', text, values),
      operations.map(({ loanId }) => loanId),
    ),
}
