import type pg from 'pg'
import { newId } from '../base/db/ids.ts'

/** Writes an address of the pool as two people would add it. Connects as the superuser. */
export const insertOwnAddress = async (
  pool: Pick<pg.Pool, 'query'>,
  { address, networkName, kind }: { address: string; networkName: string; kind: string },
): Promise<void> => {
  const [id, proposal] = [newId(), newId()]
  await pool.query(
    `INSERT INTO proposals (id, kind, subject, language, reason, payload, asked_by, by_staff, status, ended_at)
     SELECT $1::uuid, 'SET_RATE', $1::text, 'en', '', '{}', id, true, 'EXPIRED', now() FROM users LIMIT 1`,
    [proposal],
  )
  await pool.query(
    'INSERT INTO own_addresses (id, network_name, address, class, proposal_id) VALUES ($1, $2, $3, $4, $5)',
    [id, networkName, address, kind, proposal],
  )
}
