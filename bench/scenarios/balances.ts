import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'
import { bareServer } from '../harness/yardsticks.ts'

export const balances: Scenario = {
  name: 'balances',
  title: 'Authenticated balance reads, 64 connections',
  run: async ({ people, seconds, warmUp }) => {
    const stage = await openStage({ people })
    try {
      const bare = () =>
        bareServer({ kind: 'fastify', pool: stage.pool(), people, seconds, warmUp })
      const before = await bare()
      const read = await load({
        port: stage.port(),
        connections: 64,
        seconds,
        warmUp,
        mix: [{ share: 1, request: { kind: 'balance', people } }],
      })
      const after = await bare()
      const least = (before.perSecond + after.perSecond) / 2
      say(
        `balances ${Math.round(read.perSecond)}/s ${JSON.stringify(read.statuses)}, bare ${Math.round(before.perSecond)} and ${Math.round(after.perSecond)}/s`,
      )
      return [
        { name: 'balance reads/s', value: read.perSecond },
        { name: 'bare Fastify + one SELECT, requests/s', value: least },
        {
          name: 'balance reads/s ÷ bare Fastify + one SELECT',
          value: read.perSecond / least,
          least: 0.9,
        },
      ]
    } finally {
      await stage.close()
    }
  },
}
