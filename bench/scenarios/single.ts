import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'
import { bareTransaction } from '../harness/yardsticks.ts'

/**
 * One investment at a time on one connection, beside a bare transaction with the same disk wait.
 */
export const single: Scenario = {
  name: 'single',
  title: 'One operation alone',
  run: async ({ people, times }) => {
    const stage = await openStage({ people: Math.min(people, 1_000) })
    try {
      const alone = () =>
        load({
          port: stage.port(),
          connections: 1,
          seconds: 60,
          warmUp: 0,
          most: times,
          mix: [{ share: 1, request: { kind: 'invest', people: 1_000 } }],
        })
      // The first run only warms up.
      await alone()
      const before = await bareTransaction(stage.pool(), times)
      const { p50 } = await alone()
      const after = await bareTransaction(stage.pool(), times)
      const bare = (before + after) / 2
      say(
        `an investment ${p50.toFixed(2)} ms, a bare transaction ${before.toFixed(2)} and ${after.toFixed(2)} ms`,
      )
      return [
        { name: 'investment alone, median, ms', value: p50 },
        { name: 'bare BEGIN; UPDATE; INSERT; COMMIT, median, ms', value: bare },
        { name: 'investment alone ÷ bare transaction', value: p50 / bare, most: 4, decides: true },
      ]
    } finally {
      await stage.close()
    }
  },
}
