import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** Attributes whose text reaches the user. */
const spoken = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'title',
  'label',
  'placeholder',
  'description',
  'heading',
  'headline',
  'subline',
  'text',
])

const hasWord = (text: string): boolean => /\p{L}{2,}/u.test(text)

/** The words written in markup, as text or attribute: no language can replace them. */
const wordsIn = (path: string, source: string): string[] => {
  const found: string[] = []
  JSON.stringify(parseSync(path, source).program, (_, node) => {
    if (node?.type === 'JSXText' && hasWord(node.value)) found.push(node.value.trim())
    if (
      node?.type === 'JSXAttribute' &&
      spoken.has(node.name?.name) &&
      node.value?.type === 'Literal' &&
      hasWord(node.value.value)
    )
      found.push(node.value.value)
    if (node?.type === 'JSXElement' || node?.type === 'JSXFragment') {
      for (const child of node.children)
        if (child.type === 'JSXExpressionContainer') found.push(...literalsIn(child.expression))
    }
    return typeof node === 'bigint' ? String(node) : node
  })
  return found
}

/** The literals that an expression between tags may yield. */
const literalsIn = (expression: { type: string; [name: string]: unknown }): string[] => {
  if (expression.type === 'Literal')
    return typeof expression.value === 'string' && hasWord(expression.value)
      ? [expression.value]
      : []
  if (expression.type === 'LogicalExpression') return literalsIn(expression.right as never)
  if (expression.type === 'ConditionalExpression')
    return [
      ...literalsIn(expression.consequent as never),
      ...literalsIn(expression.alternate as never),
    ]
  if (expression.type !== 'TemplateLiteral') return []
  return (expression.quasis as { value: { raw: string } }[])
    .map(({ value }) => value.raw)
    .filter(hasWord)
}

test('every word of the interface comes from the catalogue', () => {
  const spokenInPlace = readSources()
    .filter(({ path }) => path.startsWith('web/app/') && path.endsWith('.tsx'))
    .flatMap(({ path, text }) => wordsIn(path, text).map((words) => `${path} says '${words}'`))
  expect(spokenInPlace).toEqual([])
})

test('a word in text, attribute or expression is found', () => {
  const markup = `const a = <p title="Hello there">Some text {busy ? 'Saving' : \`Save \${name} now\`} {t('key')}</p>`
  expect(wordsIn('web/x.tsx', markup)).toEqual(
    expect.arrayContaining(['Hello there', 'Some text', 'Saving', 'Save ', ' now']),
  )
  expect(wordsIn('web/x.tsx', '<p>{t("key")} · {name}</p>')).toEqual([])
})
