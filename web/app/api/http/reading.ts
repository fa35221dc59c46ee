/** Reads responses tolerantly: the shapes of docs/product.md 10.3-10.7 and of other servers. */

type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; null for anything else. */
export const asRecord = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** Text that is not blank, or null. Numbers count as text. */
export const asText = (value: unknown): string | null => {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** A number, or null. Numbers sent as text count. */
export const asNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The first of several names with a text. */
export const firstText = (fields: Fields, ...names: readonly string[]): string | null =>
  names.reduce<string | null>((found, name) => found ?? asText(fields[name]), null)

/** True for `true` alone. */
export const asFlag = (value: unknown): boolean => value === true

/** The texts of a list. None for anything but a list. */
export const asTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** The objects of a list; null for anything but a list. */
export const asRecords = (value: unknown): readonly Fields[] | null =>
  Array.isArray(value) ? value.map(asRecord).filter((fields) => fields !== null) : null

/** Epoch numbers below this are seconds. As milliseconds they would lie before 1973. */
const FIRST_MILLISECONDS = 100_000_000_000

const validDate = (milliseconds: number): Date | null => {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? null : date
}

const fromParts = (parts: readonly unknown[]): Date | null => {
  if (
    parts.length < 3 ||
    parts.length > 7 ||
    !parts.every((part) => typeof part === 'number' && Number.isInteger(part))
  )
    return null
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, nanosecond = 0] =
    parts as readonly number[]
  const date = validDate(
    Date.UTC(year, month - 1, day, hour, minute, second, Math.floor(nanosecond / 1_000_000)),
  )
  // Date.UTC turns the 31st of February into March, so such an array is no date.
  return date?.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day
    ? date
    : null
}

const fromText = (text: string): Date | null => {
  if (/^\d{9,}$/.test(text)) return fromEpoch(Number(text))
  if (!/^\d{4}-\d{2}/.test(text)) return null
  // A time without a zone counts as UTC, as arrays do.
  const zoned = /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`
  return validDate(Date.parse(zoned))
}

const fromEpoch = (value: number): Date | null =>
  validDate(Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value)

/** A moment from an array of 3 to 7 numbers (UTC), an ISO text, or an epoch number; else null. */
export const asMoment = (value: unknown): Date | null => {
  if (Array.isArray(value)) return fromParts(value)
  if (typeof value === 'string') return fromText(value.trim())
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? fromEpoch(value) : null
}

/** True for a calendar day, which is the same in every time zone. */
export const isDay = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length === 3
    : typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value.trim())

/** Reads a field, and may look at the other fields of its record. */
type Leaf = (value: unknown, fields: Fields) => unknown

/** A field of the contract in the app: it may be missing, and moments are dates. */
type HeldValue<Value> = Value extends readonly number[]
  ? Date | null
  : Value extends string
    ? string | null
    : Value extends number
      ? number | null
      : Value extends boolean
        ? boolean
        : unknown

/** Leaves for fields of a record of the contract, each fit for its field. */
export type Shape<Contract> = {
  readonly [Name in keyof Contract]?: (
    value: unknown,
    fields: Fields,
  ) => HeldValue<NonNullable<Contract[Name]>>
}

/** Reads a record by its leaves. Anything but an object has no fields. */
export const record =
  <Leaves extends Readonly<Record<string, Leaf>>>(leaves: Leaves) =>
  (value: unknown) => {
    const fields = asRecord(value) ?? {}
    return Object.fromEntries(
      Object.entries(leaves).map(([name, read]) => [name, read(fields[name], fields)]),
    ) as { readonly [Name in keyof Leaves]: ReturnType<Leaves[Name]> }
  }

/** Reads every record of a list. Anything but a list is empty. */
export const list =
  <Row>(read: (value: unknown) => Row) =>
  (value: unknown): readonly Row[] =>
    (asRecords(value) ?? []).map(read)

/** Replaces a missing value. */
export const or =
  <Value, Otherwise>(read: (value: unknown) => Value | null, otherwise: Otherwise) =>
  (value: unknown): Value | Otherwise =>
    read(value) ?? otherwise

/** One of the given words, or null. */
export const oneOf =
  <const Word extends string>(words: readonly Word[]) =>
  (value: unknown): Word | null =>
    words.find((word) => word === value) ?? null
