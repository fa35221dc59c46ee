/**
 * Functions, views and triggers of the rooms, and the product's grants. All are applied again when
 * any text changes (docs/decisions/010).
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { escapeIdentifier, type PoolClient } from 'pg'
import { withLocks } from '../locks.ts'
import { GUARD, grantsOf, guardsOf, RULES, type Rules, withColumns } from './tableRules.ts'

const SERVER = fileURLToPath(new URL('../..', import.meta.url))
/** Views need functions, and triggers need both. */
const LAST = ['views.sql', 'triggers.sql']

/** The file whose definitions are made, not read. */
const GUARDS = 'base/db/tableRules.ts'
const NO_RULES: Rules = { tables: {}, views: {}, functions: [] }

type File = { readonly path: string; readonly sql: string }

export type Routines = {
  readonly files: readonly File[]
  /** Statements that grant the product's role its rights. */
  readonly grants: string
  readonly digest: string
  /** By the name that DROP takes: the part of a definition that only DROP can change. */
  readonly objects: ReadonlyMap<string, string>
}

/**
 * Reads the files in the order of application, and adds the guards of tables. Throws for an
 * unreadable definition.
 */
export const readRoutines = (
  directory = SERVER,
  rules = directory === SERVER ? RULES : NO_RULES,
): Routines => {
  const files = globSync('*/*/**/*.sql', {
    cwd: directory,
    exclude: (path) => /^(base\/migrations|testing|node_modules)\b/.test(path),
  })
    .sort((a, b) => LAST.indexOf(basename(a)) - LAST.indexOf(basename(b)) || (a < b ? -1 : 1))
    .map((path) => ({ path, sql: withLocks(readFileSync(join(directory, path), 'utf8')) }))
  const guards = guardsOf(rules)
  if (guards !== '') files.push({ path: GUARDS, sql: guards })
  const grants = grantsOf(rules)
  const digest = createHash('sha256')
    .update(JSON.stringify([files, grants]))
    .digest('hex')
  return { files, grants, digest, objects: new Map(files.flatMap(objectsOf)) }
}

/** Fixed part of each definition: a function's head, or a whole view or trigger. */
const objectsOf = ({ path, sql }: File): [name: string, fixed: string][] => {
  const heads = sql.matchAll(
    /^CREATE OR REPLACE (FUNCTION .+?(?=\s+LANGUAGE\b)|VIEW .+?;|TRIGGER .+?;)/gms,
  )
  const objects = [...heads].map(([, head = '']): [string, string] => {
    const fixed = head.replaceAll(/\s+/g, ' ')
    const [name = ''] =
      /^(FUNCTION \w+\((?!.*\bDEFAULT\b)[^()]*\)|VIEW \w+|TRIGGER \w+)/.exec(fixed) ?? []
    return [name.startsWith('TRIGGER') ? `${name} ${/ON \w+/.exec(fixed)}` : name, fixed]
  })
  if (objects.length !== sql.match(/^CREATE\b/gm)?.length || objects.some(([name]) => name === ''))
    throw new Error(`${path} holds an unreadable definition. Begin it with CREATE OR REPLACE.`)
  return objects
}

const isA =
  (kind: string) =>
  ([name]: readonly [name: string, ...unknown[]]): boolean =>
    name.startsWith(kind)

type Applied = Pick<Routines, 'digest' | 'objects'>

/** Last applied routines. Undefined in a new database. */
export const appliedRoutines = async (client: PoolClient): Promise<Applied | undefined> => {
  const { rows } = await client.query<{ digest: string; objects: Record<string, string> }>(
    'SELECT digest, objects FROM routines',
  )
  return rows[0] && { digest: rows[0].digest, objects: new Map(Object.entries(rows[0].objects)) }
}

/**
 * Drops removed and redefined objects. Returns the names of unchanged triggers and views. Before a
 * migration all guards go, since a column that a trigger names cannot be dropped.
 */
export const dropGone = async (
  client: PoolClient,
  { objects }: Routines,
  { applied, migrates }: { readonly applied: Applied | undefined; readonly migrates: boolean },
): Promise<ReadonlySet<string>> => {
  const before = [...(applied?.objects ?? [])]
  const isGuard = isA(`TRIGGER ${GUARD} `)
  const changed = before.filter(
    (each) => objects.get(each[0]) !== each[1] || (migrates && isGuard(each)),
  )
  // A view may call a dropped function, so all views go with it.
  const gone = changed.some(isA('FUNCTION')) ? [...changed, ...before.filter(isA('VIEW'))] : changed
  for (const kind of ['TRIGGER', 'VIEW', 'FUNCTION'])
    for (const [name] of gone.filter(isA(kind)))
      await client.query(`DROP ${name.replace(' ', ' IF EXISTS ')}`)
  return new Set(
    before.filter((each) => !gone.includes(each) && !isA('FUNCTION')(each)).map(([name]) => name),
  )
}

/**
 * Creates or replaces all objects outside `standing` and records them. Functions keep their oid, so
 * that other processes can go on calling them.
 */
export const createRoutines = async (
  client: PoolClient,
  { files, digest, objects }: Routines,
  standing: ReadonlySet<string>,
): Promise<void> => {
  // A function may call one of a later file. A test checks the bodies.
  await client.query('SET LOCAL check_function_bodies = off')
  for (const file of files) {
    if (objectsOf(file).every(([name]) => standing.has(name))) continue
    try {
      await client.query(file.path === GUARDS ? await withColumns(client, file.sql) : file.sql)
    } catch (cause) {
      throw new Error(
        `server/${file.path} failed and changed nothing: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          cause,
        },
      )
    }
  }
  await client.query('DELETE FROM routines')
  await client.query('INSERT INTO routines (digest, objects) VALUES ($1, $2)', [
    digest,
    JSON.stringify(Object.fromEntries(objects)),
  ])
}

/** True when a role has its grants. They are given all or none. */
export const hasGrants = async (client: PoolClient, role: string): Promise<boolean> =>
  (await client.query("SELECT has_table_privilege($1, 'routines', 'SELECT') AS granted", [role]))
    .rows[0].granted

/** Every table and view that a role may hold rights to. */
const OURS = `
  SELECT format('TABLE %s', oid::regclass) AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND pg_has_role(relowner, 'USAGE')`

/**
 * Gives the product's role exactly its rights. Revokes every function from PUBLIC. No role may call
 * trigger functions. Without a role, only the revoking is done.
 */
export const applyGrants = async (
  client: PoolClient,
  { grants, objects }: Routines,
  role: string | undefined,
): Promise<void> => {
  const app = role === undefined ? undefined : escapeIdentifier(role)
  const functions = [...objects].filter(isA('FUNCTION'))
  const mine = app === undefined ? [] : (await client.query<{ name: string }>(OURS)).rows
  const statements = [
    ...mine.map(({ name }) => `REVOKE ALL ON ${name} FROM ${app}`),
    ...functions.map(
      ([name]) => `REVOKE ALL ON ${name} FROM PUBLIC${app === undefined ? '' : `, ${app}`}`,
    ),
  ]
  if (app !== undefined) {
    const callable = functions.filter(([, head]) => !/ RETURNS trigger$/i.test(head))
    statements.push(
      ...callable.map(([name]) => `GRANT EXECUTE ON ${name} TO ${app}`),
      grants.replaceAll(':app', app),
    )
  }
  await client.query(statements.join(';\n'))
}
