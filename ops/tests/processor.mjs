import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in `/proc`, on each Linux that Node runs on. */
const TICKS = 100

/** Parent, and ticks of a processor with those of the children that ended. */
const statOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in brackets and may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}

/**
 * Seconds of a processor that this process and all that it started have taken. Undefined without
 * `/proc`. A busy machine changes it little, as it counts no waiting.
 */
export const processorSeconds = () => {
  if (statOf(process.pid) === undefined) return undefined
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined)
  const own = new Set([process.pid])
  for (let size = 0; size !== own.size; ) {
    size = own.size
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid)
  }
  return all.reduce((sum, { pid, ticks }) => sum + (own.has(pid) ? ticks : 0), 0) / TICKS
}
