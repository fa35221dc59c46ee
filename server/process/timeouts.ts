/** How long the product waits for the other end of a connection, in milliseconds. */
export type Timeouts = {
  /** A request must arrive whole within this time; its answer may take longer. */
  readonly arrival: number
  /** Each portion of a long answer must be taken within this time. */
  readonly portion: number
}

export const TIMEOUTS: Timeouts = { arrival: 10_000, portion: 5_000 }
