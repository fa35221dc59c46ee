// Runs `npm run demo`: installs first, as a fresh clone may begin with it.
import { spawnSync } from 'node:child_process'
import { environment, installProduct, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

await installProduct()
const command = ['server/operator/commands/demo.ts', ...process.argv.slice(2)]
const { status } = spawnSync(NODE, command, { cwd: ROOT, stdio: 'inherit', env: environment() })
process.exit(status ?? 1)
