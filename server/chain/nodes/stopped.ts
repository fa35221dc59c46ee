import { LOOK_GAP_SECONDS } from '@pool/contract/chain/chains'
import { sql } from 'kysely'

/** True of a row of `chains AS c` whose looks stopped: the state of the last one tells nothing. */
export const isStopped = sql<boolean>`(c.checked_at < now() - make_interval(secs => ${LOOK_GAP_SECONDS}))`

/** True of a row of `chains AS c` by which money may move: fine at the last look, which counts. */
export const isFine = sql<boolean>`(c.state = 'FINE' AND NOT ${isStopped})`
