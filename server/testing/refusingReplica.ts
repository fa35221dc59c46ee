import type { Database } from '../base/db/connection.ts'
import { type LaggingReads, openReplica, type Replica } from '../base/db/replica.ts'
import { openLog } from '../base/process/log.ts'

/** A replica at a port that refuses all. Adds the reads that calls begin to a list. */
export const refusingReplica =
  (begun: LaggingReads[]) =>
  (database: Database): Replica => {
    const replica = openReplica('postgres://nobody@127.0.0.1:1/pool', database, openLog('silent'))
    const begin = () => {
      const reads = replica.begin()
      begun.push(reads)
      return reads
    }
    return { ...replica, begin }
  }
