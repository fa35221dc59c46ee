import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { environment } from './install.mjs'
import { ROOT } from './root.mjs'

const LITECOIND = '/usr/bin/litecoind'

const run = (...options) =>
  spawnSync('apt-get', options, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment({ DEBIAN_FRONTEND: 'noninteractive' }),
  }).status === 0

/** Installs the node of Bitcoin's family for root on Debian. Else says what is left out. */
export const ensurePlayNodes = (leftOut) => {
  if (existsSync(LITECOIND)) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing litecoind …')
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'litecoind']
    if (run('update', '-qq') && run(...install) && existsSync(LITECOIND)) return
  }
  console.log(`litecoind is not installed, so ${leftOut}.`)
}
