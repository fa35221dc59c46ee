// Runs `npm run sandbox:chains`: the product with play chains on this machine, until Ctrl-C.
import { spawn } from 'node:child_process'
import { buildWeb } from './build.mjs'
import { environment, install, NODE } from './install.mjs'
import { stopWithParent } from './parent.mjs'
import { ensurePlayNodes } from './playNodes.mjs'
import { ROOT } from './root.mjs'

stopWithParent()
// The play nodes are among the packages of the tests.
await install()
ensurePlayNodes('there are no play bitcoins')
await buildWeb()
const sandbox = spawn(NODE, ['sandbox/run.ts'], { cwd: ROOT, stdio: 'inherit', env: environment() })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => sandbox.kill(signal))
sandbox.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
