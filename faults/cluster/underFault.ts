/** Strikes a cluster once under load, and lets the judge decide. */
import { MONEY } from '../plan.ts'
import { moment, underLoad } from '../run.ts'
import type { ClusterFault } from './faults.ts'
import { leaderOf, until } from './promotion.ts'
import type { Stage } from './stage.ts'

/** The milliseconds until a new job has run. */
const jobDone = async (stage: Stage): Promise<number> => {
  const since = performance.now()
  const { machine } = await leaderOf(stage)
  const add = "SELECT id FROM graphile_worker.add_job('attempts')"
  const [job] = await stage.sql<{ id: bigint }>(machine, add)
  const left = 'SELECT FROM graphile_worker.jobs WHERE id = $1'
  await until(async () => (await stage.sql(machine, left, [job?.id])).length === 0)
  return Math.round(performance.now() - since)
}

/** The load of one run. */
export type Size = { readonly clients?: number; readonly operations?: number }

type Strike = Pick<ClusterFault, 'kind' | 'strike' | 'takesBack'> & {
  /** The number of synchronous standbys. */
  readonly synchronous?: number
}

/**
 * Runs until all machines are back. Every key is then repeated at both nodes. Tells when a job ran
 * once writes were back, and when the cluster was whole again.
 */
export const underFault = (
  stage: Stage,
  { kind, strike, takesBack = false, synchronous = 1 }: Strike,
  size: Size = {},
) =>
  underLoad(
    {
      nodes: [{ url: stage.url }],
      directory: stage.operator,
      database: stage.database,
      kind,
      kinds: MONEY,
      repeatAt: stage.productMachines.map(({ address }) => `http://${address}:3000`),
      takesBack,
      ...size,
    },
    async (scene) => {
      await moment(2_000)
      const since = performance.now()
      await scene.strike(await strike(stage))
      const jobAfter = await jobDone(stage)
      await until(() => stage.isWhole({ synchronous }))
      for (const machine of stage.productMachines) await until(() => stage.isReady(machine))
      return { jobAfter, wholeAfter: Math.round(performance.now() - since) }
    },
  )
