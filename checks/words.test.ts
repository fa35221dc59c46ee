import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Language, languages } from '@pool/contract/base/languages'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { glossary, NAMES, SPECIFIED } from './glossary.ts'
import { ROOT, readSources } from './sources.ts'

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

type Said = { readonly key: string; readonly text: string }

/** A message without the names of its values, as a reader sees it. */
const readable = (message: string): string =>
  message.replace(/\{\w+(, (plural|select|number),?)?/g, '{').replaceAll("''", "'")

/** The sentences in the sources of a catalogue. */
const literalsOf = (path: string): readonly Said[] => {
  const found: Said[] = []
  JSON.stringify(parseSync(path, readFileSync(path, 'utf8')).program, (_, node) => {
    if (node?.type === 'ImportDeclaration') return undefined
    const text = node?.type === 'TemplateElement' ? node.value.cooked : node?.value
    if (/^(Literal|TemplateElement)$/.test(node?.type) && typeof text === 'string')
      if (text.includes(' ')) found.push({ key: basename(path), text })
    return typeof node === 'bigint' ? String(node) : node
  })
  return found
}

const folderOf = (language: Language): string => join(ROOT, 'web/app/i18n', language)

/** The messages of a language, by catalogue and key. */
const messagesIn = (language: Language): readonly Said[] =>
  globSync('*.json', { cwd: folderOf(language) }).flatMap((name) =>
    Object.entries(
      JSON.parse(readFileSync(join(folderOf(language), name), 'utf8')) as Record<string, string>,
    ).map(([key, text]) => ({ key: `${basename(name, '.json')} ${key}`, text })),
  )

const saidIn = (language: Language): readonly Said[] => [
  ...messagesIn(language)
    .filter(({ key }) => !SPECIFIED.has(key))
    .map(({ key, text }) => ({ key, text: readable(text) })),
  ...globSync('*.ts', { cwd: folderOf(language) })
    .filter((name) => !name.endsWith('.test.ts'))
    .flatMap((name) => literalsOf(join(folderOf(language), name))),
]

describe.each(languages)('the catalogues of %s', (language) => {
  const said = saidIn(language)

  test.each(glossary.filter((entry) => entry.language === language))(
    "have the one word '$word'",
    ({ word, replaces, except = {} }) => {
      const others = said.filter(({ text }) => replaces.test(text))
      expect(
        others
          .filter(({ key }) => !(key in except))
          .map(({ key, text }) => `${key} says '${text}', and not '${word}'`),
      ).toEqual([])
      const needed = new Set(others.map(({ key }) => key))
      expect(Object.keys(except).filter((key) => !needed.has(key))).toEqual([])
    },
  )
})

/** The texts of the API in English: mails, refusals and narrations. */
const API_TEXTS = [
  'server/accounts/mail/*ords.ts',
  'contract/base/{callRefusals,messages,refusals,refusalSentences,validation}.ts',
  'contract/*/*Refusals.ts',
]

/** Texts that keep another word: those of the specification, and owners of what is no balance. */
const KEPT = /log(in|ged in)\b|You don't have permission|address has no owner|its owner never/i

test('texts of the API have the words of screens', () => {
  const said = globSync(API_TEXTS, { cwd: ROOT }).flatMap((path) => literalsOf(join(ROOT, path)))
  expect(said.length).toBeGreaterThan(300)
  const others = glossary
    // One file has both languages, and '90 %' is Spanish.
    .filter(({ language, word }) => language === 'en' && word !== '90%')
    .flatMap(({ word, replaces }) =>
      said
        .filter(({ text }) => replaces.test(text) && !KEPT.test(text))
        .map(({ key, text }) => `${key} says '${text}', and not '${word}'`),
    )
  expect(others).toEqual([])
})

const MOST_WORDS = 20

/** The sentences that a reader has to read twice. A value counts as one word. */
const longIn = (language: Language): readonly string[] =>
  messagesIn(language).flatMap(({ text }) =>
    text
      .replace(/\{\w+(, number)?\}/g, 'value')
      .split(/[.?!:]\s|[{}]/)
      .filter((sentence) => (sentence.match(/[\p{L}\d'’-]+/gu) ?? []).length > MOST_WORDS),
  )

test('no sentence of a catalogue has over 20 words', () => {
  expect(languages.flatMap(longIn)).toEqual([])
})

/** Words with a capital that begin no sentence. */
const capitalsIn = (text: string): readonly string[] =>
  text
    .split(/[.?!:·(“{}#\n]\s*/)
    .flatMap((sentence) => sentence.split(/[\s,]+/).slice(1))
    .filter((word) => /^[A-Z][a-z]+$/.test(word) && !NAMES.test(word))

test('labels in English are in sentence case', () => {
  const titled = saidIn('en').filter(({ text }) => capitalsIn(text).length > 0)
  expect(titled).toEqual([])
})
