/** Timeouts of a client's connection, in milliseconds. */
export type Timeouts = {
  /** Timeout of a whole request's arrival. Its response may take longer. */
  readonly arrival: number
  /** Timeout of the client for each portion of a long response. */
  readonly portion: number
}

export const TIMEOUTS: Timeouts = { arrival: 10_000, portion: 5_000 }
