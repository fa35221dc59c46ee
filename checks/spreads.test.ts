import { expect, test } from 'vitest'
import { findSpreads } from './spreads.ts'

test.each([
  ['an object', 'x.ts', 'f({\n  ...{ a, b },\n  c,\n})', 'x.ts:2 spreads a literal (...{ a, b }'],
  ['an object in one', 'x.ts', 'f({ ...{ ...{ a } } })', '1 spreads'],
  ['an object in parentheses', 'x.mjs', 'f({ ...({ a }) })', 'properties plainly'],
  ['an object as const', 'x.ts', 'f({ ...({ a } as const) })', 'properties plainly'],
  ['an array', 'x.ts', "f([...['a', 'b'], c])", 'elements plainly'],
  ['an array of arguments', 'x.ts', 'f(...[a, b])', 'elements plainly'],
  ['an array for a constructor', 'x.ts', 'new F(...[a, b])', 'elements plainly'],
  ['attributes', 'x.tsx', 'const a = <p {...{ id, lang }} />', 'write attributes'],
])('a spread of %s is found', (_, path, text, fault) => {
  expect(findSpreads({ path, text }).join('\n')).toContain(fault)
})

test.each([
  ['a name', 'x.ts', 'f({ ...a, b }, [...c], ...d)'],
  ['a condition', 'x.ts', 'f({ ...(a && { b }), ...(c ? { d } : {}) }, [...(e ? [1] : [])])'],
  ['a result', 'x.ts', 'f([...[a, b].map(g)])'],
  ['an attribute with a computed name', 'x.tsx', 'const a = <p {...{ [NAME]: true }} />'],
])('a spread of %s is accepted', (_, path, text) => {
  expect(findSpreads({ path, text })).toEqual([])
})
