import { type NetworkName, networks } from '@pool/contract/base/networks'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { openThread, PassedBound, type Thread } from '../../base/process/thread.ts'
import { NodeFault } from './fault.ts'
import { RpcRefusal } from './jsonRpc.ts'
import type { Limits, Node, Watched } from './node.ts'
import type { Kind, Pack } from './nodeWork.ts'
import { openHere } from './openHere.ts'

type NodeThread = Thread<typeof import('./nodeWork.ts')>

/** A thread for each network: a long block of one holds up no other. */
const threads = Object.fromEntries(
  networks.map(({ name }) => [
    name,
    openThread<typeof import('./nodeWork.ts')>(
      new URL('./nodeWork.ts', import.meta.url),
      // Eight blocks of 60 MB take 20 seconds, and a gigabyte.
      { mostMs: 60_000, mostMegabytes: 2_048 },
      [NodeFault, RpcRefusal],
    ),
  ]),
) as Record<NetworkName, NodeThread>

let opened = 0
/** Ends the thread's part of a node that is used no more. */
const forgotten = new FinalizationRegistry<() => void>((forget) => forget())
/** Has a scope of its own, since it outlives the node and must not keep it. */
const closerOf = (thread: NodeThread, id: number) => () => thread.tell('close', id)

/**
 * Opens the node of a network. Connects at the first call. Its answers are fetched, read and
 * judged in a thread, since a node decides how long they are (docs/decisions/079).
 */
export const openNode = (settings: ChainSettings, limits: Limits = {}): Node => {
  const thread = threads[settings.network]
  const { stopping, ...others } = limits
  opened += 1
  const about = { id: opened, settings, limits: others }
  const close = closerOf(thread, about.id)
  const pack = packer(thread, (packed) => thread.call('watch', about, packed))

  const ask = async (name: keyof Node, args: readonly unknown[]): Promise<unknown> => {
    if (stopping?.aborted) throw new NodeFault('AWAY', 'The process stops')
    stopping?.addEventListener('abort', close)
    try {
      return await pack(args, (packed) => thread.call('ask', about, name, packed))
    } catch (error) {
      if (!(error instanceof PassedBound)) throw error
      throw new NodeFault('LYING', `The answers of the node took too much of the ${error.bound}`)
    } finally {
      stopping?.removeEventListener('abort', close)
    }
  }
  // A call under way needs it, and each part of the node does. The node itself may go before.
  forgotten.register(about, close)
  return Object.fromEntries(
    Object.entries(openHere(settings, limits)).map(([name, part]) => [
      name,
      typeof part === 'function' ? (...args: unknown[]) => ask(name as keyof Node, args) : part,
    ]),
  ) as Node
}

/** Entries of one message, which take a millisecond to copy. */
const MOST_ENTRIES = 2_048

const entriesFrom = (collection: Iterable<unknown>, from: number): unknown[] => {
  const entries: unknown[] = []
  let place = 0
  for (const entry of collection) {
    if (entries.length === MOST_ENTRIES) break
    if (place >= from) entries.push(entry)
    place += 1
  }
  return entries
}

type Collections = Pick<Watched, Kind>
const kinds = ['receivers', 'inputs', 'unspent'] as const satisfies readonly Kind[]

/**
 * Sends what is watched once, and then what was added. Collections only grow, and another one
 * replaces that of its kind.
 */
const packer = (thread: NodeThread, send: (pack: Pack) => Promise<void>) => {
  let sentTo: object | undefined
  let known: Partial<Record<Kind, { readonly collection: object; sent: number }>> = {}
  let before: Promise<unknown> = Promise.resolve()

  /** The next entries that the thread lacks. Undefined where it has all. */
  const nextOf = (watched: Collections): Pack | undefined => {
    for (const kind of kinds) {
      const collection = watched[kind]
      if (!collection) continue
      const last = known[kind]
      const isNew = last?.collection !== collection
      const sent = isNew ? 0 : last.sent
      if (!isNew && sent >= collection.size) continue
      const entries = entriesFrom(collection, sent)
      known[kind] = { collection, sent: sent + entries.length }
      return { kind, isNew, entries }
    }
    return undefined
  }

  const sendAll = async (watched: Collections): Promise<void> => {
    const living = thread.current()
    if (living !== sentTo) [sentTo, known] = [living, {}]
    for (let next = nextOf(watched); next; next = nextOf(watched)) await send(next)
  }

  /** Replaces what is watched in the arguments of a call, and begins it. */
  return async <Result>(
    args: readonly unknown[],
    call: (packed: readonly unknown[]) => Promise<Result>,
  ): Promise<Result> => {
    const watched = args.find(isWatched)
    if (!watched) return call(args)
    // The calls side by side share what was sent.
    const sending = before.catch(() => undefined).then(() => sendAll(watched))
    const begun = sending.then(() => {
      const kindsOf = kinds.filter((kind) => watched[kind] !== undefined)
      const { skipsInner } = watched
      return {
        answer: call(
          args.map((each) => (each === watched ? { watched: kindsOf, skipsInner } : each)),
        ),
      }
    })
    before = begun
    return (await begun).answer
  }
}

const isWatched = (value: unknown): value is Watched =>
  typeof value === 'object' && value !== null && 'receivers' in value
