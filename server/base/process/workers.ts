import cluster, { type Worker } from 'node:cluster'
import type { Log } from './log.ts'

/** True in a worker process that the primary started. */
export const isWorker: boolean = cluster.isWorker

/** A worker whose primary has ended ends as well, so what cannot be sent is no fault of its own. */
const send = (message: object | string): void =>
  void process.send?.(message, undefined, undefined, () => undefined)

/** Tells the primary that this worker serves. */
export const sendReady = (): void => send(READY)

const READY = 'ready'

type Question = { readonly asks: string }
type Reply = { readonly about: string; readonly value: unknown }

/** Asks the primary for a value. Resolves once the primary has it. */
export const askPrimary = <T>(about: string): Promise<T> =>
  new Promise((resolve) => {
    process.on(
      'message',
      (message: Partial<Reply>) => message.about === about && resolve(message.value as T),
    )
    send({ asks: about } satisfies Question)
  })

/** Milliseconds before a dead worker is replaced. */
const REPLACED_AFTER = 500

type Options = {
  readonly log: Log
  /** System user of the workers. Undefined keeps this process's user. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  /** Answers to the workers' questions. */
  readonly answers: Readonly<Record<string, () => Promise<unknown>>>
  /** Changes to this process's environment for the workers. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

type Workers = {
  /** The port, once all workers serve. Rejects when a worker exits before. */
  readonly ready: Promise<number>
  /** Lets all workers finish their requests. Throws when one did not. */
  readonly stop: () => Promise<void>
}

/** Starts `count` workers that share the port. Replaces those that exit after the start. */
export const startWorkers = (
  count: number,
  { log, user, answers, environment }: Options,
): Workers => {
  // Long: starting, replacing and stopping are short functions that share its state.
  // A single worker accepts connections itself. Several get them in turn.
  if (count === 1) cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ ...user })
  const living = new Set<Worker>()
  let port = 0
  let stopping = false

  const start = (): { readonly worker: Worker; readonly ready: Promise<void> } => {
    const worker = cluster.fork(environment)
    living.add(worker)
    // The first is the product's port, the second that of metrics.
    worker.once('listening', (address) => {
      port = address.port
    })
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (message: typeof READY | Partial<Question>) =>
        message === READY ? resolve() : reply(worker, message),
      )
      worker.once('exit', (code, signal) => {
        living.delete(worker)
        // A stop during the start is no failure.
        if (!stopping)
          reject(new Error(`a server process exited with ${signal ?? code} before it served`))
      })
    })
    return { worker, ready }
  }

  // A failed answer ends this process and so the worker too.
  const reply = (worker: Worker, { asks }: Partial<Question>): void => {
    // Distrusts the worker, which serves strangers while this process may be root.
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
        'a server process exited; starting another',
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
    // A worker that was still loading had no requests to finish.
    const unclean = (await Promise.all(ended)).filter((end) => end !== 0 && end !== 'SIGTERM')
    if (unclean.length > 0) throw new Error(`a server process exited with ${unclean.join(', ')}`)
  }

  const started = Promise.all(Array.from({ length: count }, start).map(({ ready }) => ready))
  const ready = started.then(() => {
    for (const worker of living) replaceAfter(worker)
    return port
  })
  // The caller of `ready` gets the rejection. This prevents an unhandled one meanwhile.
  ready.catch(() => undefined)
  return { ready, stop }
}
