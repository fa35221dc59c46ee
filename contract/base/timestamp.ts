import { z } from 'zod'

/**
 * A moment on the wire, UTC: year, month (1–12), day, hour, minute, second, nanosecond
 * (docs/product.md 10.3).
 */
export const timestampSchema = z.array(z.number().int()).length(7)
export type Timestamp = z.infer<typeof timestampSchema>

/** A calendar day on the wire, UTC: year, month (1–12), day (docs/product.md 10.3). */
export const daySchema = z.array(z.number().int()).length(3)
export type Day = z.infer<typeof daySchema>

/** A calendar month on the wire, UTC: year, month (1–12). */
export const monthSchema = z.array(z.number().int()).length(2)

export const timestampFromDate = (date: Date): Timestamp => [
  ...dayFromDate(date),
  date.getUTCHours(),
  date.getUTCMinutes(),
  date.getUTCSeconds(),
  date.getUTCMilliseconds() * 1_000_000,
]

export const dayFromDate = (date: Date): Day => [
  date.getUTCFullYear(),
  date.getUTCMonth() + 1,
  date.getUTCDate(),
]

/** Drops what is smaller than a millisecond. */
export const dateFromTimestamp = ([
  year = 0,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
  nanosecond = 0,
]: Timestamp): Date =>
  new Date(Date.UTC(year, month - 1, day, hour, minute, second, nanosecond / 1_000_000))
