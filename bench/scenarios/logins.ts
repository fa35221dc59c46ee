import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'

/** The wait of other requests beside more sign-ins than the processors can hash. */
export const logins: Scenario = {
  name: 'logins',
  title: 'Other requests while sign-ins saturate their queue',
  run: async ({ people, seconds, warmUp }) => {
    const stage = await openStage({ people: Math.min(people, 10_000) })
    try {
      const among = Math.min(people, 10_000)
      // A low rate, so that these requests wait for sign-ins and not for each other.
      const others = () =>
        load({
          port: stage.port(),
          connections: 32,
          seconds,
          warmUp,
          rate: 500,
          mix: [{ share: 1, request: { kind: 'balance', people: among } }],
        })
      const without = await others()
      const signIns = load({
        port: stage.port(),
        connections: 96,
        seconds: seconds + 1,
        warmUp,
        rate: 200,
        mix: [{ share: 1, request: { kind: 'login', people: among } }],
      })
      const withSignIns = await others()
      const { statuses } = await signIns
      say(
        `p99 ${without.p99.toFixed(2)} ms without, ${withSignIns.p99.toFixed(2)} ms with sign-ins (${JSON.stringify(statuses)})`,
      )
      return [
        { name: 'p99 of balance reads without sign-ins, ms', value: without.p99 },
        { name: 'p99 of balance reads with sign-ins, ms', value: withSignIns.p99 },
        {
          name: "others' p99 with sign-ins ÷ without",
          value: withSignIns.p99 / without.p99,
          most: 2,
        },
      ]
    } finally {
      await stage.close()
    }
  },
}
