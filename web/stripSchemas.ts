import type { Plugin } from 'vite'

type Node = { readonly type: string; readonly start: number; readonly end: number }
type Wrapper = Node & { readonly expression?: Node }
type Property = Node & { readonly key?: { readonly name?: string } }
type Statement = Node & {
  readonly declaration?: Statement
  readonly declarations?: readonly { readonly init?: Wrapper }[]
}
type Import = Node & {
  readonly specifiers: readonly { readonly local: { readonly name: string } }[]
}
type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** What only the server reads of an endpoint: how to check it and how to document it. */
const serversOwn = new Set(['params', 'query', 'payload', 'body', 'summary'])

const unwrapped = (node: Wrapper | undefined): Node | undefined =>
  node?.expression ? unwrapped(node.expression) : node

const propertiesOf = (node: Node | undefined): readonly Property[] =>
  node?.type === 'ObjectExpression'
    ? (node as Node & { readonly properties: readonly Property[] }).properties
    : []

/**
 * What to change in one statement of the contract: an endpoint loses its schemas, and what is
 * nothing but a schema its value.
 */
const editsIn = (statement: Statement, code: string): readonly Edit[] => {
  const init = (statement.declaration ?? statement).declarations?.[0]?.init
  if (!init) return []
  const value = unwrapped(init)
  const properties = propertiesOf(value)
  if (properties.some(({ key }) => key?.name === 'access')) {
    const cut = properties.filter(({ key }) => serversOwn.has(key?.name ?? ''))
    return cut.map(({ key, start, end }) => ({ start, end, text: `${key?.name}: undefined` }))
  }
  const { start, end } = init
  // Constants are written out; what is made by a call is a schema, by `z` or by one of the
  // contract's own makers.
  const isSchema = value?.type === 'CallExpression' || /\bz\.|Schema\b/.test(code.slice(start, end))
  return isSchema ? [{ start, end, text: 'undefined' }] : []
}

const edited = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, { start, end, text }) => all.slice(0, start) + text + all.slice(end), code)

/**
 * The imports that nothing needs once `edits` are made: left in, they would tie the library of the
 * schemas to whatever imports the contract.
 */
const needlessImports = (
  statements: readonly Statement[],
  edits: readonly Edit[],
  code: string,
): readonly Edit[] => {
  const imports = statements.filter(
    ({ type }) => type === 'ImportDeclaration',
  ) as unknown as readonly Import[]
  const cut = imports.map(({ start, end }) => ({ start, end, text: '' }))
  const rest = edited(code, [...edits, ...cut])
  return cut.filter(
    (_, index) =>
      !imports[index]?.specifiers.some(({ local }) => new RegExp(`\\b${local.name}\\b`).test(rest)),
  )
}

/**
 * Takes the schemas out of the contract in the browser's build: a browser needs to know how to make
 * a call, not how to check one, and the schemas with their library are an eighth of all that it
 * would load. The rules of form fields and passwords stay: forms use them.
 */
export const stripSchemas = (): Plugin => ({
  name: 'strip-schemas',
  transform: {
    filter: { id: { include: /\/contract\/[^/]+\.ts$/, exclude: /\/(fields|passwords)\.ts$/ } },
    handler(code) {
      const statements = this.parse(code, { lang: 'ts' }).body as readonly Statement[]
      const edits = statements.flatMap((statement) => editsIn(statement, code))
      if (edits.length === 0) return undefined
      return {
        code: edited(code, [...edits, ...needlessImports(statements, edits, code)]),
        map: null,
      }
    },
  },
})
