/** Paging, sorting, filtering and searching, shared by all lists. Every parameter is optional. */
import { z } from 'zod'
import * as validation from './validation.ts'

/** The most seconds that rows of a list may lag behind (docs/decisions/036). */
export const MOST_SECONDS_BEHIND = 5
/** The header of rows that lag: the moment that they are true for, in ISO 8601. */
export const AS_OF_HEADER = 'as-of'

/** The most rows of a page. */
export const MAXIMUM_PAGE = 1_000

export const sortOrders = ['asc', 'desc'] as const

/**
 * The number of matching rows, and the cursor of the next page or null. A search counts up to
 * 10,000 and then says `andMore`.
 */
export const pageSchema = z.object({
  total: z.number().int(),
  andMore: z.literal(true).optional(),
  next: z.string().nullable(),
})
export type Page = z.infer<typeof pageSchema>

const limitSchema = z
  .union([z.string().regex(/^\d+$/).transform(Number), z.number()], validation.limitInvalid)
  .pipe(
    z
      .number(validation.limitInvalid)
      .int(validation.limitInvalid)
      .min(0, validation.limitInvalid)
      .max(MAXIMUM_PAGE, validation.limitInvalid),
  )

// A blank search counts as none.
const searchSchema = z
  .string()
  .trim()
  .max(200, validation.searchMaximum)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), validation.textCharacters)
  .transform((text) => text || undefined)

const momentSchema = z.union([z.iso.date(), z.iso.datetime()], validation.momentInvalid)
const DAY_MS = 86_400_000

const common = {
  limit: limitSchema
    .optional()
    .describe(
      'Rows in a page, at most 1000; 0 asks for the total alone. Without it the response is the whole list, and has no `page`.',
    ),
  cursor: z
    .string()
    .max(2_000, validation.cursorInvalid)
    .optional()
    .describe('`page.next` of the response before, for the same sort and order.'),
  order: z.enum(sortOrders, validation.orderInvalid).default('desc'),
  search: searchSchema
    .optional()
    .describe(
      "A part of an owner's email or name (of a wallet's address or network), the id of a row, or an address in full; in any case.",
    ),
  from: momentSchema
    .transform((text) => new Date(text))
    .optional()
    .describe(
      'A moment `2026-01-31T00:00:00Z` or a day `2026-01-31`, UTC: rows created then or later.',
    ),
  // Passes on the first moment after the range.
  to: momentSchema
    .transform((text) => new Date(Date.parse(text) + (text.includes('T') ? 1 : DAY_MS)))
    .optional()
    .describe('Rows created until then; a day includes all of that day, a moment its millisecond.'),
}

/** The parameter of lists of staff that may come from a replica. */
export const mayLag = z
  .literal('true')
  .transform(() => true)
  .optional()
  .describe(
    `\`true\` for an export: its rows may lag up to ${MOST_SECONDS_BEHIND} seconds behind. For staff. The header \`${AS_OF_HEADER}\` then has their moment.`,
  )

/** One of `values`, or several separated by commas. */
const severalOf = <const Value extends string>(values: readonly Value[]) =>
  z
    .string(validation.filterInvalid)
    .transform((text) => text.split(','))
    .refine(
      (named): named is Value[] =>
        named.every((each) => (values as readonly string[]).includes(each)),
      validation.filterInvalid,
    )
    .optional()
    .describe(`One or several, separated by commas: ${values.join(', ')}.`)

const dollarsSchema = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,2})?$/, validation.amountUnclear)
  .transform(Number)
  .optional()

/** The filters of a list of amounts, in dollars. */
export const amountFilters = {
  amountFrom: dollarsSchema.describe('Dollars, such as `1000` or `9.99`: rows of that or more.'),
  amountTo: dollarsSchema.describe('Dollars: rows of that or less.'),
}

/** The sorts of a list, the usual one first, and the values of each filter. */
export type Offered = {
  readonly sorts: readonly [string, ...string[]]
  readonly filters: Readonly<Record<string, readonly string[]>>
}

type FilterSchemas<Filters extends Offered['filters']> = {
  [Name in keyof Filters]: ReturnType<typeof severalOf<Filters[Name][number]>>
}

/** The query of a list with these sorts and filters. */
export const listQuery = <const Offer extends Offered>({ sorts, filters }: Offer) =>
  z.object({
    ...common,
    sort: z.enum(sorts as Offer['sorts'], validation.sortInvalid).default(sorts[0] as never),
    ...(Object.fromEntries(
      Object.entries(filters).map(([name, values]) => [name, severalOf(values)]),
    ) as FilterSchemas<Offer['filters']>),
  })

/** The query that every list takes, as parsed. */
export type ListRequest<Sort extends string = string> = {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly sort: Sort
  readonly order: (typeof sortOrders)[number]
  readonly search?: string | undefined
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  readonly mayLag?: boolean | undefined
}
