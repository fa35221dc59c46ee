// Runs `npm run test:e2e`: finds the browser, builds what changed, then runs browser tests by name.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { environment, install, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

await install()
const chromium = ensureChromium()
await buildWeb()
const { status } = spawnSync(
  NODE,
  [join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', ...process.argv.slice(2)],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }),
  },
)
process.exit(status ?? 1)
