import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { environment } from './install.mjs'
import { ROOT } from './root.mjs'

// The headless shell draws the same pages and starts no windows: the tests take half the time.
const SHELL = '/usr/bin/chromium-headless-shell'
const OTHERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const run = (command, ...options) =>
  spawnSync(command, options, {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment({ DEBIAN_FRONTEND: 'noninteractive' }),
  }).status === 0

/**
 * Finds or installs a Chromium for the browser tests and returns its path.
 * Undefined means that Playwright's own was installed.
 */
export const ensureChromium = () => {
  const chosen = [process.env.CHROMIUM_PATH, SHELL].find((path) => path && existsSync(path))
  if (chosen) return chosen
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …')
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']
    if (run('apt-get', 'update', '-qq') && run('apt-get', ...install) && existsSync(SHELL))
      return SHELL
  }
  const other = OTHERS.find(existsSync)
  if (other) return other
  if (run('npx', 'playwright', 'install', 'chromium')) return undefined
  console.error(
    'No Chromium was found and none could be installed. Install one, or name it in CHROMIUM_PATH.',
  )
  process.exit(1)
}
