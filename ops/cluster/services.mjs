// Starts and ends the services of a cluster, by process id.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../root.mjs'

/** The time to end by itself after a signal. Then SIGKILL. */
const STOP_TIMEOUT_MS = 40_000

/** True while a process runs. A killed child stays as a zombie until its exit is read. */
export const isAlive = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)[0] !== 'Z'
  } catch {
    return false
  }
}

/** Resolves once `isSo` answers true. Throws with `problem` after the timeout. */
export const until = async (isSo, problem, timeout) => {
  const end = Date.now() + timeout
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(problem())
    await wait(100)
  }
}

/** Signals a process unless it is gone. */
const signal = (pid, name) => {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone.
  }
}

/** Ends a process, by force after a timeout. */
export const end = async (pid, name = 'SIGTERM', timeout = STOP_TIMEOUT_MS) => {
  signal(pid, name)
  const isGone = () => !isAlive(pid)
  await until(isGone, () => '', timeout).catch(() => signal(pid, 'SIGKILL'))
  await until(isGone, () => `Process ${pid} does not end.`, STOP_TIMEOUT_MS)
}

/** The process of a machine's PostgreSQL, undefined while it is down. */
export const postmasterOf = ({ data }) => {
  try {
    const [pid] = readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    // The id in a file that a kill left may be another process by now.
    return command.includes('postgres') && isAlive(pid) ? Number(pid) : undefined
  } catch {
    return undefined
  }
}

/** Starts a service, which ends with this process. Returns its process id. */
export const startService = ({ prefix, command, options, env, log, keepsUser }, { uid, gid }) => {
  const output = openSync(log, 'a')
  const changesUser = !keepsUser && process.getuid() === 0
  const identity = changesUser ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : []
  const line = [...prefix, 'setpriv', ...identity, '--pdeathsig=TERM', command, ...options]
  const child = spawn(line[0], line.slice(1), {
    cwd: keepsUser ? ROOT : '/',
    env,
    stdio: ['ignore', output, output],
    // A terminal's Ctrl-C reaches this process alone, which ends them in order.
    detached: true,
  })
  closeSync(output)
  child.once('error', () => undefined)
  return child.pid
}
