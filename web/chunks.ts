import { fileURLToPath } from 'node:url'

type Module = { readonly importedIds: readonly string[] }
type Graph = { readonly getModuleInfo: (id: string) => Module | null }

const app = (file: string): string => fileURLToPath(new URL(`app/${file}`, import.meta.url))

type Chunk = {
  readonly name: string
  readonly screens: readonly string[]
  /**
   * What belongs to it besides: parts of packages that its screens use, which are not followed, and
   * what they share with code that comes later.
   */
  readonly also?: RegExp
}

/**
 * What loads together travels together: a chunk holds what every one of its screens imports, in the
 * order in which screens need them, so that a first load is a handful of requests instead of one
 * for each small module that two screens share.
 */
const chunks: readonly Chunk[] = [
  { name: 'start', screens: [app('root.tsx')] },
  // The landing page needs nothing of the component library, so what it shares with others must not
  // bring it along.
  { name: 'shared', screens: [app('pages/landing/Landing.tsx'), app('Shell.tsx')] },
  { name: 'public', screens: [app('pages/landing/Landing.tsx'), app('pages/login/Login.tsx')] },
  {
    name: 'frame',
    screens: [app('Shell.tsx')],
    also: /\/@mantine\/(core\/esm\/core|hooks\/esm\/use-(id|uncontrolled|force-update))\/|\/app\/routes\/guards\.tsx$/,
  },
  { name: 'account', screens: [app('pages/login/Login.tsx'), app('pages/register/Register.tsx')] },
  {
    name: 'dashboards',
    screens: [app('pages/dashboard/UserDashboard.tsx'), app('pages/admin/AdminDashboard.tsx')],
    also: /\/IconRefresh\.mjs$/,
  },
  {
    name: 'lists',
    screens: [app('pages/dashboard/UserDashboard.tsx'), app('pages/admin/TransactionsTable.tsx')],
    also: /\/app\/ui\/(NetworkBadge|RelativeTime)\.tsx$/,
  },
  // The last one: what buttons consist of is the dashboards', too.
  {
    name: 'forms',
    screens: [],
    also: /\/@mantine\/(form|core\/esm\/components\/(Input|InputBase|TextInput|PasswordInput|ActionIcon|CloseButton|Alert))\//,
  },
]

/**
 * Not followed: packages, whose index names far more than a screen uses. Rolldown adds what really
 * is used.
 */
const NOT_FOLLOWED = /\/node_modules\//

/** A screen and everything of ours that it imports before it runs. */
const importsOf = (screen: string, graph: Graph): ReadonlySet<string> => {
  const found = new Set<string>([screen])
  const visit = (id: string): void => {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported) || NOT_FOLLOWED.test(imported)) continue
      found.add(imported)
      visit(imported)
    }
  }
  visit(screen)
  return found
}

/** What draws every page, whole: parted, one half would be found in the chunk of another screen. */
const react = {
  name: 'react',
  test: /\/node_modules\/(react|react-dom|scheduler|react-router)\//,
  priority: chunks.length + 1,
}

/**
 * The groups of Rolldown's code splitting: what belongs to an earlier chunk stays out of the later
 * ones.
 */
export const chunkGroups = () => [
  react,
  ...chunks.map(({ name, screens, also }, index) => {
    let imports: readonly ReadonlySet<string>[] | undefined
    return {
      name: (id: string, graph: Graph): string | null => {
        imports ??= screens.map((screen) => importsOf(screen, graph))
        return also?.test(id) || (imports.length > 0 && imports.every((each) => each.has(id)))
          ? name
          : null
      },
      priority: chunks.length - index,
    }
  }),
]
