/**
 * Which files of tests a change needs, by what they ran when they were last recorded. A file of
 * tests that changed comes first, then those near the change, then those that run the least else.
 */

/** The functions that one file of tests ran, by the path of their source. */
export type TestRecord = {
  readonly file: string
  readonly seconds: number | null
  readonly functions: Readonly<Record<string, readonly string[]>>
  readonly sql: readonly string[]
}

/** The functions that changed in one source. `isWhole` stands for all of them. */
export type Change = {
  readonly path: string
  readonly names: ReadonlySet<string>
  readonly isWhole: boolean
  readonly sqlNames?: readonly string[]
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
const sizeOf = ({ functions }: TestRecord): number =>
  Object.values(functions).reduce((sum, names) => sum + names.length, 0)

/** True where a file of tests ran something that changed. */
const ran = (
  { functions, sql }: TestRecord,
  { path, names, isWhole, sqlNames }: Change,
): boolean => {
  if (sqlNames?.some((name) => sql.includes(name))) return true
  const own = functions[path]
  return own !== undefined && (isWhole || own.some((name) => names.has(name)))
}

/** The files to run, and those that the bound in seconds leaves out. */
export const pick = (
  records: readonly TestRecord[],
  changes: readonly Change[],
  { changedTests, seconds }: { readonly changedTests: readonly string[]; readonly seconds: number },
): { readonly files: readonly string[]; readonly leftOut: readonly string[] } => {
  const folders = new Set(changes.map(({ path }) => folderOf(path)))
  const rankOf = ({ file }: TestRecord) => (folders.has(folderOf(file)) ? 0 : 1)
  const needed = records
    .filter((record) => !changedTests.includes(record.file))
    .filter((record) => changes.some((change) => ran(record, change)))
    .sort((a, b) => rankOf(a) - rankOf(b) || sizeOf(a) - sizeOf(b))
  let sum = 0
  const files = [...changedTests]
  const leftOut: string[] = []
  for (const record of needed) {
    sum += record.seconds ?? 0
    if (sum <= seconds) files.push(record.file)
    else leftOut.push(record.file)
  }
  return { files, leftOut }
}
