import { listTransactions } from '@pool/contract/requests/transactions'
import type { Figure } from '../harness/arithmetic.ts'
import { STAFF, tokenOf } from '../harness/people.ts'
import { load, type RequestKind } from '../harness/plan.ts'
import { growTo } from '../harness/rows.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { freePort, openStage } from '../harness/stage.ts'

/** The event loop's delay since the last question, from the server's metrics, in milliseconds. */
type Delay = { readonly p99: number; readonly max: number }

/** The delay of the event loop: money and reads at full load, sign-ins, an admin's whole list. */
export const eventLoop: Scenario = {
  name: 'eventLoop',
  title: 'Delay of the event loop',
  run: async ({ people, seconds, warmUp, rows }) => {
    // Long: one measurement from its stage to its figures, in the order of time.
    const metricsPort = await freePort()
    const stage = await openStage({
      people: Math.min(people, 10_000),
      environment: { METRICS_PORT: String(metricsPort) },
    })
    const among = Math.min(people, 10_000)
    const count = rows[1] ?? 0
    try {
      const delay = async (): Promise<Delay> => {
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
        const milliseconds = (name: string) =>
          Number(
            new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(metrics)?.[1],
          ) * 1_000
        return { p99: milliseconds('p99'), max: milliseconds('max') }
      }
      const during = async (what: string, work: () => Promise<unknown>): Promise<Figure[]> => {
        await delay()
        await work()
        const { p99, max } = await delay()
        say(`${what}: p99 ${p99.toFixed(1)} ms, longest ${max.toFixed(1)} ms`)
        return [
          { name: `p99 of the delay, ${what}, ms`, value: p99 },
          { name: `longest delay, ${what}, ms`, value: max },
        ]
      }
      const request = (kind: 'balance' | 'invest' | 'login'): RequestKind => ({
        kind,
        people: among,
      })
      const full = (kind: 'balance' | 'invest') =>
        load({
          port: stage.port(),
          connections: 64,
          seconds,
          warmUp,
          mix: [{ share: 1, request: request(kind) }],
        })
      const some = (kind: 'balance' | 'login', rate: number) =>
        load({
          port: stage.port(),
          connections: 96,
          seconds,
          warmUp,
          rate,
          mix: [{ share: 1, request: request(kind) }],
        })

      await growTo(stage.pool(), { rows: count, people: among })
      return [
        ...(await during('500 reads a second', () => some('balance', 500))),
        ...(await during('reads at full load', () => full('balance'))),
        ...(await during('investments at full load', () => full('invest'))),
        ...(await during('500 reads and 200 sign-ins a second', () =>
          Promise.all([some('balance', 500), some('login', 200)]),
        )),
        ...(await during(`500 reads a second and a bare list of ${count} transactions`, () =>
          Promise.all([some('balance', 500), readWhole(stage.port())]),
        )),
      ]
    } finally {
      await stage.close()
    }
  },
}

/** Reads an admin's list of every transaction to its end and discards it. */
const readWhole = async (port: number): Promise<void> => {
  const { status, body } = await fetch(`http://127.0.0.1:${port}${listTransactions.path}`, {
    headers: { authorization: `Bearer ${tokenOf(STAFF)}` },
  })
  if (status !== 200 || body === null) throw new Error(`the whole list was answered with ${status}`)
  let bytes = 0
  for await (const part of body) bytes += part.length
  say(`the whole list: ${Math.round(bytes / 1_000_000)} MB`)
}
