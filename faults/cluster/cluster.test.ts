import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { missingPackages } from '../../ops/cluster/programs.mjs'
import { LIMIT } from '../run.ts'
import { type ClusterFault, faults } from './faults.ts'
import { taken } from './losing.ts'
import { until } from './promotion.ts'
import { openStage, type Stage } from './stage.ts'
import { type Size, underFault } from './underFault.ts'

/**
 * Faults of a cluster under load. An ordinary run strikes the first, `npm run test:long -- cluster`
 * all, each on a new cluster. It is left out where Debian's packages are missing.
 */

const FULL = process.env.CLUSTER === 'full'
const SIZE: Size = FULL ? { clients: 48, operations: 14_000 } : {}
const missing = missingPackages()
if (missing.length > 0)
  process.stdout.write(`The cluster is not tested: apt-get install ${missing.join(' ')}\n`)

describe.skipIf(missing.length > 0)('on a cluster', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await openStage()
  })
  afterEach(() => stage?.close())

  const planned = faults
    .filter(({ isShort }) => FULL || isShort)
    .flatMap((fault) => Array<ClusterFault>(FULL ? (fault.runs ?? 1) : 1).fill(fault))
  test.for(planned)(
    '$title loses nothing',
    LIMIT,
    async ({ needs, isPlanned, ...fault }, { skip }) => {
      skip(needs === 'disks' && stage.disks.length === 0, 'only root may mount the small disk')
      skip(needs === 'networks' && !stage.places.canCut, 'only root may cut a network')
      const { resolved, unknown } = await underFault(stage, fault, SIZE)
      if (isPlanned) expect(resolved + unknown).toBe(0)
    },
  )

  test.runIf(FULL)('a fail-over without synchronous replication is found', LIMIT, async () => {
    await stage.configure({ synchronous_mode: false, synchronous_mode_strict: false })
    // A standby that lacks more than this does not take over.
    await stage.configure({ maximum_lag_on_failover: 1_000_000_000 })
    await until(() => stage.isWhole({ synchronous: 0 }))
    const run = underFault(stage, {
      kind: 'standstill',
      strike: taken,
      takesBack: true,
      synchronous: 0,
    })
    await expect(run).rejects.toThrow('was acknowledged and is there 0 times')
  })
})
