import cluster, { type Worker } from 'node:cluster'
import type { Log } from './log.ts'

/** Whether this is one of several processes that serve, started by another that leads them. */
export const isWorker: boolean = cluster.isWorker

/** Tells the process that leads that this one serves. */
export const tellReady = (): void => void process.send?.(READY)

const READY = 'ready'

type Question = { readonly asks: string }
type Reply = { readonly about: string; readonly value: unknown }

/** Asks the process that leads for something; resolves once that knows it. */
export const askLeader = <T>(about: string): Promise<T> =>
  new Promise((resolve) => {
    process.on(
      'message',
      (message: Partial<Reply>) => message.about === about && resolve(message.value as T),
    )
    process.send?.({ asks: about } satisfies Question)
  })

/** How soon a process that died is replaced, in milliseconds. */
const REPLACED_AFTER = 500

type Options = {
  readonly log: Log
  /** As whom they run; undefined: as this process does. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  /** What they are told when they ask for it. */
  readonly answers: Readonly<Record<string, () => Promise<unknown>>>
  /** Of the environment of this process, what is different in theirs. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

type Workers = {
  /** The port, once all of them serve; rejects when one of them ends before. */
  readonly ready: Promise<number>
  /** Lets all of them finish what is under way, and throws when one of them did not. */
  readonly stop: () => Promise<void>
}

/**
 * Starts so many processes like this one, which share the port. One that dies after all of them
 * served is replaced.
 */
export const startWorkers = (
  count: number,
  { log, user, answers, environment }: Options,
): Workers => {
  // A single one takes its connections itself; several are handed them in turn.
  if (count === 1) cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ ...user })
  const living = new Set<Worker>()
  let port = 0
  let stopping = false

  const start = (): { readonly worker: Worker; readonly ready: Promise<void> } => {
    const worker = cluster.fork(environment)
    living.add(worker)
    // The first that it listens on; the second is that of its metrics.
    worker.once('listening', (address) => {
      port = address.port
    })
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (message: typeof READY | Partial<Question>) =>
        message === READY ? resolve() : reply(worker, message),
      )
      worker.once('exit', (code, signal) => {
        living.delete(worker)
        // A stop that comes before all of them serve is no failure.
        if (!stopping)
          reject(new Error(`a server process ended with ${signal ?? code} before it served`))
      })
    })
    return { worker, ready }
  }

  // Without what it asks for, this process ends, and the other with it.
  const reply = (worker: Worker, { asks }: Partial<Question>): void => {
    // What the other says is not to be trusted: it answers strangers, and this process may be root.
    if (asks === undefined || !Object.hasOwn(answers, asks)) return
    answers[asks]?.().then(
      (value) => worker.isConnected() && worker.send({ about: asks, value } satisfies Reply),
      () => undefined,
    )
  }

  const replaceAfter = (worker: Worker): void => {
    worker.once('exit', (code, signal) => {
      if (stopping) return
      log.error(
        { code, signal, processId: worker.process.pid },
        'a server process died; starting another',
      )
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
    const ended = [...living].map(
      (worker) =>
        new Promise((resolve) => worker.once('exit', (code, signal) => resolve(signal ?? code))),
    )
    for (const worker of living) worker.process.kill('SIGTERM')
    // One that was still loading when it was told to end had nothing to finish.
    const unclean = (await Promise.all(ended)).filter((end) => end !== 0 && end !== 'SIGTERM')
    if (unclean.length > 0) throw new Error(`a server process ended with ${unclean.join(', ')}`)
  }

  const started = Promise.all(Array.from({ length: count }, start).map(({ ready }) => ready))
  const ready = started.then(() => {
    for (const worker of living) replaceAfter(worker)
    return port
  })
  // Whoever waits for it is told; a start that fails before that is the one to tell of.
  ready.catch(() => undefined)
  return { ready, stop }
}
