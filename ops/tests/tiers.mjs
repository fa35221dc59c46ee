/**
 * Files of tests, by the beginning of their paths, that `npm run test:all` runs and `npm test` does
 * not. A new file is in the first tier until a line names it.
 */
export const SECOND_TIER = [
  {
    proves: 'Whole products survive kills, stand-stills, full disks, wrong clocks and lying nodes',
    paths: ['faults/'],
  },
  {
    proves: 'Installing, starting, stopping and the container, as an operator does them',
    paths: ['ops/install', 'ops/start', 'ops/container/', 'ops/tests/stop', 'server/base/process/'],
  },
  {
    proves: 'The embedded database, its rights, an upgrade, and two releases side by side',
    paths: [
      'server/base/postgres/',
      'server/base/db/upgrade',
      'server/base/db/sideBySide',
      'server/base/db/usedDatabase',
    ],
  },
  {
    proves: 'Commands, backups, the demonstration and the rehearsal of a loss',
    paths: [
      'server/operator/app',
      'server/operator/backup/',
      'server/operator/commands/',
      'server/operator/demo/',
      'server/operator/rehearsal/',
      'server/operator/telemetry/',
    ],
  },
  {
    proves: 'The largest files, lists and counts that the product takes',
    paths: [
      'server/accounts/throttle/attempts',
      'server/base/lists/stream',
      'server/base/lists/lagging',
      'server/coins/batches/bitcoinRaces',
      'server/lending/loans/files',
      'server/reports/statements/busyYear',
    ],
  },
  { proves: 'The play chains and the outside signer', paths: ['sandbox/'] },
  {
    proves: 'Each dialog, list and walk in the browser, beyond one visit of each screen',
    paths: ['e2e/'],
    except: [
      'e2e/conformance/',
      'e2e/coinsWalk',
      'e2e/everyScreen',
      'e2e/screens',
      'e2e/story.spec',
    ],
  },
]

const begins = (file, paths = []) => paths.some((path) => file.startsWith(path))

/** True for a file of tests, by its path from the repository, that `npm test` leaves out. */
export const isSecond = (file) =>
  SECOND_TIER.some(({ paths, except }) => begins(file, paths) && !begins(file, except))
