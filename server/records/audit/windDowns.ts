/** Capital that left the pool without its entry (docs/threats.md T86). */
import { sql } from 'kysely'

/** Selects a sentence for each. */
export const WIND_DOWNS = sql`
  SELECT format('$%s of the operator''s capital left, but no entry says so.', round(x.amount / 100.0, 2))
  FROM capital_withdrawals AS x WHERE NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'capital.withdrawn' AND e.subject_id = x.id::text AND (e.after ->> 'amount')::numeric * 100 = x.amount)`
