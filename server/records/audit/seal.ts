import { type Kysely, sql } from 'kysely'
import { isUnavailable } from '../../base/db/errors.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys, Mark } from '../../base/keys/keys.ts'
import { takeLock } from '../../base/locks.ts'
import type { Log } from '../../base/process/log.ts'
import type { WithDb, WithKeys, WithOutages } from '../../http/context.ts'
import { type EntryRow, verdictOn } from './entry.ts'

/** Entries sealed in one transaction: few, so that other processes wait briefly. */
const BATCH = 250
/** Milliseconds between two rounds: after one with entries, and at most. */
const PAUSE_MS = { least: 500, most: 2_000 }
/** The least time between two log lines with the head of the chain. */
const HEAD_LOGGED_EVERY_MS = 60_000

/**
 * The end of the chain. It is logged because a copy elsewhere shows a chain cut off or replaced.
 */
export type Head = Mark

/** The end of the chain, undefined while it is empty. */
export const auditHead = async (db: Kysely<Schema>): Promise<Head | undefined> => {
  const { rows } =
    await sql<Head>`SELECT position, encode(hash, 'hex') AS hash FROM audit_seals ORDER BY position DESC LIMIT 1`.execute(
      db,
    )
  return rows[0]
}

/** The seal of an entry's content after the hash `previous`, by the newest key or that of `id`. */
export const sealOf = (
  keys: Keys,
  { previous, content }: { readonly previous: string; readonly content: string },
  id?: string,
) => {
  const [keyId = '', hash = ''] = keys.sign('audit seal', `${previous}\n${content}`, id).split(':')
  return { keyId, hash }
}

type UnsealedEntry = EntryRow & { readonly id: bigint; readonly content: string }

/** The result of a round: entries sealed, and the ids of entries without a valid signature. */
export type Sealed = { readonly sealed: number; readonly unsigned: readonly bigint[] }

/**
 * Appends every waiting signed entry to the chain. Several processes may do so at once. An unsigned
 * entry, and one by a leaked key, goes on waiting and is reported.
 */
export const sealAudit = async ({ db, keys }: WithDb & WithKeys): Promise<Sealed> => {
  let sealed = 0
  const unsigned: bigint[] = []
  for (let after = 0n; ; ) {
    const batch = await sealBatch({ db, keys }, after)
    sealed += batch.signed.length
    unsigned.push(...batch.unsigned)
    if (batch.last === undefined) return { sealed, unsigned }
    after = batch.last
  }
}

/** Seals the signed ones of the next waiting entries. `last` is undefined after the last batch. */
const sealBatch = async ({ db, keys }: WithDb & WithKeys, after: bigint) => {
  const first = await db
    .selectFrom('audit_unsealed')
    .select('entry_id')
    .where('entry_id', '>', after)
    .limit(1)
    .executeTakeFirst()
  if (!first) return { signed: [], unsigned: [], last: undefined }
  return db.transaction().execute(async (transaction) => {
    // There is one chain, so one process seals.
    await takeLock(transaction, 'seals')
    const waiting = await entriesWaiting(transaction, after)
    const signed = waiting.filter((entry) => verdictOn(keys, entry) === 'valid')
    await append(transaction, keys, signed)
    const unsigned = waiting.filter((entry) => !signed.includes(entry)).map(({ id }) => id)
    return { signed, unsigned, last: waiting.length < BATCH ? undefined : waiting.at(-1)?.id }
  })
}

const entriesWaiting = async (
  db: Kysely<Schema>,
  after: bigint,
): Promise<readonly UnsealedEntry[]> => {
  // Looks each entry up by its id. OFFSET 0 keeps the planner from joining in another way.
  await sql`SET LOCAL enable_seqscan = off`.execute(db)
  const { rows } = await sql<UnsealedEntry>`
    SELECT found.* FROM (SELECT entry_id FROM audit_unsealed WHERE entry_id > ${after} ORDER BY entry_id LIMIT ${BATCH}) AS waiting
    CROSS JOIN LATERAL (SELECT e.*, audit_content(e) AS content FROM audit_entries AS e WHERE e.id = waiting.entry_id OFFSET 0) AS found
    ORDER BY found.id`.execute(db)
  return rows
}

const append = async (
  db: Kysely<Schema>,
  keys: Keys,
  entries: readonly UnsealedEntry[],
): Promise<void> => {
  if (entries.length === 0) return
  const head = await auditHead(db)
  let { position, hash } = head ?? { position: 0n, hash: '' }
  const seals = entries.map(({ id, content }) => {
    position += 1n
    const seal = sealOf(keys, { previous: hash, content })
    hash = seal.hash
    return { position, entry_id: id, hash: Buffer.from(hash, 'hex'), key_id: seal.keyId }
  })
  await db.insertInto('audit_seals').values(seals).execute()
  await sql`DELETE FROM audit_unsealed WHERE entry_id = ANY (${entries.map(({ id }) => id)})`.execute(
    db,
  )
}

/**
 * Seals new entries on every node, off the money path. `stop` seals once more and resolves when
 * done.
 */
export const startSealing = (
  context: WithDb & WithKeys & WithOutages,
  log: Log,
): { readonly stop: () => Promise<void> } => {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let stopped = false
  let logged = { at: 0, position: 0n }
  let known: readonly bigint[] = []
  let pause = PAUSE_MS.least

  const logHead = async () => {
    const head = await auditHead(context.db)
    if (head && head.position !== logged.position)
      log.info({ position: String(head.position), hash: head.hash }, 'head of the audit chain')
    logged = { at: Date.now(), position: head?.position ?? 0n }
  }
  const warnOf = (unsigned: readonly bigint[]) => {
    const found = unsigned.filter((id) => !known.includes(id))
    if (found.length > 0)
      log.error(
        { entries: found.map(String) },
        'entries of the audit trail that this product did not sign, or with a leaked key, are not sealed',
      )
    known = unsigned
  }
  const seal = async () => {
    try {
      const { sealed, unsigned } = await sealAudit(context)
      // An idle pool rests, and the first entry after it waits longer.
      pause = sealed > 0 ? PAUSE_MS.least : Math.min(PAUSE_MS.most, pause * 2)
      context.outages.answered('sealing')
      warnOf(unsigned)
      if (stopped || Date.now() - logged.at >= HEAD_LOGGED_EVERY_MS) await logHead()
    } catch (err) {
      pause = PAUSE_MS.least
      if (isUnavailable(err)) context.outages.failed('sealing', err)
      else log.error({ err }, 'sealing the audit trail failed, and is retried')
    }
  }
  const next = () => {
    round = seal().then(() => {
      if (!stopped) timer = setTimeout(next, pause).unref()
    })
  }
  next()

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await round
      await seal()
    },
  }
}
