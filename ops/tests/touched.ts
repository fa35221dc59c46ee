import { parseSync } from 'oxc-parser'

type Node = { readonly type: string; readonly start: number; readonly end: number }
type NamedNode = { readonly name?: string } | null | undefined

const isNode = (value: unknown): value is Node =>
  typeof (value as Partial<Node> | null)?.type === 'string'
const partOf = (node: Node, name: string | undefined): unknown =>
  name === undefined ? undefined : (node as unknown as Record<string, unknown>)[name]

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/
const NAMES: Readonly<Record<string, string>> = {
  VariableDeclarator: 'id',
  Property: 'key',
  MethodDefinition: 'key',
}

/** Names of the functions below a node, as V8 gives them. */
const functionsIn = (node: Node, holder?: Node): readonly string[] => {
  const named = partOf(node, 'id') ?? (holder && partOf(holder, NAMES[holder.type]))
  const name = FUNCTIONS.test(node.type) ? (named as NamedNode)?.name : undefined
  const children: readonly unknown[] = Object.values(node).flat()
  const below = children.filter(isNode).flatMap((each) => functionsIn(each, node))
  return name === undefined ? below : [name, ...below]
}

const NO_EFFECT = /^(ImportDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/
const hasNoEffect = (node: Node): boolean => {
  const declared = partOf(node, 'declaration')
  return NO_EFFECT.test(node.type) || (isNode(declared) && NO_EFFECT.test(declared.type))
}

/** First and last lines, from 1. */
export type Lines = readonly [number, number]

/**
 * The functions that lines of a source belong to, by name. `isWhole` says that a line is outside
 * of each function: a constant, a table, a call at the start.
 */
export const touchedIn = (
  path: string,
  text: string,
  lines: readonly Lines[],
): { readonly names: ReadonlySet<string>; readonly isWhole: boolean } => {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const functions = (parseSync(path, text).program.body as readonly Node[])
    .filter((node) => !hasNoEffect(node))
    .filter((node) => {
      const [first, last] = [lineOf(node.start), lineOf(node.end)]
      return lines.some(([from, to]) => from <= last && to >= first)
    })
    .map((node) => functionsIn(node))
  return {
    names: new Set(functions.flat()),
    isWhole: functions.some((names) => names.length === 0),
  }
}

/** Names of the functions that a SQL file makes. */
export const functionsOfSql = (text: string): readonly string[] =>
  [...text.matchAll(/CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE) (\w+)/gi)].flatMap(
    ([, name]) => name ?? [],
  )
