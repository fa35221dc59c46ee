// Runs the installed and built product. `npm start` ends here, and services begin here.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { environment, NODE } from './install.mjs'
import { PRODUCT } from './product.mjs'
import { ROOT } from './root.mjs'

/** Compiled programs of an earlier start. A start that cannot write there compiles anew. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'compiled')

const product = spawn(NODE, PRODUCT, {
  cwd: ROOT,
  stdio: 'inherit',
  env: environment({ NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? CACHE }),
})
// Ctrl-C and a closed terminal reach both processes. Other signals reach this one alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => product.kill(signal))
product.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
