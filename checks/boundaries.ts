/**
 * Checks the layout of `rooms.ts`: imports go down without a circle, each file has a room, and
 * every door and permitted import is used. Run it by `npm run check -- boundaries`, or by Node 24.
 */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { allRoomsOf, type District, doorsOf, type Room } from './room.ts'
import { districts, FLAT, packageOwners, rooms, written } from './rooms.ts'
import { ROOT, readSources, type Source, trackedFiles } from './sources.ts'

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)
const isWithin = (path: string, room: string): boolean =>
  path === room || path.startsWith(`${room}/`)

const innermost = (path: string, among: readonly Room[]): Room | undefined =>
  among.filter((room) => isWithin(path, room.path)).sort((a, b) => b.path.length - a.path.length)[0]

const known = new Map<string, Room | undefined>()
/** The innermost room that holds a path. Those of the table are looked for once. */
const roomOf = (path: string, among = rooms): Room | undefined => {
  if (among !== rooms) return innermost(path, among)
  if (!known.has(path)) known.set(path, innermost(path, rooms))
  return known.get(path)
}

const isRoutes = (path: string): boolean => {
  const room = roomOf(path)
  return room !== undefined && room.routes.length > 0 && basename(path) === 'routes.ts'
}

/** A named room stands for its files, without the rooms inside it. */
const holds = (name: string, file: string): boolean =>
  isWithin(file, name) && (roomOf(name)?.path !== name || roomOf(file)?.path === name)

/** The room that holds a path, or the rooms inside a folder of several. */
const roomsNamed = (name: string, table: readonly Room[]): Room[] => {
  const room = roomOf(name, table)
  return room ? [room] : table.filter(({ path }) => isWithin(path, name))
}

/** One sentence for each name in the table that does not point down. */
export const findUpward = (table: readonly Room[], among = table): string[] =>
  among.flatMap(({ path, below, routes }) =>
    [...below, ...routes]
      .filter((name) => {
        const named = roomsNamed(name, table)
        const place = table.findIndex((room) => room.path === path)
        return named.length === 0 || named.some((room) => table.indexOf(room) >= place)
      })
      .map((name) => `${path} names ${name}, which is no room below it`),
  )

/** One sentence for each door that no other district uses, and each name that no import needs. */
export const findUnused = (sources: readonly Source[]): string[] => [
  ...districts.flatMap((district) => unusedDoors(sources, district)),
  ...unusedNames(sources),
]

const unusedDoors = (sources: readonly Source[], district: District): string[] => {
  const others = sources.filter(
    ({ path }) => isWithin(path, 'server') && !isWithin(path, district.path) && !isTest(path),
  )
  return doorsOf(district)
    .filter((door) => !others.some(({ files }) => files.some((file) => isWithin(file, door))))
    .map((door) => `${door} is a door that no other district uses. List it as inside.`)
}

const unusedNames = (sources: readonly Source[]): string[] =>
  written.flatMap(({ path: room, below, routes }) => {
    const own = sources.filter(({ path }) => !isTest(path) && roomOf(path)?.path === room)
    const isUsed = (name: string, by: readonly Source[]): boolean =>
      by.some(({ files }) => files.some((file) => holds(name, file)))
    const unused = [
      ...below.filter((name) => !isUsed(name, own)),
      ...routes.filter(
        (name) =>
          !isUsed(
            name,
            own.filter(({ path }) => isRoutes(path)),
          ),
      ),
    ]
    return unused.map((name) => `${room} may import ${name} and does not. Remove the name.`)
  })

/** One sentence for each violation of the layout. */
export const findViolations = (sources: readonly Source[]): string[] => [
  ...sources.flatMap((source) => [
    ...withoutRoom(source),
    ...forbiddenImports(source),
    ...wholeContext(source),
    ...forbiddenPackages(source),
    ...ledgerTables(source),
  ]),
  ...findCycles(sources),
  ...findRoomCycles(sources),
]

/** One sentence for each room that the README of its district leaves out. */
export const findUntold = (readmeOf: (district: string) => string): string[] =>
  districts.flatMap((district) =>
    allRoomsOf(district)
      .map((path) => path.slice(district.path.length + 1))
      .filter((room) => !readmeOf(district.path).includes(`\`${room}\``))
      .map((room) => `${district.path}/README.md does not name the room ${room}`),
  )

export const readmeOf = (district: string): string =>
  readFileSync(join(ROOT, district, 'README.md'), 'utf8')

const withoutRoom = ({ path }: Source): string[] => {
  const room = roomOf(path.replace(/\.test\.ts$/, '.ts'))
  const isInRoot = dirname(path) === '.'
  const hasPlace = room !== undefined && (!FLAT.includes(room.path) || dirname(path) === room.path)
  return isInRoot || hasPlace ? [] : [`${path} is in a folder without a place in the layout`]
}

const forbiddenImports = ({ path, files }: Source): string[] => {
  const room = roomOf(path)
  if (room === undefined || isTest(path)) return []
  const allowed = [...room.below, ...(isRoutes(path) ? room.routes : [])]
  const isAllowed = (file: string): boolean =>
    roomOf(file) === room || allowed.some((name) => holds(name, file))
  return files
    .filter((file) => !isAllowed(file) || isTest(file))
    .map((file) => `${path} may not import ${file}`)
}

/** All parts of the product are for what starts it, routes and the list of jobs. */
const TAKES_CONTEXT =
  /^server\/(main\.ts|testing\/.*|http\/.*|operator\/(app\.ts|jobs\/.*)|.*\/routes\.ts)$/

const CONTEXT = /import (?:type )?\{[^}]*\bContext\b[^}]*\} from '[^']*\/context\.ts'/

const wholeContext = ({ path, text }: Source): string[] =>
  isWithin(path, 'server') && !isTest(path) && !TAKES_CONTEXT.test(path) && CONTEXT.test(text)
    ? [`${path} may not import the whole Context. Name its parts, as in OnLedger & WithConfig.`]
    : []

/** The contract needs zod alone, and zxcvbn for the judge of passwords (docs/decisions/014). */
const mayContractImport = (path: string, name: string): boolean =>
  name === 'zod' || (path === 'contract/accounts/passwords.ts' && name.startsWith('@zxcvbn-ts/'))

const forbiddenPackages = ({ path, packages }: Source): string[] => {
  if (isTest(path) || isWithin(path, 'e2e') || isWithin(path, 'server/testing')) return []
  const wrong = packages.filter((name) => {
    const owners = packageOwners[name]
    return (
      owners !== undefined &&
      !owners.some((owner) => isWithin(path, owner)) &&
      !(name === 'fastify' && isRoutes(path))
    )
  })
  const outsideContract = isWithin(path, 'contract')
    ? packages.filter((name) => !mayContractImport(path, name))
    : []
  return [...wrong, ...outsideContract].map((name) => `${path} may not import the package ${name}`)
}

/** The migrations named after the ledger make its tables, and its own SQL makes its views. */
const MAKES_LEDGER = /^server\/(base\/migrations\/\d+-ledger|ledger\/sql\/\w+)\.sql$/
/** Causes of movements and keys of requests, which other rooms read. */
const READ_BY_OTHERS = ['claims', 'idempotency_keys', 'network_fees', 'write_offs']
const namesOfLedger = trackedFiles()
  .filter((path) => MAKES_LEDGER.test(path))
  .flatMap((path) => [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(
      /CREATE (?:OR REPLACE )?(?:TABLE|VIEW) (\w+)/g,
    ),
  ])
  .flatMap(([, name]) => name ?? [])
  .filter((name) => !READ_BY_OTHERS.includes(name))
const LEDGER_TABLE = `\\b(?:${[...new Set(namesOfLedger)].join('|')})\\b`

// Only the ledger's district names its tables. Other rooms call the ledger.
const LEDGER_TABLES = new RegExp(
  [
    String.raw`(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|[a-z]+Join)\(\s*\[?[^)\]]*?['"\`](?:public\.)?${LEDGER_TABLE}`,
    String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|TRUNCATE|ONLY|USING|COPY)\s+(?:"?public"?\.)?"?${LEDGER_TABLE}`,
  ].join('|'),
  'i',
)

/** Migrations make the ledger's tables. The recount of tallies locks them. */
const MAY_NAME_LEDGER_TABLES = [
  'server/ledger',
  'server/base/migrations',
  'server/testing',
  'server/base/lists/recount_tallies.sql',
]

const ledgerTables = ({ path, text }: Source): string[] => {
  if (
    isTest(path) ||
    !isWithin(path, 'server') ||
    MAY_NAME_LEDGER_TABLES.some((known) => isWithin(path, known))
  )
    return []
  const names = path.endsWith('.sql')
    ? new RegExp(LEDGER_TABLE, 'i').test(text.replaceAll(/--.*/g, ''))
    : LEDGER_TABLES.test(text)
  return names ? [`${path} names a table of the ledger`] : []
}

const findCycles = (sources: readonly Source[]): string[] =>
  cyclesOf(new Map(sources.map(({ path, files }) => [path, files]))).map(
    (way) => `imports form a cycle: ${way}`,
  )

/** Circles between the rooms of a district, which the order of districts does not exclude. */
const findRoomCycles = (sources: readonly Source[]): string[] => {
  const imports = new Map<string, string[]>()
  for (const { path, files } of sources) {
    const room = roomOf(path)?.path
    if (room === undefined || !isWithin(room, 'server') || isTest(path)) continue
    const named = files.flatMap((file) => roomOf(file)?.path ?? []).filter((each) => each !== room)
    imports.set(room, [...(imports.get(room) ?? []), ...named])
  }
  return cyclesOf(imports).map((way) => `rooms form a cycle: ${way}`)
}

const cyclesOf = (imports: ReadonlyMap<string, readonly string[]>): string[] => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (done.has(path) || way.includes(path)) return
    for (const file of imports.get(path) ?? []) visit(file, [...way, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return cycles
}

if (process.argv[1] === import.meta.filename) {
  const sources = readSources()
  const violations = [
    ...findUpward(rooms, written),
    ...findUnused(sources),
    ...findViolations(sources),
    ...findUntold(readmeOf),
  ]
  for (const violation of violations) process.stderr.write(`${violation}\n`)
  process.exit(violations.length === 0 ? 0 : 1)
}
