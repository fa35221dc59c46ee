// Runs `npm run bench` and `npm run bench:web`: installs, builds, then starts bench/NAME.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { environment, install, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

await install()
await buildWeb()

const [measurement, ...options] = process.argv.slice(2)
const chromium = measurement === 'web' ? ensureChromium() : undefined
const { status } = spawnSync(NODE, [join(ROOT, 'bench', `${measurement}.ts`), ...options], {
  cwd: ROOT,
  stdio: 'inherit',
  env: environment(chromium && { CHROMIUM_PATH: chromium }),
})
process.exit(status ?? 1)
