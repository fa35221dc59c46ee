/**
 * The run's other processes: the load and the watcher. Each writes lines of JSON to a file, which
 * is followed here.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Database } from '../server/base/db/connection.ts'
import type { LoadPlan, Operation } from './plan.ts'
import { isMoney } from './verify.ts'
import type { Look, WatchPlan } from './watch.ts'

/** The timeout of quick steps. */
const ANSWER_TIMEOUT_MS = 60_000
/** The timeout of steps that hash passwords or do many operations. */
const LONG_TIMEOUT_MS = 300_000

/** The URL by which another process reaches the same database. */
export const urlTo = ({ pool }: Pick<Database, 'pool'>): string => {
  const { connectionString, host = '', port, user, password, database } = pool.options
  return (
    connectionString ??
    `postgres://${user}:${encodeURIComponent(String(password))}@${encodeURIComponent(host)}:${port}/${database}`
  )
}

/** Reads the whole lines that a file gained since the last call. */
const following = <Line>(file: string): (() => readonly Line[]) => {
  let offset = 0
  let rest = ''
  return () => {
    const descriptor = openSync(file, 'r')
    try {
      const piece = Buffer.alloc(1_048_576)
      for (let length = readSync(descriptor, piece, 0, piece.length, offset); length > 0; ) {
        offset += length
        rest += piece.toString('utf8', 0, length)
        length = readSync(descriptor, piece, 0, piece.length, offset)
      }
    } finally {
      closeSync(descriptor)
    }
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    return lines.filter(Boolean).map((line) => JSON.parse(line) as Line)
  }
}

const start = (script: string, plan: LoadPlan | WatchPlan) => {
  writeFileSync(plan.file, '')
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, script)], {
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  })
  child.stdin?.end(JSON.stringify(plan))
  const requireRunning = () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${script} ended by itself.`)
  }
  return {
    /** Waits for its end. Throws when it ended by itself. */
    stop: async () => {
      requireRunning()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      expect((await ended)[0]).toBe(0)
    },
    /** Waits until it has stopped, and waits for leave to go on. */
    pause: async () => {
      requireRunning()
      const paused = once(child, 'message')
      child.kill('SIGTERM')
      await Promise.race([paused, once(child, 'exit').then(requireRunning)])
    },
    /** Lets it go on, and waits for its end. */
    finish: async () => {
      requireRunning()
      const ended = once(child, 'exit')
      child.send('repeat')
      expect((await ended)[0]).toBe(0)
    },
    /** Kills it if it still runs. */
    kill: () => void child.kill('SIGKILL'),
  }
}

export type Load = ReturnType<typeof startLoad>

/** Starts the load. */
export const startLoad = (plan: LoadPlan) => {
  const process = start('load.ts', plan)
  const news = following<Operation>(plan.file)
  const count = { acknowledged: 0, unanswered: 0 }
  const kinds = new Set<Operation['kind']>()
  const counted = () => {
    for (const operation of news()) {
      if (operation.outcome === 'acknowledged') kinds.add(operation.kind)
      if (isMoney(operation) && operation.outcome === 'acknowledged') count.acknowledged += 1
      if (operation.wasUnknown) count.unanswered += 1
    }
    return count
  }
  return {
    ...process,
    /** The number of operations without a first response. */
    unanswered: () => counted().unanswered,
    /** Resolves after this many more acknowledgements: the product answers again. */
    goesOn: async (more = 1) => {
      const before = counted().acknowledged
      await expect
        .poll(() => counted().acknowledged, { timeout: ANSWER_TIMEOUT_MS, interval: 50 })
        .toBeGreaterThanOrEqual(before + more)
    },
    /** Resolves once at least this many operations were acknowledged since the start. */
    hasAcknowledged: async (total: number) => {
      await expect
        .poll(() => counted().acknowledged, { timeout: LONG_TIMEOUT_MS, interval: 500 })
        .toBeGreaterThanOrEqual(total)
    },
    /**
     * Resolves once each kind was acknowledged, since an operation that never ran proves nothing.
     */
    hasDone: async (wanted: readonly Operation['kind'][]) => {
      const missing = () => {
        counted()
        return wanted.filter((kind) => !kinds.has(kind))
      }
      await expect.poll(missing, { timeout: LONG_TIMEOUT_MS, interval: 50 }).toEqual([])
    },
  }
}

export type Watch = ReturnType<typeof startWatch>

/** Starts the watcher. */
export const startWatch = (plan: WatchPlan) => {
  const process = start('watch.ts', plan)
  const news = following<Look>(plan.file)
  const looks: Look[] = []
  const all = () => {
    looks.push(...news())
    return looks
  }
  return {
    ...process,
    /** All looks, also those that saw nothing. */
    all,
    /** Resolves when a look that began after this call has seen the database. */
    sees: async () => {
      const asked = Date.now()
      await expect
        .poll(() => all().some(({ began, found }) => began >= asked && found !== undefined), {
          timeout: ANSWER_TIMEOUT_MS,
          interval: 25,
        })
        .toBe(true)
    },
  }
}
