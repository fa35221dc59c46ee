/**
 * The layout: a path reads deployable / district / room / file. Imports go down: a district may
 * import the doors of those above its own line. Its rooms import each other without a circle.
 */
import { type District, type Room, roomsOf, within } from './room.ts'
import { web } from './webRooms.ts'

/** The server's districts, lowest first: the rooms that others may import, then those inside. */
export const districts: readonly District[] = [
  {
    path: 'server/base',
    doors: 'chains configuration db keys lists locks.ts postgres process sessions',
    inside: 'migrations',
  },
  { path: 'server/ledger', doors: 'archive check engine families jobs.ts sums', inside: 'sql' },
  { path: 'server/http', doors: 'changes context.ts serving' },
  { path: 'server/records', doors: 'audit mode' },
  {
    path: 'server/accounts',
    doors: 'factors links mail passwords recovery throttle users jobs.ts routes.ts',
    inside: 'emails signIn',
  },
  { path: 'server/chain', doors: 'nodes rates wallets jobs.ts routes.ts' },
  {
    path: 'server/money',
    doors: 'brakes claims investments payoutAddresses plans reserve jobs.ts routes.ts',
  },
  { path: 'server/lending', doors: 'borrowers loans pool windDown jobs.ts routes.ts' },
  { path: 'server/coins', doors: 'batches custody payouts reconciliation jobs.ts routes.ts' },
  { path: 'server/requests', doors: 'transactions' },
  { path: 'server/agreements', doors: 'proposals' },
  {
    path: 'server/reports',
    doors: 'liabilities notices statements jobs.ts routes.ts',
    inside: 'figures ownData timeline today',
  },
  {
    path: 'server/operator',
    doors: 'app.ts jobs start telemetry',
    inside: 'backup commands demo rehearsal',
  },
]

/** Only `routes.ts` imports it, the application that serves them, and its own district. */
const SERVING = 'server/http/serving'
const serves = (path: string): boolean => /^server\/(http\/|operator\/app\.ts$)/.test(path)

const server = roomsOf(districts).map((room) => {
  if (serves(room.path) || !room.below.includes(SERVING)) return room
  return { ...room, below: room.below.filter((name) => name !== SERVING), routes: [SERVING] }
})
/** The contract has the same districts. Its files import each other without a circle. */
const CONTRACT = [
  'contract/dictionaries.d.ts',
  'contract/base',
  'contract/accounts',
  'contract/chain',
  'contract/money',
  'contract/lending',
  'contract/coins',
  'contract/requests',
  'contract/agreements',
  'contract/reports',
]
const doors = districts.flatMap((each) => roomsOf([each])).map(({ path }) => path)

const around = within('', [
  ['web', 'contract'],
  ['ops', ''],
  ['ops/cluster', ''],
  ['checks', 'server/base/db'],
  ['checks/mutations', 'checks ops/tests'],
  ['ops/container', 'checks'],
  [
    'e2e',
    `contract server/base/chains server/base/configuration server/base/keys server/base/sessions
    server/accounts/users/register.ts server/agreements/proposals/askForKeys.ts
    server/agreements/proposals/askForRates.ts server/agreements/proposals/askForWallets.ts
    server/testing web/firstLoad.ts ops/tests`,
  ],
  ['e2e/conformance', 'contract'],
  ['sandbox/page', ''],
  ['sandbox/signer/page', ''],
  ['sandbox/signer', 'contract server/testing sandbox/page'],
  ['sandbox', 'contract server/testing sandbox/page sandbox/signer'],
  ['bench/harness', 'contract server ops'],
  ['bench/shards', 'server/operator/demo'],
  ['bench/scenarios', 'contract server bench/harness bench/shards'],
  ['bench', 'contract server web/firstLoad.ts bench/harness bench/shards bench/scenarios'],
  ['faults', 'contract server'],
  ['faults/cluster', 'ops/cluster server bench/harness faults'],
])

/** The rooms whose lines name each room that they may import. */
export const written: readonly Room[] = [...web, ...around]

export const rooms: readonly Room[] = [
  ...CONTRACT.map((path) => ({ path, below: ['contract'], routes: [] })),
  ...server,
  { path: 'server/main.ts', below: ['contract', ...doors], routes: [] },
  { path: 'server/testing', below: ['contract', 'ops/tests', ...doors], routes: [] },
  ...written,
]

/** Rooms without folders: a folder inside them is a new room and needs a line above. */
export const FLAT = [
  ...CONTRACT.filter((path) => !path.endsWith('.ts')),
  'web',
  'web/app/api/http',
  'web/app/forms',
  'web/app/layout',
  'web/app/layout/shortcuts',
  'web/app/loading',
  'web/app/routes',
  'web/app/session',
  'web/app/tables',
  'web/app/theme',
  'web/app/ui',
  'web/app/ui/chart',
  'checks',
  'bench',
  'faults',
]

/** The only rooms that may import a package. Any noun's `routes.ts` may import Fastify. */
export const packageOwners: Readonly<Record<string, readonly string[]>> = {
  fastify: ['server/http', 'server/operator/app.ts', 'server/operator/telemetry', 'bench/harness'],
  kysely: ['server'],
  pg: ['server', 'bench'],
  'graphile-worker': ['server/operator/jobs'],
  nodemailer: ['server/accounts/mail'],
  '@simplewebauthn/server': ['server/accounts/factors'],
  'prom-client': ['server/operator/telemetry'],
  fflate: ['server/base/lists', 'server/reports/ownData', 'server/testing'],
  pdfkit: ['server/reports/statements'],
  'pdfjs-dist': ['server/testing'],
  '@scure/btc-signer': ['server/coins/batches', 'sandbox/signer'],
  '@opentelemetry/api': ['server/operator/telemetry'],
  react: ['web'],
}
