/** Steps of a wind-down that no signed entries of two people explain (docs/threats.md T86). */
import { sql } from 'kysely'

/** Two people ask and agree about the proposal `p`, each on record. */
const byTwo = (asked: string, agreed: string) => sql`
  EXISTS (
    SELECT FROM audit_entries AS a JOIN audit_entries AS b ON b.subject_id = a.subject_id AND b.actor_id <> a.actor_id
    WHERE a.action = ${sql.lit(asked)} AND b.action = ${sql.lit(agreed)} AND a.subject_id = p.id::text)`

/** Selects a sentence for each. */
export const WIND_DOWNS = sql`
  SELECT format('The wind-down of %s was begun, but no entries of two people agree to it.', p.created_at) AS sentence
  FROM wind_downs AS p WHERE NOT ${byTwo('windDown.asked', 'windDown.begun')}
  UNION ALL
  SELECT format('The wind-down was called off at %s, but no entries of two people agree to it.', p.called_off_at)
  FROM (SELECT called_off_id AS id, called_off_at FROM wind_downs WHERE called_off_id IS NOT NULL) AS p
  WHERE NOT ${byTwo('windDown.endAsked', 'windDown.calledOff')}
  UNION ALL
  SELECT format('$%s of the operator''s capital left, but no entries of two people agree to it.', round(p.amount / 100.0, 2))
  FROM capital_withdrawals AS p WHERE NOT ${byTwo('capital.withdrawalAsked', 'capital.withdrawalAgreed')} OR NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'capital.withdrawn' AND e.subject_id = p.id::text AND (e.after ->> 'amount')::numeric * 100 = p.amount)`
