import pg from 'pg'
import { median } from './arithmetic.ts'
import { connectionOf } from './yardsticks.ts'

/** Medians in milliseconds, each of one message on an idle connection. */
export type TwoPhase = {
  /** An empty query: the way there and back. */
  readonly roundTrip: number
  /** BEGIN, the change of an account, and a new row. */
  readonly change: number
  readonly commit: number
  readonly prepare: number
  readonly commitPrepared: number
}

/** Measures the parts of a commit in one phase and in two. Needs `max_prepared_transactions`. */
export const twoPhaseOf = async (pool: pg.Pool, times: number): Promise<TwoPhase> => {
  await pool.query('DROP DATABASE IF EXISTS bare').then(() => pool.query('CREATE DATABASE bare'))
  const client = new pg.Client(connectionOf(pool, 'bare'))
  await client.connect()
  try {
    await client.query(
      'CREATE TABLE account (id int PRIMARY KEY, balance bigint); CREATE TABLE entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account int, amount bigint)',
    )
    await client.query('INSERT INTO account SELECT n, 0 FROM generate_series(1, 1000) AS n')
    const timed = async (text: string): Promise<number> => {
      const since = performance.now()
      await client.query(text)
      return performance.now() - since
    }
    const change = () => {
      const account = 1 + Math.floor(Math.random() * 1_000)
      return timed(
        `BEGIN; UPDATE account SET balance = balance + 10 WHERE id = ${account}; INSERT INTO entry (account, amount) VALUES (${account}, 10)`,
      )
    }
    const rows: TwoPhase[] = []
    while (rows.length < times) {
      rows.push({
        roundTrip: await timed(''),
        change: await change(),
        commit: await timed('COMMIT'),
        prepare: await change().then(() => timed("PREPARE TRANSACTION 'bench'")),
        commitPrepared: await timed("COMMIT PREPARED 'bench'"),
      })
    }
    const of = (name: keyof TwoPhase) => median(rows.map((row) => row[name]))
    return {
      roundTrip: of('roundTrip'),
      change: of('change'),
      commit: of('commit'),
      prepare: of('prepare'),
      commitPrepared: of('commitPrepared'),
    }
  } finally {
    await client.end()
  }
}
