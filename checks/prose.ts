/** Checks comments, test names and documents against CONTRIBUTING.md, "Prose". */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { checkedFiles, ROOT, trackedFiles } from './sources.ts'

type File = { readonly path: string; readonly text: string }

/** Files that tools write, and numbered migrations, which are never edited. */
const EXEMPT =
  /^(docs\/licences\.md|server\/base\/db\/schema\.ts|server\/base\/migrations\/(\d{4}-.*|schema)\.sql)$/

const MOST_COMMENT_LINES = 2
const LEAST_WORDS = 4
const MOST_WORDS = 10

/** Openings that delay the subject of a sentence. */
const OPENING = /^(What|Who|Whoever|Whose|Whether|How|Where|For)\b/
/** Words that hide the subject, or tell history. */
const VAGUE =
  /\b(whoever|whatever|whichever|somebody|someone|nobody|anybody|anyone|no longer|as before)\b/i

/** Words of a trade that is not ours, with the word that the code uses. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\bgather(s|ed|ing)?\b/i, 'batch'],
  [/\bpatience\b/i, 'timeout'],
  [/\bfarewell\b/i, 'drain'],
  [/\bnasty\b/i, 'hostile'],
]

/** One sentence for each fault in the comments and test names of a source. */
export const sourceFaults = (file: File): string[] => [
  ...commentsIn(file).flatMap(({ line, lines }) =>
    [
      ...(lines.length > MOST_COMMENT_LINES
        ? [`is a comment of ${lines.length} lines; the most is ${MOST_COMMENT_LINES}`]
        : []),
      ...sentenceFaults(lines.join(' ')),
    ].map((fault) => `${file.path}:${line} ${fault}`),
  ),
  ...testNamesIn(file).flatMap((name) =>
    nameFaults(name).map((fault) => `${file.path} has the test '${name}', which ${fault}`),
  ),
]

/** One sentence for each fault in a document. */
export const documentFaults = ({ path, text }: File): string[] =>
  [...paragraphsIn(text).flatMap(sentenceFaults), ...tableFaults(text)].map(
    (fault) => `${path} ${fault}`,
  )

const FENCED = /^```[\s\S]*?^```$/gm
const DELIMITER = /^(\|\s*:?-+:?\s*)+\|$/

/** Finds rows with other cells than their heading, as a tool that wraps lines leaves them. */
const tableFaults = (text: string): string[] =>
  (text.replaceAll(FENCED, '').match(/(^[ \t]*\|.*\n?)+/gm) ?? []).flatMap((table) => {
    const [heading = '', delimiter = '', ...rows] = table
      .trimEnd()
      .split('\n')
      .map((row) => row.trim().replaceAll('\\|', ''))
    const cells = heading.split('|').length
    const isWhole =
      DELIMITER.test(delimiter) &&
      [heading, delimiter, ...rows].every(
        (row) => row.endsWith('|') && row.split('|').length === cells,
      )
    return isWhole ? [] : [`has a broken table: ${heading}`]
  })

const sentenceFaults = (text: string): string[] =>
  text
    .replaceAll(/`[^`]*`/g, '`')
    .split(/(?<=[.!?])\s+/)
    .flatMap((sentence) => {
      const opening = OPENING.exec(sentence.replace(/^[*_\s]+/, ''))?.[0]
      const vague = VAGUE.exec(sentence)?.[0]
      return [
        ...(opening ? [`begins a sentence with '${opening}': ${sentence}`] : []),
        ...(vague ? [`says '${vague}': ${sentence}`] : []),
        ...RETIRED.flatMap(([word, better]) => {
          const found = word.exec(sentence)?.[0]
          return found ? [`says '${found}' for '${better}': ${sentence}`] : []
        }),
      ]
    })

/** A name with placeholders has no least number of words. */
const nameFaults = (name: string): string[] => {
  const words = name.split(/\s+/).length
  const isWhole = !/%[a-z]|\$/.test(name)
  return [
    ...(words > MOST_WORDS ? [`has ${words} words; the most is ${MOST_WORDS}`] : []),
    ...(isWhole && words < LEAST_WORDS ? [`has ${words} words; the least is ${LEAST_WORDS}`] : []),
  ]
}

type Comment = { readonly line: number; readonly lines: readonly string[] }

/** The comments of a source, with adjacent lines joined. */
const commentsIn = ({ path, text }: File): Comment[] => {
  const found: { line: number; lines: string[] }[] = []
  let last = -1
  for (const { line, content } of path.endsWith('.sql') ? sqlLines(text) : codeLines(path, text)) {
    if (line === last + 1) found.at(-1)?.lines.push(content)
    else found.push({ line, lines: [content] })
    last = line
  }
  return found
}

type Line = { readonly line: number; readonly content: string }

const sqlLines = (text: string): Line[] =>
  text.split('\n').flatMap((each, index) => {
    const content = /^\s*--\s?(.*)$/.exec(each)?.[1]
    return content === undefined ? [] : [{ line: index + 1, content }]
  })

const codeLines = (path: string, text: string): Line[] =>
  parseSync(path, text).comments.flatMap(({ type, value, start }) => {
    const first = text.slice(0, start).split('\n').length
    const isAlone = /\n\s*$|^$/.test(text.slice(0, start).replace(/[ \t]+$/, ''))
    const lines = value.split('\n').map((each) => each.replace(/^\s*\*+\s?/, '').trim())
    return lines.flatMap((content, index) =>
      (content === '' && type === 'Block') || !(isAlone || type === 'Block')
        ? []
        : [{ line: first + index, content }],
    )
  })

const testNamesIn = ({ path, text }: File): string[] => {
  if (!/\.(test|spec)\.tsx?$/.test(path)) return []
  const names: string[] = []
  JSON.stringify(parseSync(path, text).program, (_, node) => {
    if (node?.type === 'CallExpression' && isTest(node.callee)) {
      const [name] = node.arguments
      if (name?.type === 'Literal' && typeof name.value === 'string') names.push(name.value)
      if (name?.type === 'TemplateLiteral')
        names.push(name.quasis.map((part: Quasi) => part.value.raw).join('$'))
    }
    return typeof node === 'bigint' ? String(node) : node
  })
  return names
}

type Quasi = { readonly value: { readonly raw: string } }
type Callee = {
  readonly type: string
  readonly name?: string
  readonly object?: Callee
  readonly property?: Callee
  readonly callee?: Callee
}

/** True for `test`, `test.each(…)` and their like, not for `test.step` and `test.describe`. */
const isTest = ({ type, name, object, property, callee }: Callee): boolean => {
  if (type === 'Identifier') return name === 'test'
  if (type === 'CallExpression') return callee?.property?.name === 'each' && isTest(callee)
  return (
    type === 'MemberExpression' &&
    object?.name === 'test' &&
    ['each', 'skip', 'only', 'concurrent', 'fails'].includes(property?.name ?? '')
  )
}

/** The paragraphs and list items of a document, without tables, headings, code and link targets. */
const paragraphsIn = (text: string): string[] =>
  text
    .replaceAll(FENCED, '')
    .replaceAll(/^\s*(\||#|<!--|!\[).*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .map((each) => each.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').replaceAll(/\s+/g, ' '))

/** The sentences about sources and documents. */
export const findAllFaults = (files: readonly string[] = trackedFiles()): string[] =>
  files
    .filter((path) => !EXEMPT.test(path))
    .flatMap((path) => {
      if (!/\.(tsx?|mjs|sql|md)$/.test(path)) return []
      const file = { path, text: readFileSync(join(ROOT, path), 'utf8') }
      return path.endsWith('.md') ? documentFaults(file) : sourceFaults(file)
    })

if (process.argv[1] === import.meta.filename) {
  const faults = findAllFaults(checkedFiles())
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
