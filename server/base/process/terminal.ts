import { styleText } from 'node:util'
import type { DestinationStream } from 'pino'

type Line = Readonly<Record<string, unknown>> & {
  readonly level: number
  readonly time: number
  readonly msg?: string
}

/** Fields that a terminal leaves out. */
const UNSHOWN = ['level', 'time', 'pid', 'hostname', 'msg', 'reqId', 'req']
const WARNING = 40
const ERROR = 50

/** Turns a JSON line of the log into one short line of text. */
export const asText = (json: string): string => {
  const line = JSON.parse(json) as Line
  const facts = Object.entries(line)
    .filter(([name]) => !UNSHOWN.includes(name))
    .map(([name, value]) => `${name} ${shown(value)}`)
  const time = new Date(line.time).toTimeString().slice(0, 8)
  const text = escaped([line.msg, ...facts].filter(Boolean).join(' · '))
  return `  ${styleText('dim', time)}  ${coloured(line.level, text)}\n`
}

/** Writes control characters as code points, since a terminal would act on them. */
const escaped = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return String(value.length)
  if (typeof value !== 'object' || value === null) return String(value)
  return 'message' in value ? String(value.message) : JSON.stringify(value)
}

const coloured = (level: number, text: string): string => {
  if (level >= ERROR) return styleText('red', text)
  return level >= WARNING ? styleText('yellow', text) : text
}

/** Writes log lines as text. A closed terminal takes none, and the product stops of its hang-up. */
export const toTerminal = (): DestinationStream => {
  process.stdout.on('error', () => undefined)
  return { write: (json) => void process.stdout.write(asText(json)) }
}

type Fact = readonly [name: string, value: string]

/** Writes a heading and lines of facts, names in one column. */
export const printFacts = (heading: string, facts: readonly Fact[]): void => {
  const lines = facts.map(([name, value]) => `    ${styleText('dim', name.padEnd(12))} ${value}\n`)
  process.stdout.write(`\n  ${styleText('bold', heading)}\n\n${lines.join('')}\n`)
}
