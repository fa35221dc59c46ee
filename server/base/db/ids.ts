import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes of 256 ids, drawn at once. Single draws would take most of an id's time. */
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

/** Returns a new UUID version 7. Ids of one process sort by creation, even within a millisecond. */
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
