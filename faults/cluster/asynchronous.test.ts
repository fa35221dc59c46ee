import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingPackages } from '../../ops/cluster/programs.mjs'
import { LIMIT } from '../run.ts'
import { taken } from './losing.ts'
import { openStage, type Stage } from './stage.ts'
import { underFault } from './underFault.ts'

/** Negative control (N1): without synchronous replication, the judge must find what is lost. */

const FULL = process.env.CLUSTER === 'full'

describe.skipIf(!FULL || missingPackages().length > 0)('without synchronous replication', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({
      dcs: { synchronous_mode: false, synchronous_mode_strict: false },
    })
    // A standby that lacks more than this does not take over.
    await stage.configure({ maximum_lag_on_failover: 1_000_000_000 })
  })
  afterAll(() => stage?.close())

  test('a fail-over loses acknowledged operations and is found', LIMIT, async () => {
    const run = underFault(stage, { kind: 'standstill', strike: taken, takesBack: true })
    await expect(run).rejects.toThrow(/was acknowledged and is there 0 times/)
  })
})
