/** Checks that a long function says why (docs/decisions/090). A file has no most. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ArrowFunctionExpression,
  type Node,
  type Function as PlainFunction,
  parseSync,
  Visitor,
} from 'oxc-parser'
import { checkedFiles, ROOT } from './sources.ts'

type Part = { readonly start: number; readonly end: number }
type Fn = PlainFunction | ArrowFunctionExpression
type File = { readonly path: string; readonly text: string }

/** Lines that fit a screen. Comments, blank lines, texts of SQL and markup do not count. */
const MOST_LINES = 60
/** The form of a reason: above the function, or first in its body. */
const REASON = /^[\s*]*Long: \S/m

/** One sentence for each long function without a reason, and for each reason without one. */
export const findLong = ({ path, text }: File): string[] => {
  const { program, comments } = parseSync(path, text)
  const starts = [...text.matchAll(/^/gm)].map(({ index }) => index)
  const lineOf = (at: number): number => starts.findLastIndex((start) => start <= at) + 1
  const texts: Part[] = [...comments]
  const markup: Part[] = []
  const functions: Fn[] = []
  const tests = new Set<number>()
  new Visitor({
    CallExpression: ({ callee, arguments: given }) => {
      if (isTest(callee)) for (const { start } of given) tests.add(start)
    },
    TemplateElement: (found) => void texts.push(found),
    JSXElement: (found) => void markup.push(found),
    JSXFragment: (found) => void markup.push(found),
    FunctionDeclaration: (found) => void functions.push(found),
    FunctionExpression: (found) => void functions.push(found),
    ArrowFunctionExpression: (found) => void functions.push(found),
  }).visit(program)

  const linesOf = (body: Part): number => {
    const left = [...texts, ...markup.filter(({ start }) => start > body.start)]
    const all = text.slice(body.start, body.end).split('\n')
    let at = body.start
    return all.filter((line) => {
      const start = at + line.length - line.trimStart().length
      const end = start + line.trim().length
      at += line.length + 1
      return start < end && !left.some((each) => each.start <= start && end <= each.end)
    }).length
  }
  const reasons = new Map<number, boolean>()
  for (const { value, end } of comments) if (REASON.test(value)) reasons.set(lineOf(end - 1), false)
  const faults: string[] = []
  for (const { start, body } of functions) {
    if (body === null || tests.has(start) || isForwarded(body)) continue
    const lines = linesOf(body)
    if (lines <= MOST_LINES) continue
    const head = lineOf(start)
    const first = body.type === 'BlockStatement' ? body.body[0] : undefined
    const beside = [...reasons].find(
      ([line, isUsed]) => !isUsed && line >= head - 1 && line < lineOf(first?.start ?? body.start),
    )
    if (beside) reasons.set(beside[0], true)
    else
      faults.push(
        `${path}:${head} is a function of ${lines} lines; the most is ${MOST_LINES}. ` +
          'Cut it by sense, or say why not, first in its body: // Long: its reason',
      )
  }
  return [
    ...faults,
    ...[...reasons].flatMap(([line, isUsed]) =>
      isUsed
        ? []
        : [`${path}:${line} gives a reason, and no function of over 60 lines is beside it`],
    ),
  ]
}

/** True for `db.execute(async () => {…})`: its last argument is a function, which counts itself. */
const isForwarded = (body: Node): boolean =>
  body.type === 'CallExpression' && /Function/.test(body.arguments.at(-1)?.type ?? '')

/** True for `test`, `test.each(…)`, `describe`, `beforeAll` and their like: stories. */
const isTest = (callee: Node): boolean => {
  if (callee.type === 'Identifier')
    return /^(test|describe|suite|(before|after)(All|Each))$/.test(callee.name)
  if (callee.type === 'MemberExpression') return isTest(callee.object)
  return callee.type === 'CallExpression' && isTest(callee.callee)
}

if (process.argv[1] === import.meta.filename) {
  const faults = checkedFiles()
    .filter((path) => /\.(tsx?|m?js)$/.test(path))
    .flatMap((path) => findLong({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
