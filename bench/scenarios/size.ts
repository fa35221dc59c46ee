import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { preparePostgresFiles } from '../../server/base/postgres/files.ts'
import { checkLedger, findingOf } from '../../server/ledger/check/check.ts'
import { takeBaseBackup } from '../../server/operator/backup/baseBackup.ts'
import { checkAudit } from '../../server/records/audit/check.ts'
import { type Figure, rounded } from '../harness/arithmetic.ts'
import { fillHistory, growHistory } from '../harness/history.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'
import { autovacuumsOf, bytesOf, type Relation, relationsOf, timed } from '../harness/tables.ts'

/** Relations that grew by less than this share of all bytes are left out. */
const SMALL = 0.001
/** Above this many bytes no backup is made, since it takes as much of the disk again. */
const LARGE = 4e9

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1_000
}

type Upkeep = {
  readonly vacuum: { readonly seconds: number; readonly log: number }
  readonly freeze: { readonly seconds: number; readonly log: number }
  readonly check: number
  readonly audit: number
}

/** Times of the work that grows with the tables. The first vacuum cleans, the second freezes. */
const upkeepOf = async (stage: Stage): Promise<Upkeep> => {
  const pool = stage.pool()
  const vacuum = await timed(
    pool,
    'VACUUM (ANALYZE) transactions, movements, accounts, idempotency_keys',
  )
  const freeze = await timed(
    pool,
    'VACUUM (FREEZE) transactions, movements, accounts, idempotency_keys',
  )
  const check = await seconds(async () => {
    const finding = findingOf(await checkLedger(stage.database().db))
    if (finding) throw new Error(finding)
  })
  const { db } = stage.database()
  const audit = await seconds(async () => {
    const { firstBreak } = await checkAudit({ db, keys: openKeys(readConfig(stage.environment)) })
    if (firstBreak) throw new Error(firstBreak.sentence)
  })
  return { vacuum, freeze, check, audit }
}

/** Copies the cluster as `npm run backup` does. Bytes of the copy, which is deleted. */
const backUp = async (stage: Stage): Promise<{ seconds: number; bytes: number }> => {
  const config = readConfig(stage.environment)
  const target = join(config.dataDir, '..', 'backup')
  let bytes = 0
  const took = await seconds(async () => {
    const { files } = await takeBaseBackup(
      preparePostgresFiles(config.dataDir, () => undefined),
      target,
      { keys: openKeys(config) },
    )
    bytes = Object.values(files).reduce((sum, each) => sum + each.size, 0)
  })
  rmSync(target, { recursive: true })
  return { seconds: took, bytes }
}

/** Bytes of each relation per movement, beyond what it had without any. */
const grown = (
  relations: readonly Relation[],
  empty: readonly Relation[],
  movements: number,
): readonly Figure[] => {
  const before = new Map(empty.map(({ name, bytes }) => [name, bytes]))
  const least = SMALL * bytesOf(relations)
  return relations
    .map((each) => ({ ...each, more: each.bytes - (before.get(each.name) ?? 0) }))
    .filter(({ more }) => more >= least)
    .map(({ kind, table, name, more }) => ({
      name: `bytes of ${kind === 'index' ? `${table}, its index ${name},` : table} per movement`,
      value: more / movements,
      detail: true,
    }))
}

const measure = async ({ people, rows }: Sizes): Promise<readonly Figure[]> => {
  const stage = await openStage({
    people,
    environment: { DAY_SECONDS: '1', SECOND_APPROVAL_ABOVE: '10000000' },
  })
  try {
    const pool = stage.pool()
    const keys = openKeys(readConfig(stage.environment))
    const count = async (table: string) =>
      Number((await pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count)
    const first = await count('movements')
    const empty = await relationsOf(pool)
    const figures: Figure[] = []
    for (const wanted of rows) {
      const before = await autovacuumsOf(pool)
      // Growing to the last size as the others would take an hour.
      const add = wanted === rows.at(-1) ? fillHistory : growHistory
      const filling = await seconds(() => add({ pool, keys, people, movements: first + wanted }))
      const after = await autovacuumsOf(pool)
      const relations = await relationsOf(pool)
      const movements = (await count('movements')) - first
      const each = (kind: Relation['kind']) => {
        const of = (all: readonly Relation[]) => bytesOf(all.filter((one) => one.kind === kind))
        return (of(relations) - of(empty)) / movements
      }
      say(`${movements} movements in ${Math.round(filling)} s`)
      const backup = bytesOf(relations) < LARGE ? await backUp(stage) : undefined
      const { vacuum, freeze, check, audit } = await upkeepOf(stage)
      const more = [
        { name: 'bytes of tables per movement', value: each('table') },
        { name: 'bytes of indexes per movement', value: each('index') },
        { name: 'size of tables and indexes, GB', value: bytesOf(relations) / 1e9 },
        { name: 'autovacuums while they were filled', value: after.runs - before.runs },
        { name: 'their time, s', value: after.seconds - before.seconds },
        { name: 'VACUUM, s', value: vacuum.seconds },
        { name: 'log of VACUUM per movement, bytes', value: vacuum.log / movements },
        { name: 'VACUUM FREEZE, s', value: freeze.seconds },
        { name: 'log of VACUUM FREEZE per movement, bytes', value: freeze.log / movements },
        { name: 'ledger:check, s', value: check },
        { name: 'audit:check, s', value: audit },
        ...(backup
          ? [
              { name: 'backup, s', value: backup.seconds },
              { name: 'backup, GB', value: backup.bytes / 1e9 },
            ]
          : []),
        ...grown(relations, empty, movements),
      ].map((figure) => ({ ...figure, name: `${figure.name}, at ${wanted}` }))
      for (const { name, value } of more) say(`${name}: ${rounded(value)}`)
      figures.push(...more)
    }
    return figures
  } finally {
    await stage.close()
  }
}

export const size: Scenario = {
  name: 'size',
  title: 'Bytes and upkeep as the movements grow',
  run: measure,
}
