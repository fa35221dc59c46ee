/** The row of a rehearsal, with its clock. The owner writes it. */
import type { Pool } from 'pg'

export type Rehearsal = {
  readonly percent: number
  readonly beganAt: Date
  readonly moment: Date
  /** Cents at the begin, by account. */
  readonly opening: Readonly<Record<string, string>>
  /** Cents outstanding at the begin, by the id of each loan that pays nothing from then on. */
  readonly defaulting: Readonly<Record<string, string>>
  readonly endedAt: Date | null
}

const SELECT = `
SELECT default_percent AS percent, began_at AS "beganAt", moment, opening, defaulting, ended_at AS "endedAt"
FROM rehearsals WHERE began_at IS NOT NULL`

/** The rehearsal that was begun in this database. */
export const readRehearsal = async (owner: Pool): Promise<Rehearsal | undefined> =>
  (await owner.query<Rehearsal>(SELECT)).rows[0]

/** True for a database that `npm run restore -- BACKUP --for rehearsal` made. */
export const isCopy = async (owner: Pool): Promise<boolean> =>
  (await owner.query('SELECT FROM rehearsals')).rows.length > 0

/** Marks a restored copy, in which a wind-down may be rehearsed, and which is never served. */
export const markCopy = async (owner: Pool): Promise<void> => {
  await owner.query('INSERT INTO rehearsals DEFAULT VALUES ON CONFLICT DO NOTHING')
}

const BEGIN = `
INSERT INTO rehearsals (default_percent, began_at, moment, opening, defaulting)
VALUES ($1, $2, $2, $3, $4)
ON CONFLICT (is_one) DO UPDATE SET default_percent = EXCLUDED.default_percent, began_at = EXCLUDED.began_at,
  moment = EXCLUDED.moment, opening = EXCLUDED.opening, defaulting = EXCLUDED.defaulting
  WHERE rehearsals.began_at IS NULL`

type Beginning = Pick<Rehearsal, 'percent' | 'opening' | 'defaulting'> & { readonly at: Date }

/** Begins at this moment, unless one was begun already. */
export const beginRehearsal = async (
  owner: Pool,
  { percent, at, opening, defaulting }: Beginning,
): Promise<Rehearsal> => {
  await owner.query(BEGIN, [percent, at, JSON.stringify(opening), JSON.stringify(defaulting)])
  const begun = await readRehearsal(owner)
  if (!begun) throw new Error('the rehearsal was not begun')
  return begun
}

/** Moves the clock ahead. */
export const moveTo = async (owner: Pool, moment: Date): Promise<void> => {
  await owner.query('UPDATE rehearsals SET moment = $1', [moment])
}

export const endRehearsal = async (owner: Pool): Promise<void> => {
  await owner.query('UPDATE rehearsals SET ended_at = moment WHERE ended_at IS NULL')
}
