// Runs `npm start`: installs, builds, then starts the product.
import { spawn } from 'node:child_process'
import { buildWeb } from './build.mjs'
import { environment, installProduct, NODE } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { PRODUCT } from './product.mjs'
import { ROOT } from './root.mjs'
import { stepsInLog } from './steps.mjs'

stopWithParent()

await installProduct(stepsInLog())
await buildWeb(stepsInLog())

const product = spawn(NODE, PRODUCT, { cwd: ROOT, stdio: 'inherit', env: environment() })
// Ctrl-C and a closed terminal reach both processes. Other signals reach this one alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => product.kill(signal))
product.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
