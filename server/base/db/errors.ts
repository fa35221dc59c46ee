import pg from 'pg'

/** Name of the constraint that a database error reports as violated. Undefined for other errors. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

/** SQLSTATE of a write to a server that takes none. It wrote nothing. */
export const READ_ONLY = '25006'

/** True for a cancelled statement, also after its timeout. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014'

// Classes 08 connection, 53 resources, 57 operator intervention. The rest are Node's and pg's own.
const UNAVAILABLE_CODE = new RegExp(
  `^(08|53|57|${READ_ONLY})|^ECONN|^(ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$`,
)
const UNAVAILABLE_MESSAGE =
  /^(timeout e|Connection terminated|Client has encountered a connection error)/

/** True when an error, or a refusal of ours, means that the database is away for every query. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'unavailable') ||
    UNAVAILABLE_CODE.test('code' in error ? String(error.code) : '') ||
    UNAVAILABLE_MESSAGE.test(error.message))

/**
 * True when another attempt to connect may soon succeed: no server answered, or it takes no writes.
 * One that lacks connections, and a pooler's refusal, stay.
 */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  isUnavailable(error) &&
  !/^(08P01|53)/.test('code' in error ? String(error.code) : '') &&
  !error.message.startsWith(NO_FREE_CONNECTION)

/** The first words of the pool's error when all its connections stayed in use. */
const NO_FREE_CONNECTION = 'timeout exceeded'

/** The constraint of the triggers that refuse rows of a closed account. */
export const ACCOUNTS_ARE_OPEN = 'accounts_are_open'
