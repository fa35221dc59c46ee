import { LOOK_GAP_SECONDS } from '@pool/contract/chain/chains'
import { sql } from 'kysely'

/** True of a row of `chains` whose looks stopped: the state of the last one tells nothing. */
export const isStopped = sql<boolean>`(checked_at < now() - make_interval(secs => ${LOOK_GAP_SECONDS}))`
