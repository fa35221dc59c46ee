/** Batches that no signed entries explain (docs/threats.md T81). */
import { sql } from 'kysely'

/** The entry of its making, with the state that it began with. */
const MADE = sql`
  SELECT e.after FROM audit_entries AS e WHERE e.action = 'batch.made' AND e.subject_id = b.id::text AND e.actor_id = b.made_by
    AND (e.after ->> 'networkName', e.after ->> 'digest', (e.after ->> 'payouts')::integer, e.after ->> 'coins')
      = (b.network_name, b.digest, paid.payouts, concat(paid.coins, ' ', b.asset))`

/** A sentence for each batch that SQL wrote past the product. */
export const BATCHES = sql`
  SELECT format('Batch %s has no entry of its making with that file and those coins.', b.id)
  FROM batches AS b CROSS JOIN LATERAL (
    -- A product is exact, and a quotient would be rounded to 16 decimals.
    SELECT count(*)::integer AS payouts, trim_scale(sum(units) * ('1e-' || b.decimals)::numeric) AS coins FROM batch_payouts WHERE batch_id = b.id) AS paid
  WHERE NOT EXISTS (${MADE})
  UNION ALL
  SELECT format('The file of batch %s is not the one of its digest.', b.id)
  FROM batches AS b WHERE encode(sha256(convert_to(b.file, 'UTF8')), 'hex') <> b.digest
  UNION ALL
  SELECT format('Batch %s is %s, but no entry of a second person approves it.', b.id, b.state)
  FROM batches AS b WHERE (b.approved_by IS NOT NULL OR b.state NOT IN ('WAITING', 'GIVEN_UP') AND NOT EXISTS (
      SELECT FROM audit_entries AS e WHERE e.action = 'batch.made' AND e.subject_id = b.id::text AND e.after ->> 'state' = 'READY'))
    AND NOT EXISTS (
      SELECT FROM audit_entries AS e WHERE e.action = 'batch.approved' AND e.subject_id = b.id::text
        AND e.actor_id = b.approved_by AND e.actor_id <> b.made_by AND e.after ->> 'digest' = b.digest)
  UNION ALL
  SELECT format('Batch %s was given up, but no entry tells why.', b.id)
  FROM batches AS b WHERE b.state = 'GIVEN_UP' AND NOT EXISTS (
    SELECT FROM audit_entries AS e WHERE e.action = 'batch.givenUp' AND e.subject_id = b.id::text
      AND e.actor_id = b.given_up_by AND e.reason = b.reason)
  UNION ALL
  SELECT format('Batch %s pays the withdrawal %s to another address than was approved.', p.batch_id, p.withdrawal_id)
  FROM batch_payouts AS p JOIN transactions AS t ON t.id = p.withdrawal_id WHERE p.address IS DISTINCT FROM t.payee_address
  UNION ALL
  SELECT format('Batch %s pays the loan %s to another address than two people agreed on.', p.batch_id, s.loan_id)
  FROM batch_payouts AS p JOIN batches AS b ON b.id = p.batch_id JOIN loan_sendings AS s ON s.id = p.sending_id
  WHERE (p.address, b.network_name) <> (s.address, s.network_name)`
