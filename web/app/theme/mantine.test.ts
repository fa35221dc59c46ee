import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const app = join(import.meta.dirname, '..')
const styles = join(
  dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')),
  'styles',
)

test('every used Mantine component has its style sheet', () => {
  const sources = globSync('**/*.tsx', {
    cwd: app,
    exclude: (name) => name === 'node_modules',
  }).map((file) => readFileSync(join(app, file), 'utf8'))
  const used = new Set(
    sources
      .flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
      .flatMap(([, names = '']) => names.split(/[\s,]+/)),
  )
  const known = globSync('*.layer.css', { cwd: styles }).map((file) =>
    file.replace('.layer.css', ''),
  )
  const imported = readFileSync(join(import.meta.dirname, 'mantine.css'), 'utf8')
  const missing = known.filter((name) => used.has(name) && !imported.includes(`/${name}.layer.css`))
  expect(missing).toEqual([])
})
