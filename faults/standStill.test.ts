import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { runningServer } from '../server/base/postgres/postmaster.ts'
import { ADMIN, signIn } from '../server/testing/client.ts'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { FULL, rounds } from '../server/testing/rounds.ts'
import { type Directory, LIMIT, type Node, openNode, times, underLoad } from './run.ts'

/** Processes stand still, as on a machine that sleeps or swaps, while money moves. */

let directory: Directory
const loops: ChildProcess[] = []
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
  // The machine is busy beside.
  for (let loop = 0; FULL && loop < 8; loop += 1)
    loops.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
})
afterEach(async () => {
  for (const loop of loops.splice(0)) loop.kill('SIGKILL')
  await directory.remove()
})

const SECONDS = FULL ? [20, 40, 60, 90, 300] : [2]

const childrenOf = (pid: number): readonly number[] => {
  // Fails without a child.
  const found = () =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  try {
    return found().trim().split(/\s+/).map(Number)
  } catch {
    return []
  }
}
/** The letter of a process's state. Undefined once it has ended. */
const stateOf = (pid: number): string | undefined => {
  try {
    return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
const isStopped = (pid: number): boolean => stateOf(pid) === 'T'
/** True while a process takes a processor or waits for something. */
const goesOn = (pid: number): boolean => !['T', 'Z', undefined].includes(stateOf(pid))
const signalAll = (pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT') => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // A process may end between the two steps.
    }
  }
}

/** All processes below one, without the embedded database. */
const below = (pid: number): readonly number[] =>
  childrenOf(pid)
    .filter((child) => !databaseOf().includes(child))
    .flatMap((child) => [child, ...below(child)])
const isOfPasswords = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('passwordProcess')
  } catch {
    return false
  }
}

const rootOf = (node: Node): number => node.product().process.pid ?? 0
/** The first process, and the one that serves, which are the same without root. */
const serverOf = (node: Node): readonly number[] => [
  rootOf(node),
  ...below(rootOf(node)).filter((pid) => !isOfPasswords(pid)),
]
const databaseOf = (): readonly number[] => {
  const postmaster = runningServer({ cluster: join(directory.dataDir, 'postgres') })
  return postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)]
}
const passwordsOf = (node: Node): readonly number[] => below(rootOf(node)).filter(isOfPasswords)

const targets: Readonly<
  Record<
    string,
    {
      readonly pids: (node: Node) => readonly number[]
      readonly hides?: true
      /** Lets processes begin that start on demand. */
      readonly wake?: (node: Node) => Promise<unknown>
    }
  >
> = {
  'the server': { pids: serverOf },
  'the password processes': { pids: passwordsOf, wake: (node) => signIn(node, ADMIN) },
  'the database': { pids: databaseOf, hides: true },
  'all processes': {
    pids: (node) => [...serverOf(node), ...passwordsOf(node), ...databaseOf()],
    hides: true,
  },
}

test.for(Object.keys(targets))('work goes on after %s stood still', LIMIT, async (name) => {
  const target = targets[name]
  if (!target) throw new Error(`There is no target ${name}.`)
  const { pids, hides, wake } = target
  const node = await openNode(directory, { DAY_SECONDS: '1' })
  const database = connectTo(directory)
  try {
    await underLoad({ nodes: [node], directory, kind: 'standstill' }, ({ strike }) =>
      times(rounds({ full: 10, short: 1 }), async () => {
        for (const seconds of SECONDS) {
          let struck: readonly number[] = []
          await strike({
            inject: async () => {
              await wake?.(node)
              // Connections and password processes come and go, so a look may find none.
              await expect
                .poll(() => {
                  const found = pids(node)
                  signalAll(found, 'SIGSTOP')
                  struck = [...new Set([...struck, ...found])]
                  return found.some(isStopped) && !struck.some(goesOn)
                })
                .toBe(true)
            },
            isSeen: () => struck.length > 0 && struck.some(isStopped),
            recover: async () => {
              await wait(seconds * 1_000)
              signalAll(struck, 'SIGCONT')
            },
            ...(hides && { hidesDatabase: hides }),
          })
          const { rows } = await database.pool.query('SELECT now() AS woken')
          // Every second a job pays investments, so it has a success soon.
          const ran = `SELECT FROM job_successes WHERE name = 'maturities' AND succeeded_at > $1`
          await expect
            .poll(async () => (await database.pool.query(ran, [rows[0].woken])).rowCount, {
              timeout: FULL ? 10_000 : 60_000,
            })
            .toBe(1)
        }
      }),
    )
  } finally {
    await database.close()
  }
})
