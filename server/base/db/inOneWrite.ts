import type { Client } from 'pg'

/**
 * Sends the queries that `ask` makes before its first `await` in one write. A write wakes the
 * database, which costs both sides more than a short query.
 */
export const inOneWrite = <T>({ connection }: Client, ask: () => T): T => {
  connection.stream.cork()
  try {
    return ask()
  } finally {
    connection.stream.uncork()
  }
}
