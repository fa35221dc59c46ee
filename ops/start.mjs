// Runs `npm start`: installs, builds, then starts the product.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { buildWeb } from './build.mjs'
import { environment, installProduct, NODE } from './install.mjs'
import { PRODUCT } from './product.mjs'
import { ROOT } from './root.mjs'
import { stepsInLog } from './steps.mjs'

/** The parent's process id and its parent's, so the shell's and npm's. */
const parents = () => {
  const stat = `/proc/${process.ppid}/stat`
  const above = existsSync(stat) ? readFileSync(stat, 'utf8').split(') ').at(-1).split(' ')[1] : ''
  return `${process.ppid} ${above}`
}

// npm's shell dies of a signal without passing it on. So the loss of a parent is a stop.
if (process.env.npm_lifecycle_event !== undefined) {
  const before = parents()
  const watch = setInterval(() => {
    if (parents() === before) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

await installProduct(stepsInLog())
await buildWeb(stepsInLog())

const product = spawn(NODE, PRODUCT, { cwd: ROOT, stdio: 'inherit', env: environment() })
// Ctrl-C and a closed terminal reach both processes. Other signals reach this one alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => product.kill(signal))
product.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
