// `npm start`: everything that a fresh clone needs, then the product.
import { spawn } from 'node:child_process'
import { buildWeb } from './build.mjs'
import { environment, install, NODE, ROOT } from './install.mjs'
import { PRODUCT } from './product.mjs'

install()
buildWeb()

const product = spawn(NODE, PRODUCT, { cwd: ROOT, stdio: 'inherit', env: environment() })
// The terminal sends Ctrl-C to both processes; a signal sent to this one alone is passed on. Either
// way the product decides when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => product.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
product.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
