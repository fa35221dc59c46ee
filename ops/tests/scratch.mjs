import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { environment, NODE } from '../install.mjs'
import { ROOT } from '../root.mjs'
import { STOPS } from '../steps.mjs'

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 1024 ** 3
/** True with 4 GiB of memory disk. A real disk is slow at the thousands of database files. */
const hasMemory = () => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

/** Most time for a stop by signal, in milliseconds. Then the rest is killed. */
const STOP_TIMEOUT_MS = 20_000

/**
 * Opens a directory for databases, browser profiles and reports, for steps. A signal to
 * this process ends all that they started, deletes the directory and ends this process.
 */
export const openScratch = () => {
  const directory = mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), 'pool-'))
  // Under root, PostgreSQL runs as another user.
  chmodSync(directory, 0o755)
  const scratch = { directory, isStopping: false }
  for (const [signal, code] of Object.entries(STOPS))
    process.on(signal, async () => {
      if (scratch.isStopping) return
      scratch.isStopping = true
      console.log('\nStopping …')
      await endAll(directory)
      remove(scratch)
      process.exit(code)
    })
  return scratch
}

export const remove = ({ directory }) => {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch (error) {
    console.error(`Delete ${directory} by hand: ${error.message}`)
  }
}

/**
 * Runs one step beside the others, prints its output at its end and resolves with its success.
 * The output goes to a file, because a leftover child would keep a pipe open.
 */
export const runStep = (scratch, title, options, more = {}) =>
  new Promise((resolve) => {
    const { directory } = scratch
    const file = join(directory, `${title}.txt`)
    const output = openSync(file, 'w')
    const step = spawn(NODE, options, {
      cwd: ROOT,
      stdio: ['ignore', output, output],
      env: environment({ TMPDIR: directory, ...more }),
      // Ctrl-C reaches the steps by `endAll` alone, because a second SIGINT would cut a stop short.
      detached: process.platform !== 'win32',
    })
    closeSync(output)
    step.once('exit', (code) => {
      // The stop ends this process.
      if (scratch.isStopping) return
      console.log(`\n── ${title}`)
      process.stdout.write(readFileSync(file))
      resolve(code === 0)
    })
  })

/** Ids and commands of processes with the directory in their arguments or environment. */
const processesOf = (directory) => {
  const { stdout } = spawnSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(directory))
    .map((line) => /^\s*(\d+)\s+(\S+)/.exec(line))
    .map(([, pid, command]) => ({ pid: Number(pid), isDatabase: command.endsWith('postgres') }))
}

const signalTo = ({ pid }, signal) => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Interrupts each process once, databases after the servers that use them, and then kills. */
const endAll = async (directory) => {
  const interrupted = new Set()
  const deadline = Date.now() + STOP_TIMEOUT_MS
  for (;;) {
    const left = processesOf(directory)
    if (left.length === 0) return
    const isLate = Date.now() > deadline
    const servers = left.filter(({ isDatabase }) => !isDatabase)
    for (const each of isLate || servers.length === 0 ? left : servers) {
      if (!isLate && interrupted.has(each.pid)) continue
      interrupted.add(each.pid)
      signalTo(each, isLate ? 'SIGKILL' : 'SIGINT')
    }
    await wait(200)
  }
}
