/** The nodes of a network, in its thread (docs/decisions/079). */
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import type { Limits, Node, Unspent, Watched } from './node.ts'
import { openHere } from './openHere.ts'

/** A collection of what is watched. */
export type Kind = 'receivers' | 'inputs' | 'unspent'
/** Entries of a collection, which replace it or are added. */
export type Pack = {
  readonly kind: Kind
  readonly isNew: boolean
  readonly entries: readonly unknown[]
}

type About = {
  readonly id: number
  readonly settings: ChainSettings
  readonly limits: Omit<Limits, 'stopping'>
}

type Opened = {
  readonly node: Node
  readonly controller: AbortController
  readonly receivers: Map<string, string>
  readonly inputs: Set<string>
  readonly unspent: Map<string, Unspent>
}

const nodes = new Map<number, Opened>()

const openedOf = ({ id, settings, limits }: About): Opened => {
  const known = nodes.get(id)
  if (known) return known
  const controller = new AbortController()
  const made = {
    node: openHere(settings, { ...limits, stopping: controller.signal }),
    controller,
    receivers: new Map(),
    inputs: new Set<string>(),
    unspent: new Map(),
  }
  nodes.set(id, made)
  return made
}

/** Ends the calls under way of a node, and forgets it. */
export const close = (id: number): void => {
  nodes.get(id)?.controller.abort()
  nodes.delete(id)
}

/** Takes entries of what is watched. */
export const watch = (about: About, { kind, isNew, entries }: Pack): void => {
  const before = openedOf(about)
  // Calls under way keep the collection that they began with.
  const fresh = kind === 'inputs' ? new Set() : new Map()
  const opened = isNew ? { ...before, [kind]: fresh } : before
  nodes.set(about.id, opened)
  if (kind === 'inputs') for (const entry of entries) opened.inputs.add(entry as string)
  else
    for (const [name, value] of entries as readonly [string, never][]) opened[kind].set(name, value)
}

type WatchedNames = { readonly watched: readonly Kind[]; readonly skipsInner?: true }

/** Calls a node. The thread has all that it watches. */
export const ask = async (
  about: About,
  name: keyof Node,
  args: readonly unknown[],
): Promise<unknown> => {
  const opened = openedOf(about)
  const part = opened.node[name] as (...args: readonly unknown[]) => unknown
  return part(...args.map((each) => (isNamed(each) ? watchedOf(opened, each) : each)))
}

const isNamed = (value: unknown): value is WatchedNames =>
  typeof value === 'object' && value !== null && 'watched' in value

const watchedOf = (
  { receivers, inputs, unspent }: Opened,
  { watched, skipsInner }: WatchedNames,
): Watched => ({
  receivers,
  inputs,
  ...(watched.includes('unspent') && { unspent }),
  ...(skipsInner && { skipsInner }),
})
