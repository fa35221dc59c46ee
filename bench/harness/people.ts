import type { Pool, PoolClient } from 'pg'
import {
  KEY_LENGTH,
  type Keys,
  idOf as keyIdOf,
  keysOf,
  type Secret,
} from '../../server/base/keys/keys.ts'
import { hashOf } from '../../server/base/sessions/sessions.ts'
import { microsOf, signSession } from '../../server/base/sessions/signatures.ts'
import { markedToken } from '../../server/base/sessions/tokens.ts'
import { type Entry, signEntry } from '../../server/records/audit/entry.ts'

/** The key of every stage, so that each process of a measurement knows the tokens of its people. */
const bytes = Buffer.alloc(KEY_LENGTH, 'bench')
export const benchSecret: Secret = { id: keyIdOf(bytes), bytes }
const benchKeys = keysOf([benchSecret])

/** People are numbered. Ids, emails and tokens follow from the number. */
export const tokenOf = (number: number): string =>
  markedToken(benchKeys, `bench-token-${number}`.padEnd(43, '-'))
export const idOf = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
export const emailOf = (number: number): string => `investor-${number}@example.com`
export const PASSWORD = 'a long enough password'
/** The number of the super admin who decides. */
export const STAFF = 0

const id = (number: string, kind = '0000') =>
  `('00000000-${kind}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

/** Entries in one statement. */
const AT_ONCE = 5_000

/** The audit entry of an investor's confirmed deposit. */
const confirmationOf = (number: number): Entry => ({
  by: { id: idOf(STAFF), name: emailOf(STAFF), from: 'bench' },
  action: 'deposit.confirmed',
  subject: { type: 'transaction', id: idOf(number).replace('-0000-', '-0002-') },
  ownerId: idOf(number),
  before: { status: 'PENDING' },
  after: { status: 'APPROVED', amount: Number(FUNDS) / 100 },
})

/** The first deposit of each investor, in cents. */
const FUNDS = 100_000_000_00n

/**
 * Makes the super admin and investors 1 to `count` with sessions, wallets and confirmed deposits.
 * SQL writes what the product's calls would, so `ledger:check` and `audit:check` pass.
 */
export const makePeople = async (
  pool: Pool,
  { count, passwordHash, keys }: { count: number; passwordHash: string; keys: Keys },
): Promise<void> => {
  const numbers = `generate_series(1, ${count}) AS n`
  const statements = [
    `INSERT INTO users (id, username, password_hash, first_name, last_name, country)
      SELECT ${id('n')}, 'investor-' || n || '@example.com', '${passwordHash}', 'Ada', 'Lovelace', 'US' FROM generate_series(0, ${count}) AS n`,
    `INSERT INTO user_roles (user_id, role) SELECT ${id('n')}, CASE n WHEN ${STAFF} THEN 'SUPER_ADMIN' ELSE 'USER' END FROM generate_series(0, ${count}) AS n`,
    `INSERT INTO accounts (owner_id, kind, balance) SELECT ${id('n')}, kind, 0 FROM generate_series(0, ${count}) AS n, unnest(ARRAY['available', 'held', 'invested']) AS kind`,
    `INSERT INTO wallets (id, address, network_name, owner_id) SELECT ${id('n', '0001')}, 'bench-' || n, 'Bitcoin', ${id('n')} FROM ${numbers}`,
    `INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, decided_by, created_at, updated_at)
      SELECT ${id('n', '0002')}, ${id('n')}, 'deposit', ${FUNDS}, 'APPROVED', ${id('n', '0001')}, ${id(String(STAFF))}, now() - interval '2 days', now() - interval '2 days' FROM ${numbers}`,
    `INSERT INTO movements (name, reference_id, from_account_id, to_account_id, amount)
      SELECT 'deposit_confirmed', ${id('n', '0002')}, custody.id, available.id, ${FUNDS} FROM ${numbers}
      JOIN accounts AS available ON available.owner_id = ${id('n')} AND available.kind = 'available' JOIN accounts AS custody ON custody.kind = 'custody'`,
  ]
  const client = await pool.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('BEGIN')
    for (const statement of statements) await client.query(statement)
    await startSessions(client, keys, count)
    for (let first = 1; first <= count; first += AT_ONCE) {
      const entries = Array.from({ length: Math.min(AT_ONCE, count - first + 1) }, (_, place) =>
        signEntry(keys, confirmationOf(first + place)),
      )
      await client.query('SELECT write_entries($1)', [JSON.stringify(entries)])
    }
    await client.query('COMMIT')
    // Their mails count as sent. All of one moment, they would keep the job busy for minutes.
    await client.query('UPDATE notice_mailing SET until = now()')
    await client.query('VACUUM (ANALYZE)')
    await client.query('CHECKPOINT')
  } finally {
    client.release(true)
  }
}

/** Starts a session of each person, signed as the product does. */
const startSessions = async (client: PoolClient, keys: Keys, count: number): Promise<void> => {
  const { rows } = await client.query<{ at: string }>(`SELECT ${microsOf('now()')} AS at`)
  const at = rows[0]?.at ?? ''
  const sessions = Array.from({ length: count + 1 }, (_, number) => {
    const session = { hash: hashOf(tokenOf(number)), userId: idOf(number), at }
    return { ...session, mac: signSession(keys, 'started', session) }
  })
  await client.query(
    `INSERT INTO sessions (token_hash, user_id, mac)
     SELECT decode(hash, 'hex'), "userId", mac FROM jsonb_to_recordset($1) AS s (hash text, "userId" uuid, mac text)`,
    [JSON.stringify(sessions)],
  )
}
