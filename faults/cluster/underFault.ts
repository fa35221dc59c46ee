/** Strikes a cluster once under load, and lets the judge decide. */
import { MONEY } from '../plan.ts'
import { moment, underLoad } from '../run.ts'
import type { ClusterFault } from './faults.ts'
import { until } from './promotion.ts'
import type { Stage } from './stage.ts'

/**
 * Runs until all machines are back. Every key is then repeated at both nodes. Returns the figures,
 * with the milliseconds until the cluster was whole again.
 */
export const underFault = (
  stage: Stage,
  { kind, strike, takesBack = false }: Pick<ClusterFault, 'kind' | 'strike' | 'takesBack'>,
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
    },
    async (scene) => {
      await moment(2_000)
      const since = performance.now()
      await scene.strike(await strike(stage))
      await until(stage.isWhole)
      for (const machine of stage.productMachines) await until(() => stage.isReady(machine))
      return { wholeAfter: Math.round(performance.now() - since) }
    },
  )
