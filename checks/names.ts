/** Checks that a type carries its noun: a jump to a bare name such as Row lands anywhere. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { checkedFiles, ROOT } from './sources.ts'

type File = { readonly path: string; readonly text: string }

/** Names that say nothing of the thing. Each takes a noun: LoanRow, AskedSkip, MailFacts. */
const BARE = new Set([
  'Agreed',
  'Ask',
  'Asked',
  'Asking',
  'Facts',
  'Found',
  'Given',
  'Held',
  'Known',
  'Listed',
  'Means',
  'Named',
  'Needed',
  'Numbered',
  'Open',
  'Read',
  'Reading',
  'Row',
  'Rows',
  'Sent',
  'Waiting',
  'Wanted',
  'Written',
])

/** One sentence for each declared type with a bare name. Parameters of types may have one. */
export const findBareNames = ({ path, text }: File): string[] => {
  const faults: string[] = []
  const find = ({ name, start }: { readonly name: string; readonly start: number }): void => {
    if (!BARE.has(name)) return
    const line = text.slice(0, start).split('\n').length
    faults.push(`${path}:${line} declares the type ${name}; name it with its noun, as in LoanRow`)
  }
  new Visitor({
    TSTypeAliasDeclaration: ({ id }) => find(id),
    TSInterfaceDeclaration: ({ id }) => find(id),
  }).visit(parseSync(path, text).program)
  return faults
}

if (process.argv[1] === import.meta.filename) {
  const faults = checkedFiles()
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => findBareNames({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
