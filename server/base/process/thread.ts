/** Work of unknown size, in a thread beside the one that serves (docs/decisions/079). */
import { Worker } from 'node:worker_threads'

export type Bounds = {
  /** Milliseconds of a processor that the thread may take from the start of a call to its end. */
  readonly mostMs: number
  /** Megabytes of the thread's heap. */
  readonly mostMegabytes: number
}

/** A call passed a bound of its thread, which has ended. */
export class PassedBound extends Error {
  readonly bound: 'processor' | 'memory'
  constructor(bound: 'processor' | 'memory') {
    super(`The work passed the bound of its ${bound}`)
    this.bound = bound
  }
}

type Work = (...args: never[]) => unknown
/** The functions that a module exports. They take and answer what can be cloned. */
type Names<Module> = {
  [Name in keyof Module]: Module[Name] extends Work ? Name : never
}[keyof Module] &
  string
type Arguments<Part> = Part extends (...args: infer All) => unknown ? All : never
type Result<Part> = Part extends (...args: never[]) => infer One ? Awaited<One> : never

/** A class of errors that a call may throw. Its own fields come along. */
type ErrorClass = { readonly name: string; readonly prototype: Error }

export type ThreadRequest = { readonly id: number; readonly name: string; readonly args: unknown[] }
export type Answered = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: ToldError }
)
export type ToldError = {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly fields: object
}

export type Thread<Module> = {
  /** Throws what the function throws, and `PassedBound`. */
  readonly call: <Name extends Names<Module>>(
    name: Name,
    ...args: Arguments<Module[Name]>
  ) => Promise<Result<Module[Name]>>
  /** Calls the thread that lives, if one does, and waits for no answer. */
  readonly tell: <Name extends Names<Module>>(name: Name, ...args: Arguments<Module[Name]>) => void
  /** The thread that the next call goes to. It keeps what earlier calls left in its module. */
  readonly current: () => object
}

/** Milliseconds between two looks at the time that a thread took. */
const LOOK_MS = 250
/** Milliseconds without a call after which a thread ends, and frees its memory. */
const IDLE_MS = 60_000

type Call = {
  readonly resolve: (result: never) => void
  readonly reject: (reason: Error) => void
  /** Milliseconds that the thread had taken before. */
  readonly before: number
}

/**
 * Runs the functions of a module in a thread, which starts with the first call. Calls run side by
 * side, as in any thread. `errors` are classes that callers tell apart.
 */
export const openThread = <Module>(
  module: URL,
  bounds: Bounds,
  errors: readonly ErrorClass[] = [],
): Thread<Module> => {
  let living: ReturnType<typeof start> | undefined
  const current = () => {
    living ??= start(module, bounds, errors, () => {
      living = undefined
    })
    return living
  }
  return {
    current,
    call: (name, ...args) => current().call(name, args),
    tell: (name, ...args) => void living?.call(name, args).catch(() => undefined),
  }
}

const start = (
  module: URL,
  { mostMs, mostMegabytes }: Bounds,
  errors: readonly ErrorClass[],
  ended: () => void,
) => {
  // Long: the calls, the looks and the end of a thread are short functions that share its state.
  const { NODE_COMPILE_CACHE } = process.env
  const worker = new Worker(new URL('./threadEntry.ts', import.meta.url), {
    workerData: module.href,
    env: { NODE_COMPILE_CACHE },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  })
  worker.unref()
  const calls = new Map<number, Call>()
  let last = 0
  let used = 0
  let idle: NodeJS.Timeout | undefined

  let isOver = false
  const end = (reason: Error): void => {
    if (isOver) return
    isOver = true
    ended()
    clearInterval(looking)
    clearTimeout(idle)
    for (const { reject } of calls.values()) reject(reason)
    calls.clear()
    void worker.terminate()
  }
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking || calls.size === 0) return
    isLooking = true
    // A thread that has ended tells no time.
    const taken = await worker.cpuUsage().catch(() => undefined)
    isLooking = false
    if (taken) used = (taken.user + taken.system) / 1_000
    if ([...calls.values()].some(({ before }) => used - before > mostMs))
      end(new PassedBound('processor'))
  }
  const looking = setInterval(() => void look(), LOOK_MS)
  looking.unref()

  worker.on('message', (answered: Answered) => {
    const call = calls.get(answered.id)
    calls.delete(answered.id)
    if (calls.size === 0) {
      worker.unref()
      idle = setTimeout(() => end(new Error('the thread was idle')), IDLE_MS)
      idle.unref()
    }
    if ('error' in answered) call?.reject(revived(answered.error, errors))
    else call?.resolve(answered.result as never)
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new PassedBound('memory') : error),
  )
  worker.once('exit', () => end(new Error('a thread has ended')))

  const call = (name: string, args: unknown[]): Promise<never> =>
    new Promise((resolve, reject) => {
      clearTimeout(idle)
      last += 1
      worker.postMessage({ id: last, name, args } satisfies ThreadRequest)
      calls.set(last, { resolve, reject, before: used })
      worker.ref()
    })
  return { call }
}

/** The error that a thread threw, of its class where that is known. */
const revived = (
  { name, message, stack, fields }: ToldError,
  errors: readonly ErrorClass[],
): Error => {
  const known = errors.find((each) => each.name === name)
  const error = new Error(message)
  if (known) Object.setPrototypeOf(error, known.prototype)
  return Object.assign(error, fields, { stack })
}
