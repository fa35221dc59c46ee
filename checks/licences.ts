/** `docs/licences.md`: what the product is shipped with, and under which licence, read from the lockfile. Fails when it is not up to date; `--write` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lockfile, lockedPackages } from './repository.ts'
import { ROOT } from './sources.ts'

const FILE = join(ROOT, 'docs', 'licences.md')

const counted = (licences: readonly string[]): string =>
  [...Map.groupBy(licences, (licence) => licence)]
    .map(([licence, all]) => ({ licence, count: all.length }))
    .sort((a, b) => b.count - a.count || a.licence.localeCompare(b.licence, 'en'))
    .map(({ licence, count }) => `${licence} ${count}`)
    .join(' · ')

/** The text that a lockfile makes: every package that is shipped; of those that only build and test, how many have which licence. */
export const licencesText = (lockfile: Lockfile): string => {
  const packages = lockedPackages(lockfile).map(({ name, version = '', license = '(none)', dev, devOptional }) => ({
    name,
    version,
    license,
    shipped: !dev && !devOptional,
  }))
  const shipped = packages.filter((each) => each.shipped)
  const lines = new Set(
    shipped
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'))
      .map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
  )
  return `# Licences

Made from \`package-lock.json\` by \`npm run licences\`; a check fails when it is not up to date, or when a package has a licence that
nobody agreed to (\`checks/repository.ts\`).

Shipped: ${counted(shipped.map(({ license }) => license))}

To build and test only: ${counted(packages.filter((each) => !each.shipped).map(({ license }) => license))}

| package | version | licence |
| ------- | ------- | ------- |
${[...lines].join('\n')}
`
}

if (process.argv[1] === import.meta.filename) {
  const text = licencesText(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile)
  if (process.argv.includes('--write')) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    process.stderr.write('docs/licences.md is not what package-lock.json says: npm run licences\n')
    process.exit(1)
  }
}
