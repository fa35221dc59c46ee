import { type RawBuilder, sql } from 'kysely'

/** Hours in which a user can request no withdrawal, so that the owner can object. */
const COOLDOWN_HOURS = 24

/** The end of a cooldown of withdrawals that begins now. */
export const cooldownEnd: RawBuilder<Date> = sql<Date>`now() + make_interval(hours => ${COOLDOWN_HOURS})`
