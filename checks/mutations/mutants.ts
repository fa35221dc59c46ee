/** Small faults planted in a source, to see whether its tests notice them. */
import { parseSync } from 'oxc-parser'

/** One change of a source: `text` in place of what stands from `start` to `end`. */
export type Mutant = {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Line of the source, from 1. */
  readonly line: number
  readonly says: string
}

type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

/** Operators, each with the one that takes its place. */
const SWAPS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
}

const OPERATIONS = ['BinaryExpression', 'LogicalExpression']

/** Every fault for a source: an operator swapped, a guard removed. */
export const mutantsOf = (path: string, source: string): Mutant[] => {
  const found: Mutant[] = []
  const add = (start: number, end: number, text: string, says: string) =>
    found.push({ start, end, text, says, line: source.slice(0, start).split('\n').length })
  visit(parseSync(path, source).program as unknown as Node, (node) => {
    if (OPERATIONS.includes(node.type)) {
      const { left, right } = node as unknown as { left: Node; right: Node }
      const operator = String(node.operator)
      const swapped = SWAPS[operator]
      if (swapped === undefined || isText(left) || isText(right)) return
      const start = source.indexOf(operator, left.end)
      add(start, start + operator.length, swapped, `${operator} became ${swapped}`)
    }
    if (node.type === 'IfStatement' && node.alternate === null && leaves(node.consequent as Node))
      add(node.start, node.end, ';', `removed: ${firstLine(source.slice(node.start, node.end))}`)
  })
  return found
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string' && /\s/.test(node.value))

/** True for a statement, or a block of one, that throws or returns. */
const leaves = (node: Node): boolean => {
  if (node.type !== 'BlockStatement') return /^(Throw|Return|Continue)Statement$/.test(node.type)
  const body = node.body as readonly Node[]
  const last = body.at(-1)
  return body.length === 1 && last !== undefined && leaves(last)
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Types have operators of their own, which no test can see. */
const visit = (node: Node, seen: (node: Node) => void): void => {
  if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return
  seen(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) visit(child, seen)
}
