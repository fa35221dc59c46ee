/** Work of a thread in tests. */
import { NodeFault } from '../chain/nodes/fault.ts'

let calls = 0

export const count = (): number => {
  calls += 1
  return calls
}

export const fail = (words: string): never => {
  throw new NodeFault('BEHIND', words)
}

export const compute = (): number => {
  for (let number = 0; ; number = (number + 1) % 1_000) if (number < 0) return number
}

export const remember = (): number => {
  const all: number[][] = []
  for (;;) all.push(Array.from({ length: 100_000 }, (_, at) => at + all.length))
}
