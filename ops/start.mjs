// Runs `npm start`: installs, builds, then starts the product.
import { spawn } from 'node:child_process'
import { buildWeb } from './build.mjs'
import { environment, install, NODE, ROOT } from './install.mjs'
import { PRODUCT } from './product.mjs'

install()
buildWeb()

const product = spawn(NODE, PRODUCT, { cwd: ROOT, stdio: 'inherit', env: environment() })
// Ctrl-C reaches both processes. Other signals reach this one alone, which passes them on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => product.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
product.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
