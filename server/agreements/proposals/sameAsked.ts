import type { Proposed } from '@pool/contract/agreements/proposals'
import type { Language } from '@pool/contract/base/languages'
import { sql } from 'kysely'
import { propose } from './ask.ts'
import type { Work } from './kind.ts'

/** Proposes, or returns the id of the same that this person asked for already: a repeated call. */
export const sameAsked = async (
  work: Work,
  by: string,
  asked: Proposed,
  language: Language,
): Promise<string> => {
  const { kind, reason, ...payload } = asked
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM proposals AS p WHERE kind = ${kind} AND asked_by = ${by} AND reason = ${reason}
      AND payload = ${JSON.stringify(payload)}::jsonb AND status = 'OPEN' AND is_standing(p)`.execute(
    work.transaction,
  )
  return rows[0]?.id ?? (await propose(work, { by, language }, asked)).id
}
