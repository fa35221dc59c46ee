import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/**
 * The random bytes of 256 ids, drawn at once: a draw for each would cost more than all the rest of
 * it.
 */
const entropy = Buffer.alloc(256 * 16)
let drawn = entropy.length

const draw = (): Buffer => {
  if (drawn === entropy.length) {
    randomFillSync(entropy)
    drawn = 0
  }
  drawn += 16
  return entropy.subarray(drawn - 16, drawn)
}

let millisecond = 0
let sequence = 0

/**
 * A new id: a UUID of version 7. Those of one process sort in the order in which they were made,
 * also when a group writes many rows at one moment.
 */
export const newId = (): string => {
  const random = draw()
  const now = Date.now()
  if (now > millisecond) {
    millisecond = now
    sequence = random.readUInt32BE() >>> 1
  } else {
    sequence += 1
  }
  return v7({ random, msecs: millisecond, seq: sequence })
}
