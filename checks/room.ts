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

/** Part of the server with a few rooms. Names are short: they begin in its folder. */
export type District = {
  readonly path: string
  /** The rooms that later districts may import, apart by spaces. */
  readonly doors: string
  /** The rooms that only the district's own import. */
  readonly inside?: string
}

const pathsOf = (path: string, names = ''): string[] =>
  names
    .split(' ')
    .filter(Boolean)
    .map((name) => `${path}/${name}`)

export const doorsOf = ({ path, doors }: District): string[] => pathsOf(path, doors)

export const allRoomsOf = (district: District): string[] => [
  ...doorsOf(district),
  ...pathsOf(district.path, district.inside),
]

/** The rooms of districts: each may import its district, and the doors of those before it. */
export const roomsOf = (districts: readonly District[]): Room[] =>
  districts.flatMap((district, place) => {
    const below = districts.slice(0, place).flatMap(doorsOf)
    const own = allRoomsOf(district)
    return own.map((path) => ({
      path,
      below: ['contract', ...below, ...own.filter((each) => each !== path)],
      routes: [],
    }))
  })
