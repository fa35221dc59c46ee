/** Checks that literals stand plainly: a spread of a literal hides it from the formatter. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, type ObjectPropertyKind, parseSync, Visitor } from 'oxc-parser'
import { checkedFiles, ROOT } from './sources.ts'

type File = { readonly path: string; readonly text: string }

/** One sentence for each spread of a literal. */
export const findSpreads = ({ path, text }: File): string[] => {
  const faults: { readonly at: number; readonly what: string; readonly better: string }[] = []
  const find = (spreads: readonly Node[], literal: string, better: string): void => {
    for (const spread of spreads)
      if (spread.type === 'SpreadElement' && literalIn(spread.argument).type === literal)
        faults.push({ at: spread.start, what: text.slice(spread.start, spread.start + 30), better })
  }
  new Visitor({
    ObjectExpression: ({ properties }) =>
      find(properties, 'ObjectExpression', 'its properties plainly'),
    ArrayExpression: ({ elements }) =>
      find(
        elements.filter((each) => each !== null),
        'ArrayExpression',
        'its elements plainly',
      ),
    CallExpression: (call) => find(call.arguments, 'ArrayExpression', 'its elements plainly'),
    NewExpression: (call) => find(call.arguments, 'ArrayExpression', 'its elements plainly'),
    JSXSpreadAttribute: ({ argument, start }) => {
      const literal = literalIn(argument)
      if (literal.type === 'ObjectExpression' && !literal.properties.some(isComputed))
        faults.push({ at: start, what: text.slice(start, start + 30), better: 'attributes' })
    },
  }).visit(parseSync(path, text).program)
  return faults.map(({ at, what, better }) => {
    const line = text.slice(0, at).split('\n').length
    return `${path}:${line} spreads a literal (${what.split('\n')[0]}); write ${better}`
  })
}

/** The literal in parentheses or `as const`. A choice such as `a && { b }` is none. */
const literalIn = (node: Node): Node =>
  node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression'
    ? literalIn(node.expression)
    : node

/** JSX has no attribute with a computed name. */
const isComputed = (property: ObjectPropertyKind): boolean =>
  property.type === 'Property' && property.computed

if (process.argv[1] === import.meta.filename) {
  const faults = checkedFiles()
    .filter((path) => /\.(tsx?|m?js)$/.test(path))
    .flatMap((path) => findSpreads({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
