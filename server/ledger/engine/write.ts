/** Writes the accepted operations of a group, and commits. */
import type { RowsToWrite, RowToWrite, Statement } from '../families/movement.ts'
import type { Operation } from '../families/movements.ts'
import type { Accepted, Transfer, Verdict } from './decide.ts'
import type { GroupClient, GroupFacts } from './facts.ts'

const ENTRIES: Statement = {
  name: 'write_entries',
  text: 'SELECT write_entries(entries) FROM unnest($1::jsonb[]) AS entries',
}

const KEYS: Statement = {
  name: 'keys',
  text: `
INSERT INTO idempotency_keys (actor_id, key, request_hash, outcome)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[])`,
}

/** Written last: their trigger writes the balances. */
const MOVEMENTS: Statement = {
  name: 'movements',
  text: `
INSERT INTO movements
  (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest)
SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])`,
}

/** An outcome that an earlier group committed, so that there is nothing to write. */
const isRepeat = ({ accepted, outcome }: Verdict): boolean =>
  accepted
    ? accepted.ruling.movesNothing === true && !accepted.ruling.entry
    : !('refused' in outcome)

/**
 * Its commit waits until a standby has it, and with it all that came before. A commit that changes
 * nothing does not wait.
 */
const AFTER_ALL_BEFORE = "SELECT pg_logical_emit_message(true, 'repeat', '')"

/**
 * Writes the verdicts on the operations and commits. One round trip. The outcome of a repeat may
 * have been committed without a standby, so it is answered once one has it.
 */
export const writeAndCommit = async (
  client: GroupClient,
  operations: readonly Operation[],
  facts: GroupFacts,
  verdicts: readonly Verdict[],
): Promise<void> => {
  await Promise.all([
    ...writes(client, operations, facts, verdicts),
    ...(verdicts.some(isRepeat) ? [client.query(AFTER_ALL_BEFORE)] : []),
    client.query('COMMIT'),
  ])
}

/** The statements that write the verdicts on the operations, as sent. */
export const writes = (
  client: GroupClient,
  operations: readonly Operation[],
  { states }: GroupFacts,
  verdicts: readonly Verdict[],
): readonly Promise<unknown>[] => {
  const accepted = verdicts.flatMap((verdict) => verdict.accepted ?? [])
  const noted = [...states].flatMap(([reading, state]) => reading.write?.(state) ?? [])
  const joint = [...rowsOf(accepted), keysOf(operations, verdicts), movementsOf(accepted)]
  return [
    ...[...noted, entriesOf(accepted)].filter(hasRows).map((each) => client.query(alone(each))),
    client.query(together(joint.filter(hasRows))),
  ]
}

const hasRows = ({ rows }: RowsToWrite): boolean => rows.length > 0

const alone = ({ into: { name, text }, rows }: RowsToWrite) => ({
  name,
  text,
  values: columnsOf(rows),
})

const texts = new Map<string, string>()

/** One statement for several, which spares the database the start and end of each. */
const together = (all: readonly RowsToWrite[]) => {
  const name = all.map(({ into }) => into.name).join(' ') || 'nothing'
  let text = texts.get(name)
  if (text === undefined) {
    let before = 0
    const parts = all.map(({ into, rows }) => {
      const first = before
      before += rows[0]?.length ?? 0
      return `${into.name} AS (${into.text.replaceAll(/\$(\d+)/g, (_, n) => `$${first + Number(n)}`)})`
    })
    text = parts.length > 0 ? `WITH ${parts.join(', ')} SELECT` : 'SELECT'
    texts.set(name, text)
  }
  return { name, text, values: all.flatMap(({ rows }) => columnsOf(rows)) }
}

const columnsOf = (rows: readonly (readonly unknown[])[]): unknown[] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))

/** The rows of the rulings by statement, in one order: few joint statements are prepared. */
const rowsOf = (accepted: readonly Accepted[]): readonly RowsToWrite[] => {
  const all = new Map<Statement, RowToWrite['values'][]>()
  for (const { ruling } of accepted)
    for (const { into, values } of ruling.rows ?? []) {
      const rows = all.get(into)
      if (rows) rows.push(values)
      else all.set(into, [values])
    }
  return [...all]
    .map(([into, rows]) => ({ into, rows }))
    .sort((a, b) => (a.into.name < b.into.name ? -1 : 1))
}

const entriesOf = (accepted: readonly Accepted[]): RowsToWrite => {
  const entries = accepted.flatMap(({ ruling: { entry, more = [] } }) => [
    ...(entry ? [entry] : []),
    ...more,
  ])
  return { into: ENTRIES, rows: entries.length > 0 ? [[JSON.stringify(entries)]] : [] }
}

/** In one order, so that two processes with the same keys cannot deadlock. */
const keysOf = (operations: readonly Operation[], verdicts: readonly Verdict[]): RowsToWrite => {
  const rows = operations.flatMap((operation, position) => {
    const idempotency = 'idempotency' in operation ? operation.idempotency : undefined
    const { keep, outcome } = verdicts[position] ?? {}
    if (!idempotency || !keep) return []
    const { actorId, key, requestHash } = idempotency
    return [
      { name: `${actorId} ${key}`, row: [actorId, key, requestHash, JSON.stringify(outcome)] },
    ]
  })
  return {
    into: KEYS,
    rows: rows.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row),
  }
}

const movementsOf = (accepted: readonly Accepted[]): RowsToWrite => ({
  into: MOVEMENTS,
  rows: accepted.flatMap(
    ({ operation: { movement, id }, transfers: [moved, interest], companion }) => [
      ...(moved
        ? [
            [
              id,
              movement,
              moved.from,
              moved.to,
              moved.amount,
              interest?.from,
              interest?.to,
              interest?.amount,
            ],
          ]
        : []),
      ...(companion ? [[id, companion.name, ...rowOf(companion.transfer), null, null, null]] : []),
    ],
  ),
})

const rowOf = ({ from, to, amount }: Transfer) => [from, to, amount]
