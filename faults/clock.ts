/** Preloaded into a product. Shifts its clock by the milliseconds in the file CLOCK_FILE. */
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
