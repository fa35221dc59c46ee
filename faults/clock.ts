/**
 * Preloaded into a product: its clock is off by as many milliseconds as the file named by
 * CLOCK_FILE says, from one moment to the next.
 */
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_FILE ?? ''
const trueNow = Date.now.bind(Date)
let offset = 0
setInterval(() => {
  offset = Number(readFileSync(file, 'utf8')) || 0
}, 20).unref()

const now = (): number => trueNow() + offset
globalThis.Date = new Proxy(Date, {
  construct: (target, values: []) =>
    values.length === 0 ? new target(now()) : new target(...values),
  apply: () => new Date(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
