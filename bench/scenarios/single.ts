import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'
import { inTurns, overTurns } from '../harness/turns.ts'
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
          most: Math.ceil(times / 9),
          mix: [{ share: 1, request: { kind: 'invest', people: 1_000 } }],
        })
      const bare = () => bareTransaction(stage.pool(), Math.ceil(times / 9))
      const { turns, drift } = await inTurns(async () => (await alone()).p50, bare)
      for (const [investment, transaction] of turns)
        say(`an investment ${investment.toFixed(2)} ms, a bare one ${transaction.toFixed(2)} ms`)
      return [
        {
          name: 'investment alone ÷ bare transaction',
          ...overTurns(turns, ([investment, transaction]) => investment / transaction),
          most: 4,
          decides: true,
        },
        { name: 'investment alone, median, ms', ...overTurns(turns, ([p50]) => p50) },
        {
          name: 'bare BEGIN; UPDATE; INSERT; COMMIT, median, ms',
          ...overTurns(turns, ([, p50]) => p50),
        },
        { name: 'drift of the machine meanwhile, share', value: drift },
      ]
    } finally {
      await stage.close()
    }
  },
}
