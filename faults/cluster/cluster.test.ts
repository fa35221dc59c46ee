import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingPackages } from '../../ops/cluster/programs.mjs'
import { LIMIT } from '../run.ts'
import { faults } from './faults.ts'
import { openStage, type Stage } from './stage.ts'
import { underFault } from './underFault.ts'

/**
 * Faults of a cluster under load. An ordinary run strikes a few, `npm run test:cluster` all. It is
 * left out where Debian's packages are missing.
 */

const FULL = process.env.CLUSTER === 'full'
const missing = missingPackages()
if (missing.length > 0)
  process.stdout.write(`The cluster is not tested: apt-get install ${missing.join(' ')}\n`)

describe.skipIf(missing.length > 0)('on a cluster', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  test.for(faults.filter(({ isShort }) => FULL || isShort))(
    '$title loses nothing',
    LIMIT,
    async ({ needs, isPlanned, ...fault }, { skip }) => {
      skip(needs === 'disks' && stage.disks.length === 0, 'only root may mount the small disk')
      skip(needs === 'networks' && !stage.places.canCut, 'only root may cut a network')
      const { resolved, unknown } = await underFault(stage, fault)
      if (isPlanned) expect(resolved + unknown).toBe(0)
    },
  )
})
