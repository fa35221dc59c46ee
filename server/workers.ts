import cluster, { type Worker } from 'node:cluster'
import type { Log } from './log.ts'

/** Whether this is one of several processes that serve, started by another that leads them. */
export const isWorker: boolean = cluster.isWorker

/** Tells the process that leads that this one serves. */
export const tellReady = (): void => void process.send?.(READY)

const READY = 'ready'
/** How soon a process that died is replaced, in milliseconds. */
const REPLACED_AFTER = 500

/**
 * Starts so many processes like this one, which share the port. Resolves with the port once all of them serve; throws when one of them ends before. One that
 * dies later is replaced. `stop` lets all of them finish what is under way, and throws when one of them did not.
 */
export const startWorkers = async (count: number, log: Log): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> => {
  const living = new Set<Worker>()
  let port = 0
  let stopping = false

  const start = (): { readonly worker: Worker; readonly ready: Promise<void> } => {
    const worker = cluster.fork()
    living.add(worker)
    worker.on('listening', (address) => {
      port = address.port
    })
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (message) => message === READY && resolve())
      worker.once('exit', (code, signal) => {
        living.delete(worker)
        reject(new Error(`a server process ended with ${signal ?? code} before it served`))
      })
    })
    return { worker, ready }
  }

  const replaceAfter = (worker: Worker): void => {
    worker.once('exit', (code, signal) => {
      if (stopping) return
      log.error({ code, signal, processId: worker.process.pid }, 'a server process died; starting another')
      setTimeout(replace, REPLACED_AFTER)
    })
  }
  const replace = (): void => {
    if (stopping) return
    const { worker, ready } = start()
    ready.catch((err: unknown) => log.error({ err }, 'a server process did not start'))
    replaceAfter(worker)
  }

  const stop = async (): Promise<void> => {
    stopping = true
    const ended = [...living].map((worker) => new Promise((resolve) => worker.once('exit', (code, signal) => resolve(signal ?? code))))
    for (const worker of living) worker.process.kill('SIGTERM')
    const unclean = (await Promise.all(ended)).filter((end) => end !== 0)
    if (unclean.length > 0) throw new Error(`a server process ended with ${unclean.join(', ')}`)
  }
  try {
    await Promise.all(Array.from({ length: count }, start).map(({ ready }) => ready))
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
  for (const worker of living) replaceAfter(worker)
  return { port, stop }
}
