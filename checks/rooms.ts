/**
 * The layout, lowest room first: a path reads deployable / room / file. A room is a folder or a
 * file. It may import itself and the rooms it names, all above its own line.
 */
import { type Room, within } from './room.ts'
import { web } from './webRooms.ts'

const server = within('server/', [
  ['migrations', ''],
  ['chains', 'contract'],
  ['databaseUrls.ts', ''],
  ['priceUrls.ts', 'contract'],
  ['environment.ts', 'contract databaseUrls.ts priceUrls.ts'],
  ['chainsFile.ts', 'contract chains environment.ts'],
  ['config.ts', 'contract chains environment.ts priceUrls.ts chainsFile.ts'],
  ['paidNetworks.ts', 'contract chains chainsFile.ts config.ts'],
  ['keys', 'config.ts'],
  ['process', 'contract databaseUrls.ts config.ts keys'],
  ['postgres', 'process'],
  ['db', 'contract databaseUrls.ts config.ts process postgres'],
  ['tallies', ''],
  ['lists', 'contract db tallies'],
  ['sessions', 'contract keys process db'],
  ['ledger', 'contract keys process db tallies sessions'],
  ['context.ts', 'config.ts keys process db sessions ledger'],
  ['http', 'contract config.ts paidNetworks.ts db lists sessions ledger context.ts'],
  ['audit', 'contract chains keys process db lists sessions ledger context.ts', 'http'],
  ['mode', 'config.ts keys db audit'],
  ['links', 'contract keys process db'],
  [
    'mail',
    'contract environment.ts config.ts keys process db sessions context.ts audit links',
    'http',
  ],
  ['throttle', 'process db sessions'],
  ['recovery', 'contract keys db sessions audit links mail throttle'],
  ['freezes', 'contract db sessions audit links mail recovery', 'context.ts http'],
  [
    'passwords',
    'contract db sessions context.ts audit links mail throttle recovery freezes',
    'http',
  ],
  [
    'emails',
    'contract keys db sessions audit links mail throttle recovery passwords',
    'context.ts http',
  ],
  [
    'factors',
    'contract keys process db sessions context.ts audit mail throttle recovery passwords',
    'http',
  ],
  [
    'signIn',
    'contract process db sessions audit links mail throttle recovery freezes passwords factors',
    'context.ts http',
  ],
  ['limits', 'contract config.ts db ledger audit', 'context.ts http'],
  ['reserve', 'contract db ledger context.ts audit'],
  ['pauses', 'contract db sessions audit', 'context.ts http'],
  ['payoutAddresses', 'contract chains config.ts db sessions context.ts audit', 'http'],
  [
    'users',
    'contract environment.ts keys db lists sessions ledger audit links mail throttle recovery passwords emails',
    'context.ts http',
  ],
  ['people', 'contract db sessions ledger context.ts audit factors users', 'http'],
  ['rates', 'contract priceUrls.ts keys process db sessions context.ts audit', 'http'],
  [
    'wallets',
    'contract chains keys process db tallies lists sessions context.ts audit links mail',
    'http rates',
  ],
  ['plans', 'contract db ledger', 'context.ts http'],
  ['claims', 'contract process db ledger context.ts audit', 'http'],
  ['returns', 'contract process db sessions ledger context.ts audit'],
  ['borrowers', 'contract db lists sessions audit', 'context.ts http'],
  ['loans', 'contract chains process db lists sessions ledger context.ts audit borrowers', 'http'],
  ['signing', 'contract keys db context.ts audit', 'http'],
  ['pool', 'contract keys process db ledger context.ts loans signing', 'http'],
  ['liabilities', 'contract keys process db sessions ledger context.ts audit signing', 'http'],
  ['windDown', 'contract process db sessions ledger context.ts audit pauses loans', 'http'],
  [
    'custody',
    'contract chains config.ts process db sessions context.ts audit pauses rates',
    'http',
  ],
  [
    'nodes',
    'contract chains chainsFile.ts config.ts process db sessions context.ts audit rates',
    'http',
  ],
  [
    'proposals',
    `contract chains process db sessions context.ts audit mail recovery factors users wallets
    rates plans claims returns custody loans windDown nodes`,
    'http',
  ],
  [
    'batches',
    'contract chains chainsFile.ts config.ts process db sessions context.ts audit rates nodes',
    'http',
  ],
  ['unseen', 'contract chainsFile.ts config.ts process db sessions context.ts audit nodes', 'http'],
  [
    'payouts',
    'contract chains config.ts process db sessions ledger context.ts audit custody nodes returns loans',
    'http',
  ],
  [
    'reconciliation',
    `contract chains chainsFile.ts process db ledger context.ts audit pauses rates custody nodes`,
    'http',
  ],
  [
    'transactions',
    `contract chains config.ts paidNetworks.ts process db lists sessions ledger context.ts audit links
    limits payoutAddresses wallets rates nodes claims returns payouts windDown`,
    'http',
  ],
  ['investments', 'contract environment.ts process db lists ledger context.ts', 'http'],
  ['figures', 'contract db tallies ledger', 'context.ts http'],
  [
    'statements',
    'contract process db lists ledger context.ts audit throttle custody signing',
    'http',
  ],
  ['notices', 'contract process db sessions mail transactions', 'context.ts http'],
  ['changes', 'contract db process', 'context.ts http'],
  [
    'ownData',
    'contract db lists sessions ledger context.ts audit mail throttle recovery passwords notices',
    'http',
  ],
  [
    'jobs',
    `contract config.ts process db sessions ledger context.ts links mail throttle
    signIn factors wallets rates nodes batches claims custody reconciliation unseen returns loans pool
    liabilities windDown
    proposals payouts transactions investments notices`,
    'http',
  ],
  [
    'telemetry',
    'contract db tallies ledger nodes unseen reconciliation payouts context.ts changes jobs',
  ],
  ['backup', 'databaseUrls.ts keys process postgres ledger'],
  [
    'demo',
    `contract chains db ledger context.ts audit mode passwords limits reserve pauses
    payoutAddresses users wallets transactions investments sessions borrowers loans proposals`,
  ],
  [
    'rehearsal',
    `contract chains db sessions ledger audit users reserve claims loans windDown proposals transactions
    investments statements notices demo`,
  ],
  [
    'operator',
    `contract config.ts keys process postgres db lists sessions ledger audit mode reserve
    pauses users factors links mail recovery backup demo rehearsal jobs nodes custody reconciliation
    loans liabilities context.ts pool`,
  ],
  [
    'app.ts',
    `contract process context.ts http
    audit mail freezes passwords emails factors signIn limits pauses payoutAddresses users claims
    borrowers loans windDown signing pool liabilities proposals people wallets rates plans nodes custody batches reconciliation unseen
    payouts transactions investments figures statements notices ownData changes jobs`,
  ],
  [
    'main.ts',
    `environment.ts config.ts keys process postgres db sessions ledger context.ts audit
    mode limits reserve users nodes changes telemetry jobs app.ts`,
  ],
  [
    'testing',
    `contract chains config.ts keys process postgres db sessions ledger audit mail
    limits reserve factors users wallets rates returns batches borrowers loans proposals transactions
    investments nodes statements
    chainsFile.ts context.ts http changes jobs
    app.ts`,
  ],
])

const around = within('', [
  ['web', 'contract'],
  ['ops', ''],
  ['ops/cluster', ''],
  ['checks', 'server/base/db'],
  ['checks/mutations', 'checks'],
  ['ops/container', 'checks'],
  [
    'e2e',
    `contract server/base/configuration/config.ts server/base/keys server/accounts/users/register.ts server/base/sessions server/base/chains
    server/agreements/proposals/askForKeys.ts server/agreements/proposals/askForRates.ts
    server/agreements/proposals/askForWallets.ts server/testing web/firstLoad.ts`,
  ],
  ['e2e/conformance', 'contract'],
  ['sandbox/page', ''],
  ['sandbox/signer/page', ''],
  ['sandbox/signer', 'contract server/testing sandbox/page'],
  ['sandbox', 'contract server/testing sandbox/page sandbox/signer'],
  [
    'bench/harness',
    `contract server/base/configuration/config.ts server/base/keys server/base/postgres server/base/db server/base/sessions
    server/ledger server/records/audit server/accounts/passwords server/money/reserve server/base/configuration/chainsFile.ts server/chain/nodes
    server/testing ops`,
  ],
  ['bench/shards', 'server/operator/demo'],
  [
    'bench/scenarios',
    `contract server/base/configuration/config.ts server/base/keys server/base/postgres server/ledger server/lending/loans server/lending/pool server/reports/liabilities server/records/audit
    server/operator/backup server/requests/transactions server/money/investments server/accounts/users server/base/chains
    server/coins/batches server/chain/rates server/chain/wallets server/base/configuration/chainsFile.ts server/chain/nodes server/coins/custody
    server/coins/reconciliation
    server/testing bench/harness bench/shards`,
  ],
  [
    'bench',
    `contract server/base/configuration/config.ts server/base/keys server/base/process server/base/db server/base/sessions
    server/ledger server/accounts/users server/chain/wallets server/requests/transactions server/money/investments
    server/testing web/firstLoad.ts bench/harness bench/shards bench/scenarios`,
  ],
  [
    'faults',
    `contract server/base/configuration/config.ts server/base/keys server/base/process server/base/postgres server/base/db
    server/ledger server/accounts/users server/chain/wallets server/chain/rates server/chain/nodes server/money/claims
    server/coins/custody server/coins/batches server/requests/transactions server/coins/payouts server/money/investments
    server/operator/demo server/testing`,
  ],
  [
    'faults/cluster',
    `ops/cluster server/base/configuration/config.ts server/base/keys server/base/process server/base/db server/testing bench/harness
    faults`,
  ],
])

export const rooms: readonly Room[] = [
  ...within('', [['contract', '']]),
  ...server,
  ...web,
  ...around,
]

/** Rooms without folders: a folder inside them is a new room and needs a line above. */
export const FLAT = [
  'contract',
  'web',
  'web/app/api',
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
  fastify: [
    'server/http/serving',
    'server/operator/app.ts',
    'server/operator/telemetry',
    'bench/harness',
  ],
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
