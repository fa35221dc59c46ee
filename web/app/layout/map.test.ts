import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@pool/contract/base/languages'
import { expect, test } from 'vitest'
import routes from '../routes.ts'
import { mayRead, pageAt, pageNames, pages, pagesFor, placeOf } from './map.ts'

type Entry = (typeof routes)[number]
const pathsOf = ({ path, children }: Entry): readonly string[] =>
  children ? children.flatMap(pathsOf) : [`/${path ?? ''}`]

/** Pages of visitors, pages that mails open, and old addresses. */
const UNMAPPED = [
  ['/', '/login', '/register', '/forgot'],
  ['/reset', '/confirm', '/freeze'],
  ['/admin/chains', '/*'],
].flat()

test('every route is a page of the map', () => {
  const mapped = pageNames.flatMap((page) => {
    const { path, details } = placeOf(page)
    const { pathname } = new URL(path, 'http://of.page')
    return details === undefined ? [pathname] : [pathname, `${details}:id`]
  })
  expect([...new Set([...mapped, ...UNMAPPED])].toSorted()).toEqual(
    routes.flatMap(pathsOf).toSorted(),
  )
})

test('every page has a key of its own', () => {
  const keys = pageNames.map((page) => pages[page].key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.every((key) => /^[a-z]$/.test(key))).toBe(true)
})

test('every page has one name in each catalogue', () => {
  const read = (language: string, file: string) =>
    JSON.parse(
      readFileSync(join(import.meta.dirname, '../i18n', language, `${file}.json`), 'utf8'),
    ) as Record<string, string>
  // Public pages keep their own title, so that no visitor loads the map.
  for (const language of languages)
    for (const page of ['pool', 'verify'] as const)
      expect(read(language, page).title).toBe(read(language, 'map')[page])
})

test('no page names itself beside the map', () => {
  const named = globSync('../pages/**/*.tsx', { cwd: import.meta.dirname })
    .filter((file) =>
      /<StaffPage[^>]*\bheading=/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
    )
    .toSorted()
  expect(named).toEqual([])
})

test('a role is shown only what it may read', () => {
  expect(pagesFor('client')).toEqual(['home', 'statements', 'notices', 'security', 'pool'])
  expect(pagesFor('admin')).not.toContain('stress')
  expect(pagesFor('AUDITOR')).toContain('stress')
  expect(pagesFor('AUDITOR')).not.toContain('pauses')
  for (const role of ['admin', 'AUDITOR', 'SUPER_ADMIN'] as const)
    expect(pagesFor(role).every((page) => mayRead(role, page))).toBe(true)
})

test('tabs and rows are places of their page', () => {
  expect(pageAt('/admin', '')).toBe('decisions')
  expect(pageAt('/admin', '?tab=loans&loans-late=late1')).toBe('loans')
  expect(pageAt('/admin/loans/1', '')).toBe('loans')
  expect(pageAt('/admin/users/1', '?transaction=2')).toBe('users')
  expect(pageAt('/admin/batches/1', '')).toBe('batches')
  expect(pageAt('/login', '')).toBeUndefined()
})
