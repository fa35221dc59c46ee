/** Timeouts of a client's connection, in milliseconds. */
export type Timeouts = {
  /** Timeout of a whole request's arrival. Its response may take longer. */
  readonly arrival: number
  /** Timeout of the client for each portion of a long response. */
  readonly portion: number
  /** Timeout of a response of which the client takes nothing, beside those of its portions. */
  readonly stalled: number
  /** Waiting for a client, all portions together, after which its stream gives way to others. */
  readonly yields: number
}

export const TIMEOUTS: Timeouts = {
  arrival: 10_000,
  portion: 5_000,
  stalled: 30_000,
  yields: 10_000,
}
