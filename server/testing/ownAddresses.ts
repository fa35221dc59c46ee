import type pg from 'pg'
import { newId } from '../base/db/ids.ts'

/** Writes an address of the pool as two people would add it. Connects as the superuser. */
export const insertOwnAddress = async (
  pool: Pick<pg.Pool, 'query'>,
  { address, networkName, kind }: { address: string; networkName: string; kind: string },
): Promise<void> => {
  await pool.query(
    `SET session_replication_role = replica;
     INSERT INTO own_addresses (id, network_name, address, class, proposal_id)
     VALUES ('${newId()}', '${networkName}', '${address}', '${kind}', '${newId()}');
     SET session_replication_role = origin`,
  )
}
