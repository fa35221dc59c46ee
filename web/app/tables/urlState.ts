/**
 * The state of a list in the URL. Unknown names and values are ignored, since any URL can be typed.
 */
import type * as Contract from '@pool/contract/base/lists'
import type { ListQuery } from '../api/http/lists.ts'

/** The parameters of every list, by their names on the wire. Filters come on top. */
const common = ['search', 'from', 'to', 'sort', 'order'] as const
/** The query that a URL holds, by name; empty for none. */
export type UrlQuery = Readonly<Record<(typeof common)[number], string> & Record<string, string>>

/** The cursor of a page, and the number of rows before it. */
export type Place = { readonly cursor: string | undefined; readonly skipped: number }

type NamedFilter = {
  readonly name: string
  readonly label: string
  /** No index serves it, so a long list is without. */
  readonly isBounded?: boolean
}
/** A choice of a filter. Each of many names its group. */
export type Choice = { readonly value: string; readonly label: string; readonly group?: string }
/** A filter with several choices. */
export type Choices = NamedFilter & {
  readonly kind: 'choices'
  readonly choices: readonly Choice[]
}
/** A filter by choices, or by the ends of a range of amounts or days. */
export type Filter = Choices | (NamedFilter & { readonly kind: 'amounts' | 'days' })

/** The filter of every list by the day of creation. */
export const dayFilter = (label: string): Filter => ({ kind: 'days', name: 'created', label })

/** The parameters of a filter. */
export const parametersOf = ({ kind, name }: Filter): readonly string[] => PARAMETERS[kind](name)

const PARAMETERS: Readonly<Record<Filter['kind'], (name: string) => readonly string[]>> = {
  choices: (name) => [name],
  amounts: (name) => [`${name}From`, `${name}To`],
  days: () => ['from', 'to'],
}

/** The changes that remove these filters. */
export const without = (filters: readonly Filter[]): Readonly<Record<string, string>> =>
  Object.fromEntries(filters.flatMap(parametersOf).map((name) => [name, '']))

/** Dollars as the server takes them, or an empty text. */
export const dollarsIn = (text: string): string =>
  /^\d{1,8}(\.\d{1,2})?$/.test(text.trim()) ? text.trim() : ''

type FilterWords<Value extends string> = {
  readonly label: string
  readonly nameOf: (value: Value) => string
  readonly groupOf?: (value: Value) => string
  readonly isBounded?: boolean
}

/** Every filter of the contract for a list, in words. */
export const filtersOf = <const Offer extends Contract.Offered>(
  { filters }: Offer,
  words: {
    readonly [Name in keyof Offer['filters']]: FilterWords<Offer['filters'][Name][number]>
  },
): readonly Choices[] =>
  Object.entries(filters).map(([name, values]) => {
    const { nameOf, groupOf, ...more } = words[name] as FilterWords<string>
    const choices = values.map((value) => ({
      value,
      label: nameOf(value),
      ...(groupOf && { group: groupOf(value) }),
    }))
    return { kind: 'choices', name, ...more, choices }
  })

/** The sorts and filters of a list on the screen. */
export type Offered = { readonly sorts: readonly string[]; readonly filters: readonly Filter[] }

const namesOf = ({ filters }: Offered): readonly string[] => [
  ...common,
  ...filters.flatMap(parametersOf),
]

export const PAGE_SIZES = [25, 50, 100, 500] as const
export const USUAL_SIZE = 50

/** The longest search and the longest cursor that the server takes. */
export const LONGEST_SEARCH = 200
const LONGEST_CURSOR = 2_000

/** A search as the server takes it, with spaces for control characters. */
export const searchable = (typed: string): string => typed.replace(/\p{Cc}/gu, ' ').trim()

const offeredOf = (values: string, { choices }: Choices): string => {
  const named = values.split(',')
  return choices
    .map(({ value }) => value)
    .filter((value) => named.includes(value))
    .join(',')
}

/** Start and end of the reader's day as moments; empty for a day that the calendar lacks. */
const momentOf = (day: string, time: string): string => {
  const moment = new Date(`${day}T${time}`)
  const isReal = /^\d{4}-\d\d-\d\d$/.test(day) && moment.getDate() === Number(day.slice(8))
  const text = isReal ? moment.toISOString() : ''
  // Years above 9999 begin with a sign, which the server refuses.
  return /^\d/.test(text) ? text : ''
}
const beginningOf = (day: string): string => momentOf(day, '00:00:00')
const endOf = (day: string): string => momentOf(day, '23:59:59.999')

type ReadParameter = (key: string) => string

const askedOf = (key: string, read: ReadParameter, { sorts, filters }: Offered): string => {
  const value = read(key)
  switch (key) {
    case 'search':
      return searchable(value).length > LONGEST_SEARCH ? '' : searchable(value)
    case 'from':
      return beginningOf(value) && value
    case 'to':
      return endOf(value) && value
    case 'sort':
      return sorts.includes(value) ? value : ''
    case 'order':
      return value === 'asc' || value === 'desc' ? value : ''
    default: {
      const filter = filters.find((each) => parametersOf(each).includes(key))
      return filter ? filteredOf(filter, value) : ''
    }
  }
}

/** A value of a filter as the server takes it. */
const filteredOf = (filter: Filter, value: string): string => {
  switch (filter.kind) {
    case 'choices':
      return offeredOf(value, filter)
    case 'amounts':
      return dollarsIn(value)
    case 'days':
      // Every list has `from` and `to`, which are read with the others of all lists.
      return ''
  }
}

const readerOf =
  (url: URLSearchParams, name: string): ReadParameter =>
  (key) =>
    url.get(`${name}-${key}`) ?? ''

/** The query of the list `name` in a URL; empty for values that the list does not offer. */
export const readAsked = (url: URLSearchParams, name: string, offered: Offered): UrlQuery => {
  const read = readerOf(url, name)
  return Object.fromEntries(
    namesOf(offered).map((key) => [key, askedOf(key, read, offered)]),
  ) as UrlQuery
}

/** The query for the server. */
export const queryOf = (values: UrlQuery): ListQuery => {
  const moments = { from: beginningOf(values.from), to: endOf(values.to) }
  return Object.fromEntries(
    Object.entries({ ...values, ...moments }).filter(([, value]) => value !== ''),
  )
}

/** The page that a URL names, the first by default, and the size of pages. */
export const readPlace = (
  url: URLSearchParams,
  name: string,
): Place & { readonly size: number } => {
  const read = readerOf(url, name)
  const cursor = read('cursor').length <= LONGEST_CURSOR ? read('cursor') : ''
  const skipped = cursor && /^\d{1,9}$/.test(read('skipped')) ? Number(read('skipped')) : 0
  return {
    cursor: cursor || undefined,
    skipped,
    size: PAGE_SIZES.find((each) => String(each) === read('size')) ?? USUAL_SIZE,
  }
}

export const FIRST_PAGE = { cursor: '', skipped: '' }
export const nothingAsked = (offered: Offered): Readonly<Record<string, string>> =>
  Object.fromEntries(namesOf(offered).map((key) => [key, '']))

/**
 * The URL with other values for the list `name`. Empty values leave it, and other lists keep
 * theirs.
 */
export const urlWith = (
  url: URLSearchParams,
  name: string,
  changes: Readonly<Record<string, string>>,
): URLSearchParams => {
  const next = new URLSearchParams(url)
  for (const [key, value] of Object.entries(changes))
    value ? next.set(`${name}-${key}`, value) : next.delete(`${name}-${key}`)
  return next
}
