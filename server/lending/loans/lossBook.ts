import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { LossBook } from '@pool/contract/lending/losses'
import { sql } from 'kysely'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { openLoss } from './covers.ts'
import { investedPrincipal, readAnnounced } from './shares.ts'

/** Write-offs of loans that investors' principal funds, and what bore them, the newest first. */
export const readLosses = async ({ db, config }: WithDb & WithConfig): Promise<LossBook> => {
  type Line = LossBook['lines'][number]
  type Amounts = 'capital' | 'covered' | 'lost' | 'returned'
  type LossRow = Omit<Line, Amounts | 'at'> &
    Readonly<Record<Amounts, bigint>> & { readonly at: Date; readonly id: string }
  const { rows } = await sql<LossRow>`
    SELECT w.id, w.loan_id AS "loanId", b.name AS borrower, w.capital, w.covered, w.lost, w.created_at AS at,
      CASE WHEN e.sharing_id IS NOT NULL THEN 'investments' WHEN e.cover_id IS NOT NULL THEN 'capital' ELSE 'open' END AS "borneBy",
      (SELECT coalesce(sum(recovered - kept), 0)::bigint FROM loan_repayments WHERE loan_id = w.loan_id) AS returned
    FROM loan_write_offs AS w JOIN loans AS l ON l.id = w.loan_id JOIN borrowers AS b ON b.id = l.borrower_id
    LEFT JOIN losses_borne AS e ON e.write_off_id = w.id
    WHERE l.from_investors > 0 ORDER BY w.created_at DESC, w.id DESC LIMIT 100`.execute(db)
  const { rows: open } = await sql<{ id: string }>`
    SELECT id FROM open_losses() ORDER BY created_at LIMIT 1`.execute(db)
  const announced = await readAnnounced(db)
  const inDollars = (amount: bigint) => dollarsFromCents(cents(amount))
  return {
    lossId: open[0]?.id ?? null,
    open: inDollars(await openLoss(db)),
    free: inDollars(await poolBalance(db, 'reserve')),
    invested: inDollars(await investedPrincipal(db)),
    noticeHours: config.lossNoticeHours,
    sharedAt: announced ? timestampFromDate(announced.countsAt) : null,
    lines: rows.map(({ id: _, capital, covered, lost, returned, at, ...line }) => ({
      ...line,
      capital: inDollars(capital),
      covered: inDollars(covered),
      lost: inDollars(lost),
      returned: inDollars(returned),
      at: timestampFromDate(at),
    })),
  }
}
