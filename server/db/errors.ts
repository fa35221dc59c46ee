import pg from 'pg'

/** The name of the constraint that an error of the database reports as violated; undefined for every other error. */
export const violatedConstraint = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.constraint : undefined)
