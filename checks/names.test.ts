import { expect, test } from 'vitest'
import { findBareNames } from './names.ts'

test.each([
  ['a type', 'x.ts', 'type Row = { readonly id: string }'],
  ['an exported type', 'x.tsx', 'export type Row<Wire> = readonly Wire[]'],
  ['an interface', 'x.ts', 'interface Row {\n  id: string\n}'],
  ['a type in a function', 'x.ts', 'const f = () => {\n  type Row = string\n}'],
])('%s with a bare name is found', (_, path, text) => {
  expect(findBareNames({ path, text }).join('\n')).toMatch(/^x\.tsx?:[12] declares the type Row;/)
})

test.each([
  ['a name with its noun', 'type LoanRow = { readonly id: string }'],
  ['a parameter of a type', 'type List<Row> = readonly Row[]'],
  ['an import', "import type { Row } from 'pg'"],
  ['a component', 'const Facts = () => null'],
])('%s is accepted', (_, text) => {
  expect(findBareNames({ path: 'x.ts', text })).toEqual([])
})
