import { LOOK_GAP_SECONDS } from '@pool/contract/chain/chains'
import type { TestDatabase } from './database.ts'

/** Makes the last look at each network older than its state counts. */
export const stopLooks = async ({ superuser }: TestDatabase): Promise<void> => {
  await superuser.query(
    'UPDATE chains SET checked_at = checked_at - make_interval(secs => $1 + 60)',
    [LOOK_GAP_SECONDS],
  )
}
