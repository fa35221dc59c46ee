export type Room = {
  readonly path: string
  /** The rooms, files or folders it may import. */
  readonly below: readonly string[]
  /** The rooms that only its `routes.ts` may import. */
  readonly routes: readonly string[]
}

type Line = readonly [path: string, below: string, routes?: string]

/** Expands short paths: all but `contract` begin in the deployable's folder. */
export const within = (folder: string, lines: readonly Line[]): Room[] => {
  const longOf = (name: string): string => (name === 'contract' ? name : `${folder}${name}`)
  const listOf = (names: string): string[] => names.split(/\s+/).filter(Boolean).map(longOf)
  return lines.map(([path, below, routes = '']) => ({
    path: longOf(path),
    below: listOf(below),
    routes: listOf(routes),
  }))
}
