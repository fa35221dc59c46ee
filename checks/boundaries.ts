/**
 * The layout as a rule: a path reads deployable / room / file, and imports go one way. A folder
 * that is not in the table fails, so that nobody adds a room without saying what it may know.
 */
import { dirname } from 'node:path/posix'
import { readSources, type Source } from './sources.ts'

const NOUNS = [
  'server/users',
  'server/wallets',
  'server/transactions',
  'server/investments',
  'server/figures',
  'server/audit',
  'server/events',
  'server/payouts',
  'server/switches',
  'server/limits',
]
const SETTINGS = [
  'server/addresses.ts',
  'server/config.ts',
  'server/context.ts',
  'server/ids.ts',
  'server/lifecycle.ts',
  'server/log.ts',
  'server/ipRange.ts',
  'server/timeouts.ts',
]

/** The imports of a page to sign in or register. */
const ACCOUNT_PAGE = [
  'contract',
  'web/app/api',
  'web/app/forms',
  'web/app/i18n',
  'web/app/layout',
  'web/app/loading',
  'web/app/configuration.ts',
]
/** The imports of a page behind the sign-in. */
const SIGNED_IN_PAGE = [
  ...ACCOUNT_PAGE,
  'web/app/panels',
  'web/app/session',
  'web/app/tables',
  'web/app/ui',
]

/**
 * What each room may import, besides itself. A room may be a folder or a single file; `routes.ts`
 * of a noun is where HTTP meets it.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  contract: [],

  'server/migrations': [],
  'server/db': ['contract', 'server/config.ts', 'server/log.ts'],
  'server/keys': ['server/config.ts'],
  'server/ledger': ['contract', 'server/db', 'server/ids.ts'],
  'server/sessions': ['contract', 'server/db'],
  'server/audit': ['contract', 'server/db', 'server/keys', 'server/sessions', ...SETTINGS],
  'server/reserve': ['contract', 'server/audit', 'server/ledger', ...SETTINGS],
  'server/limits': ['contract', 'server/audit', 'server/db', ...SETTINGS],
  'server/users': [
    'contract',
    'server/audit',
    'server/db',
    'server/sessions',
    'server/ledger',
    ...SETTINGS,
  ],
  'server/wallets': [
    'contract',
    'server/audit',
    'server/db',
    'server/sessions',
    'server/ledger',
    ...SETTINGS,
  ],
  'server/transactions': [
    'contract',
    'server/audit',
    'server/db',
    'server/ledger',
    'server/limits',
    'server/payouts',
    'server/sessions',
    ...SETTINGS,
  ],
  'server/investments': ['contract', 'server/db', 'server/ledger', ...SETTINGS],
  'server/figures': ['contract', 'server/db', 'server/ledger', ...SETTINGS],
  'server/events': ['contract', 'server/db', 'server/users', ...SETTINGS],
  'server/http': [
    'contract',
    'server/audit',
    'server/db',
    'server/sessions',
    'server/ledger',
    'server/users',
    ...SETTINGS,
  ],
  'server/jobs': [
    'contract',
    'server/db',
    'server/ledger',
    'server/sessions',
    ...NOUNS,
    ...SETTINGS,
  ],
  'server/telemetry': ['contract', 'server/db', 'server/ledger', ...SETTINGS],
  'server/switches': ['contract', 'server/audit', 'server/db', 'server/sessions', ...SETTINGS],
  'server/backup': ['server/db', 'server/keys'],
  'server/operator': [
    'contract',
    'server/backup',
    'server/db',
    'server/keys',
    'server/ledger',
    'server/reserve',
    'server/sessions',
    ...NOUNS,
    ...SETTINGS,
  ],
  'server/payouts': ['contract', 'server/audit', 'server/db', 'server/sessions', ...SETTINGS],
  'server/addresses.ts': ['contract'],
  'server/config.ts': ['contract', 'server/addresses.ts'],
  'server/ids.ts': [],
  'server/lifecycle.ts': [],
  'server/log.ts': [],
  'server/ipRange.ts': [],
  'server/timeouts.ts': [],
  'server/privileges.ts': ['server/config.ts', 'server/db', 'server/keys', 'server/log.ts'],
  'server/stopping.ts': ['server/lifecycle.ts', 'server/log.ts'],
  'server/context.ts': [
    'server/config.ts',
    'server/db',
    'server/events',
    'server/keys',
    'server/ledger',
    'server/lifecycle.ts',
    'server/sessions',
    'server/timeouts.ts',
  ],
  'server/app.ts': ['contract', 'server/http', ...NOUNS, ...SETTINGS],
  'server/main.ts': [
    'contract',
    'server/app.ts',
    'server/db',
    'server/jobs',
    'server/keys',
    'server/ledger',
    'server/privileges.ts',
    'server/reserve',
    'server/sessions',
    'server/stopping.ts',
    'server/telemetry',
    'server/workers.ts',
    ...NOUNS,
    ...SETTINGS,
  ],
  'server/workers.ts': ['server/log.ts'],
  'server/testing': ['contract', 'server'],

  'web/app/i18n': ['contract'],
  'web/app/theme': ['contract', 'web/app/i18n'],
  'web/app/loading': [],
  'web/app/api/http': ['contract', 'web/app/i18n', 'web/app/configuration.ts'],
  'web/app/api': ['contract', 'web/app/api/http'],
  'web/app/ui': ['contract', 'web/app/i18n', 'web/app/configuration.ts'],
  'web/app/ui/chart': ['contract', 'web/app/i18n', 'web/app/ui'],
  'web/app/session': [
    'contract',
    'web/app/api',
    'web/app/i18n',
    'web/app/loading/onceIdle.ts',
    'web/app/ui/hiddenAmounts.ts',
  ],
  'web/app/forms': ['contract', 'web/app/i18n', 'web/app/configuration.ts'],
  'web/app/tables': [
    'contract',
    'web/app/api/http',
    'web/app/i18n',
    'web/app/loading',
    'web/app/ui',
  ],
  'web/app/layout': [
    'contract',
    'web/app/i18n',
    'web/app/layout/shortcuts',
    'web/app/ui',
    'web/app/configuration.ts',
  ],
  'web/app/layout/shortcuts': ['contract', 'web/app/forms', 'web/app/i18n', 'web/app/loading'],
  'web/app/panels/idle': ['contract', 'web/app/i18n', 'web/app/session'],
  'web/app/panels/password': [
    'contract',
    'web/app/api',
    'web/app/forms',
    'web/app/i18n',
    'web/app/loading',
    'web/app/session',
  ],
  'web/app/panels/pauses': [
    'contract',
    'web/app/api',
    'web/app/forms',
    'web/app/i18n',
    'web/app/ui',
  ],
  'web/app/panels/story': [
    'contract',
    'web/app/api',
    'web/app/i18n',
    'web/app/loading',
    'web/app/session',
    'web/app/ui',
    'web/app/configuration.ts',
  ],
  // A page knows no other page; the two exceptions name a file.
  'web/app/pages/landing': [
    'contract',
    'web/app/i18n',
    'web/app/layout',
    'web/app/ui',
    'web/app/configuration.ts',
  ],
  'web/app/pages/login': [...ACCOUNT_PAGE, 'web/app/session'],
  'web/app/pages/register': [...ACCOUNT_PAGE, 'web/app/pages/login/arrival.ts'],
  'web/app/pages/dashboard': [...SIGNED_IN_PAGE, 'web/app/pages/admin/AdminDashboard.tsx'],
  'web/app/pages/admin': SIGNED_IN_PAGE,
  'web/app/pages/audit': SIGNED_IN_PAGE,
  'web/app/routes': ['web/app/panels/story/Stories.tsx', 'web/app/session'],
  'web/app/configuration.ts': ['contract'],
  'web/app/StillPage.ts': [],
  'web/app/entry.server.tsx': ['web/app/StillPage.ts'],
  'web/app/root.tsx': [
    'contract',
    'web/app/+types',
    'web/app/StillPage.ts',
    'web/app/i18n',
    'web/app/layout',
    'web/app/theme',
  ],
  'web/app/Shell.tsx': [
    'web/app/api/http',
    'web/app/loading',
    'web/app/panels/idle',
    'web/app/session',
    'web/app/theme',
    'web/app/ui',
  ],
  'web/app/routes.ts': [],
  web: ['contract'],

  checks: ['server/db', 'server/migrations', 'server/testing', 'server/log.ts', 'server/config.ts'],
  e2e: ['contract', 'server'],
  bench: ['contract', 'server', 'bench/harness', 'bench/scenarios'],
  'bench/harness': ['contract', 'server', 'ops'],
  'bench/scenarios': ['contract', 'server', 'bench/harness'],
  faults: ['contract', 'server'],
  ops: [],
}

/**
 * Rooms that are one flat folder: a folder inside them is a new room, and needs its own line above.
 */
const FLAT = [
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

/** Packages that only these rooms may know. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  fastify: ['server/http', 'server/app.ts', 'server/telemetry', 'bench/harness'],
  kysely: ['server'],
  pg: ['server', 'bench'],
  'graphile-worker': ['server/jobs'],
  'prom-client': ['server/telemetry'],
  '@opentelemetry/api': ['server/telemetry'],
  react: ['web'],
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith('e2e/')
const isWithin = (path: string, room: string): boolean =>
  path === room || path.startsWith(`${room}/`)
const isRoutes = (path: string): boolean => NOUNS.some((noun) => path === `${noun}/routes.ts`)

/** The most particular room that holds a file; undefined when there is none. */
const roomOf = (path: string): string | undefined =>
  Object.keys(rooms)
    .filter((room) => isWithin(path, room))
    .sort((a, b) => b.length - a.length)[0]

/** Every sentence that says what is wrong; none when the layout holds. */
export const findViolations = (sources: readonly Source[]): string[] => [
  ...sources.flatMap((source) => [
    ...strangers(source),
    ...forbiddenImports(source),
    ...forbiddenPackages(source),
    ...ledgerTables(source),
  ]),
  ...findCycles(sources),
]

const strangers = ({ path }: Source): string[] => {
  const isRootFile = /^(server\/)?[^/]+$/.test(path)
  const room = roomOf(path)
  const hasPlace = room !== undefined && (!FLAT.includes(room) || dirname(path) === room)
  return isRootFile || hasPlace ? [] : [`${path} is in a folder without a place in the layout`]
}

const forbiddenImports = ({ path, files }: Source): string[] => {
  const room = roomOf(path)
  if (room === undefined || isTest(path)) return []
  const allowed = [...(rooms[room] ?? []), ...(isRoutes(path) ? ['server/http'] : [])]
  // A room inside a room is another one, which its own line must name.
  const isAllowed = (file: string): boolean =>
    roomOf(file) === room || allowed.some((each) => isWithin(file, each))
  return files
    .filter((file) => !isAllowed(file) || /\.test\.tsx?$/.test(file))
    .map((file) => `${path} may not import ${file}`)
}

/**
 * The judge of passwords is the one thing that both sides carry out and that needs more than the
 * schemas.
 */
const mayContractImport = (path: string, name: string): boolean =>
  name === 'zod' || (path === 'contract/passwords.ts' && name.startsWith('@zxcvbn-ts/'))

const forbiddenPackages = ({ path, packages }: Source): string[] => {
  if (isTest(path) || isWithin(path, 'server/testing')) return []
  const wrong = packages.filter((name) => {
    const owners = packageOwners[name]
    return (
      owners !== undefined &&
      !owners.some((owner) => isWithin(path, owner)) &&
      !(name === 'fastify' && isRoutes(path))
    )
  })
  const strangersToContract = isWithin(path, 'contract')
    ? packages.filter((name) => !mayContractImport(path, name))
    : []
  return [...wrong, ...strangersToContract].map(
    (name) => `${path} may not import the package ${name}`,
  )
}

// Only the ledger's own room names its tables: whoever else wants to know or move money asks it.
const LEDGER_TABLES = new RegExp(
  [
    String.raw`(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|[a-z]+Join)\(\s*\[?[^)\]]*?['"\`](?:public\.)?(?:accounts|transfers)\b`,
    String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|TRUNCATE|ONLY|USING|COPY)\s+(?:"?public"?\.)?"?(?:accounts|transfers)\b`,
  ].join('|'),
  'i',
)

/**
 * Who else names them: the numbered files, which make them, and the recount of the tallies, which
 * locks all that is tallied.
 */
const LEDGER_TABLES_KNOWN = ['server/ledger', 'server/migrations', 'server/db/recount_tallies.sql']

const ledgerTables = ({ path, text }: Source): string[] => {
  if (
    isTest(path) ||
    !isWithin(path, 'server') ||
    LEDGER_TABLES_KNOWN.some((known) => isWithin(path, known))
  )
    return []
  const names = path.endsWith('.sql')
    ? /\b(?:accounts|transfers)\b/i.test(text.replaceAll(/--.*/g, ''))
    : LEDGER_TABLES.test(text)
  return names ? [`${path} names a table of the ledger`] : []
}

const findCycles = (sources: readonly Source[]): string[] => {
  const imports = new Map(sources.map(({ path, files }) => [path, files]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path))
      cycles.push(
        `imports go round in a circle: ${[...way.slice(way.indexOf(path)), path].join(' → ')}`,
      )
    if (done.has(path) || way.includes(path)) return
    for (const file of imports.get(path) ?? []) visit(file, [...way, path])
    done.add(path)
  }
  for (const { path } of sources) visit(path, [])
  return cycles
}

if (process.argv[1] === import.meta.filename) {
  const violations = findViolations(readSources())
  for (const violation of violations) process.stderr.write(`${violation}\n`)
  process.exit(violations.length === 0 ? 0 : 1)
}
