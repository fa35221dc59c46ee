import { fileURLToPath } from 'node:url'

type Module = { readonly importedIds: readonly string[] }
type Graph = { readonly getModuleInfo: (id: string) => Module | null }

const app = (file: string): string => fileURLToPath(new URL(`app/${file}`, import.meta.url))

type Chunk = {
  readonly name: string
  readonly screens: readonly string[]
  /** Parts of packages, which are not followed, and modules shared with later code. */
  readonly also?: RegExp
  /** Modules that a later chunk takes, with the parts of packages that they need. */
  readonly without?: RegExp
  /** Only late code and some screens need it. */
  readonly late?: true
}

/** The form of the pages for visitors and its refusal. */
const FORM = /\/app\/(forms\/AccountForm|layout\/Refused)\.tsx$/

/**
 * A chunk holds the modules that all its screens import, so a first load is a handful of requests.
 */
const chunks: readonly Chunk[] = [
  { name: 'start', screens: [app('root.tsx')] },
  // The landing page uses no component library, so shared modules must not bring it.
  { name: 'shared', screens: [app('pages/landing/Landing.tsx'), app('Shell.tsx')] },
  // The head and the foot of public pages, which the pages of a session do not have.
  {
    name: 'site',
    screens: [],
    also: /\/app\/layout\/Site(Header|Footer)\.(tsx|module\.css)$|\/IconMenu2\.mjs$/,
  },
  {
    name: 'public',
    screens: [app('pages/landing/Landing.tsx'), app('pages/accounts/login/Login.tsx')],
  },
  {
    name: 'frame',
    screens: [app('Shell.tsx')],
    also: /\/@mantine\/(core\/esm\/core|core\/esm\/components\/(Button|UnstyledButton|Loader|Stack|Transition)|hooks\/esm\/use-(id|uncontrolled|force-update))\/|\/app\/(routes\/guards|layout\/useArrivalFocus|ui\/Rings)\.tsx?$/,
  },
  {
    name: 'account',
    screens: [app('pages/accounts/login/Login.tsx'), app('pages/accounts/register/Register.tsx')],
    without: FORM,
  },
  // Contracts of deposits name coins, which late dialogs and the page of rates alone use.
  {
    name: 'coins',
    late: true,
    screens: [],
    also: /\/contract\/(base\/assets|chain\/(quotes|rates))\.ts$/,
  },
  {
    name: 'dashboards',
    screens: [app('pages/dashboard/UserDashboard.tsx'), app('pages/admin/AdminDashboard.tsx')],
    also: /\/(IconRefresh\.mjs|app\/ui\/settling\.ts|app\/(panels\/story\/Stories|panels\/map\/Framed|layout\/AppFrame|pages\/dashboard\/Welcome)\.tsx|app\/api\/requests\/stories\.ts)$/,
  },
  {
    name: 'lists',
    screens: [
      app('pages/dashboard/UserDashboard.tsx'),
      app('pages/admin/records/TransactionsTable.tsx'),
    ],
    also: /\/(@mantine\/core\/esm\/components\/Skeleton\/.*|app\/ui\/(NetworkBadge|RelativeTime)\.tsx)$/,
  },
  // Shared by the tables of staff, and first shown by their queue.
  {
    name: 'rows',
    late: true,
    screens: [],
    also: /\/(IconFlag\.mjs|app\/tables\/(held\.ts|cells\.(tsx|module\.css)))$/,
  },
  // The rail comes once a screen is usable, with its icons, which no early screen has.
  {
    name: 'rail',
    late: true,
    screens: [],
    also: /\/app\/(panels\/map\/(Rail\.(tsx|module\.css)|useGoKeys\.ts)|api\/reports\/counts\.ts)$|\/Icon(Activity|AddressBook|ArrowsExchange|BuildingBank|CalendarEvent|Checklist|ClipboardList|Coins|DoorExit|FileCertificate|FileCheck|HandStop|HeartBroken|Home|ListDetails|ListSearch|MailX|Mailbox|Receipt|Scale|Send|ShieldLock|TopologyStar3|Users|Wallet)\.mjs$/,
  },
  // Tables of figures, which the ends of pages have.
  {
    name: 'figures',
    late: true,
    screens: [],
    also: /\/app\/(ui\/FigureTable\.(tsx|module\.css)|(panels\/paidBy\/PaidMonths|i18n\/paidMonths)\.tsx?)$/,
  },
  // Calls about mailed links, which several late screens share.
  { name: 'mailed', late: true, screens: [], also: /\/app\/api\/accounts\/(emails|resets)\.ts$/ },
  // The last one, since the dashboards share the parts of buttons.
  {
    name: 'forms',
    screens: [],
    also: new RegExp(
      `${FORM.source}|/@mantine/(form|core/esm/components/(Input|InputBase|TextInput|PasswordInput|ActionIcon|CloseButton|Alert))/`,
    ),
  },
]

/** Packages are not followed: their index names more than a screen uses. */
const NOT_FOLLOWED = /\/node_modules\//

/** A screen and all our modules that it imports at the start. */
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

/**
 * The libraries of every page in one piece. Split, one half would land in another screen's chunk.
 */
const react = {
  name: 'react',
  test: /\/node_modules\/(react|react-dom|scheduler|react-router)\//,
  priority: chunks.length + 1,
}

/** The groups of Rolldown's code splitting. Earlier chunks win. */
export const chunkGroups = () => [
  react,
  ...chunks.map(({ name, screens, also, without }, index) => {
    let imports: readonly ReadonlySet<string>[] | undefined
    return {
      name: (id: string, graph: Graph): string | null => {
        if (without?.test(id)) return null
        imports ??= screens.map((screen) => importsOf(screen, graph))
        return also?.test(id) || (imports.length > 0 && imports.every((each) => each.has(id)))
          ? name
          : null
      },
      priority: chunks.length - index,
    }
  }),
]

const early = [react, ...chunks.filter(({ late }) => !late)].map(({ name }) => name)
const EARLY = new RegExp(`/(rolldown-runtime|${early.join('|')})-`)

/** True for a file that late code brings with it. The screen that asks for it has the others. */
export const isLate = (file: string): boolean => !EARLY.test(file)
