import pg from 'pg'

/**
 * The name of the constraint that an error of the database reports as violated; undefined for every
 * other error.
 */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

// 08 connection, 53 resources, 57 operator intervention or a statement that was cut off; the others
// are Node's and the driver's own.
const UNAVAILABLE_CODE = /^(08|53|57)|^ECONN|^ENOENT$/
const UNAVAILABLE_MESSAGE = /^(timeout exceeded when trying to connect|Connection terminated)/

/**
 * Whether an error says that the database cannot be used at present, and nothing about what it was
 * asked.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (UNAVAILABLE_CODE.test('code' in error ? String(error.code) : '') ||
    UNAVAILABLE_MESSAGE.test(error.message))
