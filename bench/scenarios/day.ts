import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'

/** A typical day: four fifths reads, some money, some sign-ins. */
export const day: Scenario = {
  name: 'day',
  title: 'A mixed day: 80 % reads, 15 % money, 5 % sign-ins',
  run: async ({ people, seconds, warmUp }) => {
    const stage = await openStage({ people, environment: { METRICS_PORT: '0' } })
    try {
      const mix = [
        { share: 0.5, request: { kind: 'balance', people } },
        { share: 0.3, request: { kind: 'own list', people } },
        { share: 0.1, request: { kind: 'invest', people } },
        { share: 0.05, request: { kind: 'withdraw', people } },
        { share: 0.05, request: { kind: 'login', people } },
      ] as const
      // At this rate one core can hash the passwords of all sign-ins.
      const rate = 200
      const calm = await load({ port: stage.port(), connections: 64, seconds, warmUp, rate, mix })
      say(
        `${Math.round(calm.perSecond)}/s, p50 ${calm.p50.toFixed(1)} ms, p99 ${calm.p99.toFixed(1)} ms, ${JSON.stringify(calm.statuses)}`,
      )
      return [
        { name: 'requests/s', value: calm.perSecond },
        { name: 'p50, ms', value: calm.p50 },
        { name: 'p99, ms', value: calm.p99 },
      ]
    } finally {
      await stage.close()
    }
  },
}
