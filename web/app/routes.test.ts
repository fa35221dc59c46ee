import { expect, test } from 'vitest'
import routes from './routes.ts'

/** The guard of each page (docs/product.md 3.1). `e2e/routes.spec.ts` meets each as each role. */
const guards = {
  'no guard': ['/', '/pool', '/verify', '/reset', '/confirm', '/freeze', '/admin/chains', '/*'],
  'routes/loggedOutOnly.tsx': ['/login', '/register', '/forgot'],
  'routes/requireLogin.tsx': ['/dashboard', '/notices', '/security', '/statements'],
  'routes/requireStaff.tsx': [
    '/admin',
    '/admin/audit',
    '/admin/users/:id',
    '/admin/mails',
    '/admin/rates',
    '/admin/plans',
    '/admin/stress',
    '/admin/networks',
    '/admin/today',
    '/admin/wind-down',
    '/admin/reconciliation',
    '/admin/losses',
    '/admin/batches',
    '/admin/batches/:id',
    '/admin/loans/:id',
    '/admin/borrowers',
    '/admin/borrowers/:id',
    '/mailbox',
  ],
}

type Entry = (typeof routes)[number]
const guarded = (
  { file, path = '', children }: Entry,
  guard: string,
): { guard: string; path: string }[] =>
  children
    ? children.flatMap((child) => guarded(child, file.startsWith('routes/') ? file : guard))
    : [{ guard, path: `/${path}` }]

test('every page stands behind its guard', () => {
  const found = routes.flatMap((entry) => guarded(entry, 'no guard'))
  const byGuard = Object.groupBy(found, ({ guard }) => guard)
  for (const [guard, paths] of Object.entries(guards))
    expect(byGuard[guard]?.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  expect(Object.keys(byGuard).toSorted()).toEqual(Object.keys(guards).toSorted())
})
