import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { load } from '../harness/plan.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const CONNECTIONS = 1_000

/** Resident memory of the server, in megabytes; Linux only. */
const resident = (stage: Stage): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stage.processId()}/status`, 'utf8'))?.[1]) / 1_024

export const memory: Scenario = {
  name: 'memory',
  title: 'Memory after long work, and of a connection; a cold start',
  run: async ({ people, operations: [few, many] }) => {
    const since = performance.now()
    const stage = await openStage({ people })
    try {
      say(`a data directory and ${people} people made in ${Math.round((performance.now() - since) / 1_000)} s`)
      const restarting = performance.now()
      await stage.restart()
      const start = performance.now() - restarting
      const idle = resident(stage)
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
      const connected = resident(stage)
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
      await work(few)
      const early = resident(stage)
      await work(many - few)
      const late = resident(stage)
      say(`${idle.toFixed(0)} MB at rest, ${early.toFixed(0)} MB after ${few} operations, ${late.toFixed(0)} MB after ${many}`)
      return [
        { name: 'restart until it serves, ms', value: start },
        { name: 'resident memory at rest, MB', value: idle },
        { name: 'memory of a connection, kB', value: ((connected - idle) * 1_024) / CONNECTIONS },
        { name: `resident memory after ${many} operations ÷ after ${few}`, value: late / early, most: 1.2 },
      ]
    } finally {
      await stage.close()
    }
  },
}
