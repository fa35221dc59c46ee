import { setTimeout as wait } from 'node:timers/promises'
import { passGuard } from '../../server/testing/tamper.ts'
import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'

/** Investments made through HTTP, due at one moment and paid by the product's own job. */
export const maturities: Scenario = {
  name: 'maturities',
  title: 'A maturity run',
  run: async ({ people, maturities: count }) => {
    // The day is long enough that none matures while they are made. The restart makes them due.
    const stage = await openStage({ people })
    try {
      const made = await load({
        port: stage.port(),
        connections: 64,
        seconds: 300,
        warmUp: 0,
        most: count,
        mix: [{ share: 1, request: { kind: 'invest', people } }],
      })
      const pool = stage.pool()
      const due = async (): Promise<number> =>
        Number(
          (await pool.query("SELECT count(*) FROM investments WHERE status = 'ACTIVE'")).rows[0]
            ?.count,
        )
      const all = await due()
      const soon = "UPDATE investments SET matures_at = now() + interval '3 seconds'"
      await passGuard(pool, 'transactions', soon)
      await pool.query('VACUUM (ANALYZE) transactions')
      await stage.restart({ DAY_SECONDS: '86399' })
      const again = stage.pool()
      const left = async () =>
        Number(
          (await again.query("SELECT count(*) FROM investments WHERE status = 'ACTIVE'")).rows[0]
            ?.count,
        )
      const limit = performance.now() + 300_000
      while ((await left()) > 0 && performance.now() < limit) await wait(200)
      const { rows } = await again.query(
        "SELECT extract(epoch FROM max(updated_at) - min(updated_at))::float8 AS seconds, count(*)::int AS paid FROM investments WHERE status = 'COMPLETED'",
      )
      const paid = rows[0].paid / rows[0].seconds
      say(
        `${all} made at ${Math.round(made.perSecond)}/s, ${rows[0].paid} paid at ${Math.round(paid)}/s`,
      )
      return [
        { name: 'investments paid/s', value: paid },
        { name: 'investments made/s', value: made.perSecond },
        { name: 'investments paid/s ÷ made/s', value: paid / made.perSecond, least: 2 },
      ]
    } finally {
      await stage.close()
    }
  },
}
