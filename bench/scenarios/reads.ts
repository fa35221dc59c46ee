import { adminFigures } from '@pool/contract/reports/figures'
import { listTransactions } from '@pool/contract/requests/transactions'
import type { Figure } from '../harness/arithmetic.ts'
import { STAFF, tokenOf } from '../harness/people.ts'
import { load } from '../harness/plan.ts'
import { growTo } from '../harness/rows.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'

/** The reads of an admin's screen: the newest 50, a count, and the figures of the cards. */
const questions = {
  'newest 50': `${listTransactions.path}?limit=50`,
  'count of the pending': `${listTransactions.path}?limit=0&status=PENDING`,
  figures: adminFigures.path,
} as const

export const reads: Scenario = {
  name: 'reads',
  title: 'Lists and stat cards as the transactions grow',
  run: async ({ people, rows, seconds }) => {
    const stage = await openStage({ people: Math.min(people, 5_000) })
    const among = Math.min(people, 5_000)
    try {
      const medians = new Map<string, number[]>()
      for (const count of rows) {
        await growTo(stage.pool(), { rows: count, people: among })
        for (const [name, path] of Object.entries(questions)) {
          const request = { kind: 'get', path, token: tokenOf(STAFF) } as const
          const { p50, statuses } = await load({
            port: stage.port(),
            connections: 1,
            seconds: Math.min(seconds, 5),
            warmUp: 2,
            mix: [{ share: 1, request }],
          })
          say(`${name} at ${count} rows: median ${p50.toFixed(2)} ms ${JSON.stringify(statuses)}`)
          medians.set(name, [...(medians.get(name) ?? []), p50])
        }
      }
      const most = rows.at(-1)
      return [...medians].flatMap(([name, [first = Number.NaN, ...more]]): Figure[] => [
        { name: `${name}, median at ${rows[0]} rows, ms`, value: first },
        ...more.map((value, index) => ({
          name: `${name}, median at ${rows[index + 1]} rows, ms`,
          value,
        })),
        {
          name: `${name}, median at ${most} rows ÷ at ${rows[0]}`,
          value: (more.at(-1) ?? Number.NaN) / first,
          most: 1.3,
        },
      ])
    } finally {
      await stage.close()
    }
  },
}
