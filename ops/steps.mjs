import { spawn } from 'node:child_process'
import { ROOT } from './root.mjs'

const secondsSince = (start) => Math.round((performance.now() - start) / 100) / 10
const write = (text) => process.stdout.write(text)
// The work goes on without a reader, such as a `head` that has read enough.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** One line that counts the seconds until its step is done. */
const onTerminal = {
  begin: ({ doing }, start) => {
    const show = () => write(`\r\x1b[2K  ${doing} … ${Math.round(secondsSince(start))} s`)
    show()
    return setInterval(show, 1_000)
  },
  end: ({ done }, seconds) => write(`\r\x1b[2K  ${done} in ${seconds} s\n`),
}

const inLines = {
  begin: ({ doing }) => void write(`${doing} …\n`),
  end: ({ done }, seconds) => write(`${done} in ${seconds} s\n`),
}

const log = (fields) =>
  write(`${JSON.stringify({ level: 30, time: Date.now(), pid: process.pid, ...fields })}\n`)
/** Lines like those of the product's log. */
const inJson = {
  begin: ({ doing }) => void log({ msg: doing.toLowerCase() }),
  end: ({ done }, seconds) => log({ seconds, msg: done.toLowerCase() }),
}

const inText = () => (process.stdout.isTTY ? onTerminal : inLines)

/** Steps in the format of the product's log: text on a terminal, else JSON. */
export const stepsInLog = () => {
  const format = process.env.LOG_FORMAT || (process.stdout.isTTY ? 'text' : 'json')
  return format === 'json' ? inJson : inText()
}

/**
 * Shows a step of a command while `work` runs, and then its duration. A failure ends the process
 * with its message.
 */
export const step = async (title, work, steps = inText()) => {
  const start = performance.now()
  const clock = steps.begin(title, start)
  try {
    await work()
    steps.end(title, secondsSince(start))
  } catch (error) {
    console.error(`\n${error.message}`)
    process.exit(1)
  } finally {
    clearInterval(clock)
  }
}

/** Exit codes by signal. */
export const STOPS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/**
 * Runs a program to its end. Rejects with its output when it fails. A signal to this process ends
 * the program's whole process group, then this process.
 */
export const run = (command, options, env = process.env) =>
  new Promise((resolve, reject) => {
    const onWindows = process.platform === 'win32'
    const program = spawn(command, options, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: onWindows && command === 'npm',
      detached: !onWindows,
    })
    let output = ''
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (part) => {
        output += part
      })
    const stops = Object.entries(STOPS).map(([signal, code]) => [
      signal,
      () => {
        process.kill(onWindows ? program.pid : -program.pid, 'SIGTERM')
        process.exit(code)
      },
    ])
    for (const [signal, stop] of stops) process.on(signal, stop)
    program.once('error', reject)
    program.once('close', (code) => {
      for (const [signal, stop] of stops) process.off(signal, stop)
      if (code === 0) resolve()
      else reject(new Error(output))
    })
  })
