import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Head } from '../../records/audit/seal.ts'

/** A wrong command call. Its message is the usage. */
export class UsageError extends Error {}

/** Options that take a text each. */
type Texts<Name extends string> = Readonly<Record<Name, { readonly type: 'string' }>>

/**
 * Reads the words and the options after a command. Throws a usage error for an unknown option, one
 * without its text, and an empty text, as of a variable that is not set.
 */
export const argumentsOf = <Name extends string = never>(
  usage: string,
  ...names: readonly Name[]
): { readonly words: readonly string[]; readonly options: Partial<Record<Name, string>> } => {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  const { values, positionals } = parsed(options as Texts<Name>, usage)
  const empty = [...positionals, ...Object.values(values)].some((text) => text === '')
  if (empty) throw new UsageError(`An argument is empty.\n${usage}`)
  return { words: positionals, options: values as Partial<Record<Name, string>> }
}

const parsed = (options: ParseArgsOptionsConfig, usage: string) => {
  try {
    return parseArgs({ options, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : '').split(/\.(?:\s|$)/)
    throw new UsageError(`${sentence}.\n${usage}`)
  }
}

/** Parses a logged audit head, `position hash`. Undefined for any other text. */
export const headFrom = (text: string): Head | undefined => {
  const [, position, hash] = /^(\d{1,18}) ([0-9a-f]{64})$/.exec(text) ?? []
  return position === undefined || hash === undefined
    ? undefined
    : { position: BigInt(position), hash }
}

const MOMENT =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/**
 * Parses a moment with its zone, since one without differs by machine. Undefined for any other
 * form, and for a day or an hour that no calendar has.
 */
export const momentFrom = (text: string): Date | undefined => {
  const [, wall] = MOMENT.exec(text) ?? []
  if (wall === undefined) return undefined
  // A date of JavaScript takes 30 February for 2 March, and hour 24 for the next day.
  const read = new Date(`${wall}Z`)
  const isThere = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(wall.slice(0, 16))
  return isThere ? new Date(text) : undefined
}
