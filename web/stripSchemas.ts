import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** A node of the syntax tree. */
type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}
type Edit = { readonly start: number; readonly end: number; readonly text: string }
type Parse = (code: string) => readonly Node[]

/** The properties of an endpoint that only the server reads. */
const SERVERS_OWN = [
  'params',
  'query',
  'payload',
  'body',
  'summary',
  'narration',
  'stepUp',
  'withoutStepUp',
  'withoutFactor',
]
/** Forms check fields and passwords in the browser too. */
const KEPT = /\/contract\/(base\/fields|accounts\/passwords)\.ts$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const nodesIn = (value: unknown): readonly Node[] =>
  (Array.isArray(value) ? value : [value]).filter(isNode)

const nameOf = (node: unknown): string => String((node as Node | undefined)?.name ?? '')

const propertiesOf = (node: Node): readonly Node[] =>
  node.type === 'ObjectExpression' ? nodesIn(node.properties) : []

/** The server's properties of an endpoint, which alone has an `access`. */
const cutFrom = (node: Node): readonly Node[] => {
  const properties = propertiesOf(node)
  const isEndpoint = properties.some(({ key }) => nameOf(key) === 'access')
  return isEndpoint ? properties.filter(({ key }) => SERVERS_OWN.includes(nameOf(key))) : []
}

/** The parts of a node that run: no types, no names of properties. */
const partsOf = (node: Node): readonly Node[] => {
  if (node.type.startsWith('TS')) return nodesIn(node.expression)
  if (node.type === 'MemberExpression' && !node.computed) return nodesIn(node.object)
  if (node.type === 'Property' && !node.computed) return nodesIn(node.value)
  const cut = cutFrom(node)
  return Object.values(node)
    .flatMap(nodesIn)
    .filter((part) => !cut.includes(part))
}

const walk = (node: Node): readonly Node[] => [node, ...partsOf(node).flatMap(walk)]

/** The names that a node refers to. */
const namesIn = (node: Node): readonly string[] =>
  walk(node)
    .filter(({ type }) => type === 'Identifier')
    .map(nameOf)

type Constant = { readonly name: string; readonly value: Node; readonly statement: Node }

const constantsOf = (statements: readonly Node[]): readonly Constant[] =>
  statements.flatMap((statement) =>
    nodesIn((statement.declaration as Node | undefined)?.declarations ?? statement.declarations)
      .filter(({ init }) => isNode(init))
      .map(({ id, init }) => ({ name: nameOf(id), value: init as Node, statement })),
  )

const importsOf = (statements: readonly Node[]): readonly Node[] =>
  statements.filter(({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type')

type Parsing = {
  readonly parse: Parse
  /** The schemas of each module of this build, since many import the same ones. */
  readonly known: Map<string, ReadonlySet<string>>
}

/** The names in a module that stand for zod or are made with it. */
const schemasOf = (path: string, parsing: Parsing): ReadonlySet<string> => {
  const { known } = parsing
  const found = known.get(path) ?? findSchemas(path, parsing)
  known.set(path, found)
  return found
}

const findSchemas = (path: string, parsing: Parsing): ReadonlySet<string> => {
  const statements = parsing.parse(readFileSync(path, 'utf8'))
  const schemas = new Set<string>()
  for (const { source, specifiers } of importsOf(statements)) {
    const from = String((source as unknown as { value: unknown }).value)
    const theirs = from.startsWith('.') ? schemasOf(resolve(path, '..', from), parsing) : undefined
    for (const { local, imported } of nodesIn(specifiers))
      if (theirs ? theirs.has(nameOf(imported)) : from === 'zod') schemas.add(nameOf(local))
  }
  const constants = constantsOf(statements).map(({ name, value }) => ({
    name,
    uses: namesIn(value),
  }))
  for (let before = -1; before < schemas.size; ) {
    before = schemas.size
    for (const { name, uses } of constants)
      if (uses.some((used) => schemas.has(used))) schemas.add(name)
  }
  return schemas
}

const edited = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, { start, end, text }) => all.slice(0, start) + text + all.slice(end), code)

/** Cuts the server's parts from a module of the contract. */
const strip = (code: string, path: string, parsing: Parsing): string => {
  const schemas = schemasOf(path, parsing)
  const statements = parsing.parse(code)
  const cut = ({ start, end }: Node): Edit => ({ start, end, text: '' })
  const types = statements.filter((statement) =>
    /^TS(TypeAlias|Interface)/.test(((statement.declaration as Node | null) ?? statement).type),
  )
  const constants = constantsOf(statements)
  const gone = constants.filter(({ name }) => schemas.has(name))
  const fields = constants
    .filter((constant) => !gone.includes(constant))
    .flatMap(({ value }) => walk(value).flatMap(cutFrom))
    .map(({ start, end }) => ({ start, end: end + (code[end] === ',' ? 1 : 0), text: '' }))
  const edits = [...types.map(cut), ...gone.map(({ statement }) => cut(statement)), ...fields]
  // An import left over would load zod wherever the contract is used.
  const imports = importsOf(statements)
  const rest = edited(code, [...edits, ...imports.map(cut)])
  const needless = imports.filter(
    ({ specifiers }) =>
      !nodesIn(specifiers).some(({ local }) => new RegExp(`\\b${nameOf(local)}\\b`).test(rest)),
  )
  return edited(code, [...edits, ...needless.map(cut)])
}

/**
 * Removes the schemas from the browser's build: with zod they are a sixth of a first load. A module
 * that imports one does not build.
 */
export const stripSchemas = (): Plugin => {
  const known: Parsing['known'] = new Map()
  return {
    name: 'strip-schemas',
    buildStart: () => known.clear(),
    transform: {
      filter: { id: { include: /\/contract\/\w+\/\w+\.ts$/, exclude: KEPT } },
      handler(code, path) {
        const parse: Parse = (source) =>
          this.parse(source, { lang: 'ts' }).body as unknown as readonly Node[]
        return { code: strip(code, path, { parse, known }), map: null }
      },
    },
  }
}
