/** Fails when `docs/licences.md` differs from the lockfile; `--write` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lockfile, lockedPackages } from './repository.ts'
import { ROOT } from './sources.ts'

const FILE = join(ROOT, 'docs', 'licences.md')

/** A heading, then the number of packages per licence, the most frequent first. */
const counts = (title: string, packages: readonly { readonly license: string }[]): string =>
  [
    `${title}:\n`,
    ...[...Map.groupBy(packages, ({ license }) => license)]
      .map(([licence, all]) => ({ licence, count: all.length }))
      .sort((a, b) => b.count - a.count || a.licence.localeCompare(b.licence, 'en'))
      .map(({ licence, count }) => `- ${licence}: ${count}`),
  ].join('\n')

/** Lists every shipped package, and the number of build and test packages per licence. */
export const licencesText = (lockfile: Lockfile): string => {
  const packages = lockedPackages(lockfile).map(
    ({ name, version = '', license = '(none)', dev, devOptional }) => ({
      name,
      version,
      license,
      shipped: !dev && !devOptional,
    }),
  )
  const shipped = packages.filter((each) => each.shipped)
  const lines = new Set(
    shipped
      .toSorted(
        (a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'),
      )
      .map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
  )
  return `# Licences

Made from \`package-lock.json\` by \`npm run licences\`. A check fails when it is out of date, or when a
package has a licence that is not on the list in \`checks/repository.ts\`.

${counts('Shipped', shipped)}

${counts(
  'To build and test only',
  packages.filter((each) => !each.shipped),
)}

| package | version | licence |
| ------- | ------- | ------- |
${[...lines].join('\n')}
`
}

if (process.argv[1] === import.meta.filename) {
  const text = licencesText(
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile,
  )
  if (process.argv.includes('--write')) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    process.stderr.write('docs/licences.md is out of date. Run: npm run licences\n')
    process.exit(1)
  }
}
