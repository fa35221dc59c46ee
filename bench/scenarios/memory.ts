import { connect } from 'node:net'
import type { Figure } from '../harness/arithmetic.ts'
import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { freePort, openStage } from '../harness/stage.ts'

const CONNECTIONS = 1_000

/** The server's memory in megabytes: resident, V8's heap, and buffers outside the heap. */
type HeldMemory = { readonly resident: number; readonly heap: number; readonly buffers: number }

/** Asks the serving process, which may be a child of the started one. */
const held = async (metricsPort: number): Promise<HeldMemory> => {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}_bytes (\\S+)$`, 'm').exec(metrics)?.[1]) / 2 ** 20
  return {
    resident: megabytes('process_resident_memory'),
    heap: megabytes('nodejs_heap_size_total'),
    buffers: megabytes('nodejs_external_memory'),
  }
}

export const memory: Scenario = {
  name: 'memory',
  title: 'Memory after long work, and of a connection; a cold start',
  run: async ({ people, operations: [few, many] }) => {
    // Long: one measurement from its stage to its figures, in the order of time.
    const since = performance.now()
    const metricsPort = await freePort()
    const stage = await openStage({ people, environment: { METRICS_PORT: String(metricsPort) } })
    try {
      say(
        `a data directory and ${people} people made in ${Math.round((performance.now() - since) / 1_000)} s`,
      )
      const restarting = performance.now()
      await stage.restart()
      const start = performance.now() - restarting
      const { resident: idle } = await held(metricsPort)
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(stage.port(), '127.0.0.1'))
      await Promise.all(
        sockets.map(
          (socket) =>
            new Promise<void>((resolve) => {
              socket.once('data', () => resolve())
              socket.write('GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n')
            }),
        ),
      )
      const { resident: connected } = await held(metricsPort)
      for (const socket of sockets) socket.destroy()

      await stage.restart()
      const work = (most: number) =>
        load({
          port: stage.port(),
          connections: 64,
          seconds: 600,
          warmUp: 0,
          most,
          mix: [
            { share: 0.5, request: { kind: 'invest', people } },
            { share: 0.5, request: { kind: 'withdraw', people } },
          ],
        })
      const parts: Figure[] = []
      const after = async (operations: number): Promise<number> => {
        const { resident: whole, heap, buffers } = await held(metricsPort)
        say(
          `${operations} operations: ${whole.toFixed(0)} MB, of it ${heap.toFixed(0)} the heap of V8, ${buffers.toFixed(0)} buffers`,
        )
        parts.push(
          { name: `resident memory after ${operations} operations, MB`, value: whole },
          { name: `of it the heap of V8 after ${operations}, MB`, value: heap },
        )
        return whole
      }
      await work(few)
      const early = await after(few)
      await work(many / 2 - few)
      await after(many / 2)
      await work(many / 2)
      const late = await after(many)
      return [
        { name: 'restart until it serves, ms', value: start },
        { name: 'resident memory at rest, MB', value: idle },
        { name: 'memory of a connection, kB', value: ((connected - idle) * 1_024) / CONNECTIONS },
        ...parts,
        {
          name: `resident memory after ${many} operations ÷ after ${few}`,
          value: late / early,
          most: 1.2,
        },
      ]
    } finally {
      await stage.close()
    }
  },
}
