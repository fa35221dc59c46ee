/** Runs calls of one module in a thread, for `thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Answered, ThreadRequest, ToldError } from './thread.ts'

const toldErrorOf = (error: unknown): ToldError => {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: undefined, fields: {} }
  const { message, stack } = error
  return { name: error.constructor.name, message, stack, fields: { ...error } }
}

const answer = (answered: Answered): void => parentPort?.postMessage(answered)

const loading = import(workerData as string) as Promise<
  Record<string, (...args: unknown[]) => unknown>
>
parentPort?.on('message', async ({ id, name, args }: ThreadRequest) => {
  try {
    const work = await loading
    answer({ id, result: await work[name]?.(...args) })
  } catch (error) {
    answer({ id, error: toldErrorOf(error) })
  }
})
