// Runs `npm run bench`, `bench:web` and `bench:shards`: installs, builds, starts bench/NAME.ts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildWeb } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { environment, install, NODE } from './install.mjs'
import { ROOT } from './root.mjs'

await install()
const [measurement, ...options] = process.argv.slice(2)
// A simulation starts no product.
if (measurement !== 'shards') await buildWeb()

const chromium = measurement === 'web' ? ensureChromium() : undefined
const { status } = spawnSync(NODE, [join(ROOT, 'bench', `${measurement}.ts`), ...options], {
  cwd: ROOT,
  stdio: 'inherit',
  env: environment(chromium && { CHROMIUM_PATH: chromium }),
})
process.exit(status ?? 1)
