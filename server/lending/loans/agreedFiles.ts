/** Files of repayments that two people agreed on. The product books their lines in pieces. */
import { PROPOSAL_DAYS } from '@pool/contract/agreements/proposals'
import { sql } from 'kysely'
import type { OnLedger } from '../../http/context.ts'
import { FROM_OPERATOR } from '../../records/audit/record.ts'
import { importRepayments } from './importRepayments.ts'
import { postEach } from './postEach.ts'

type AgreedFile = { readonly id: string; readonly askedBy: string; readonly csv: string }

/** Approved files that are not booked, oldest first. After a week they count for nothing. */
const readAgreed = async ({ db }: OnLedger): Promise<readonly AgreedFile[]> => {
  const { rows } = await sql<AgreedFile>`
    SELECT p.id, p.asked_by AS "askedBy", f.csv FROM proposals AS p JOIN repayment_files AS f ON f.proposal_id = p.id
    WHERE p.kind = 'IMPORT_REPAYMENTS' AND p.status = 'DONE' AND f.posted_at IS NULL
      AND p.decided_at > now() - make_interval(days => ${PROPOSAL_DAYS})
    ORDER BY p.asked_at, p.id`.execute(db)
  return rows
}

/** Refusals after which the next call tries again. Those of a line are problems of the file. */
const RETRYABLE = ['busy', 'unavailable', 'outcomeUnknown']

/** Books the files that two people agreed on, each line once. Returns the number of files. */
export const postAgreedFiles = async (context: OnLedger): Promise<number> =>
  postEach(
    await readAgreed(context),
    async ({ id: agreedId, askedBy, csv }) => {
      const by = { id: askedBy, name: '', from: FROM_OPERATOR }
      const { problems } = await importRepayments(context, { csv, dryRun: false, agreedId, by })
      if (problems.length > 0) return false
      await sql`UPDATE repayment_files SET posted_at = now() WHERE proposal_id = ${agreedId}`.execute(
        context.db,
      )
      return true
    },
    RETRYABLE,
  )
