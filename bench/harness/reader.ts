/** Reads a prepared chain in a process of its own: by the product's follower, or by bare calls. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { PRODUCT } from '../../ops/product.mjs'
import type { ChainSettings } from '../../server/base/configuration/chainsFile.ts'
import type { PreparedChain } from '../../server/testing/preparedNode.ts'

/** Eight blocks are asked for at once by both ways. */
export const AT_ONCE = 8

export type ReaderSetup = {
  readonly settings: ChainSettings
  readonly blocks: number
  /** The data directory of the product that follows. The calls are bare without it. */
  readonly dataDir?: string
}

export type ReaderFigures = {
  readonly seconds: number
  /** Seconds in which the watched addresses were first read. */
  readonly loading: number
  /** Resident memory in megabytes after a tenth of the blocks, and at the end. */
  readonly early: number
  readonly late: number
}

const FILE = join(import.meta.dirname, 'readerProcess.ts')

const ended = (code: number | null): Error => new Error(`the reader ended with ${code}`)

/** Reads all blocks. Throws when the process fails. */
export const read = (reading: ReaderSetup): Promise<ReaderFigures> =>
  new Promise((resolve, reject) => {
    const child = fork(FILE, { execArgv: PRODUCT.slice(0, -1) })
    child.once('message', (result) => resolve(result as ReaderFigures))
    child.once('exit', (code) => reject(ended(code)))
    child.send({ reading })
  })

/** Starts a node with a prepared chain in a process of its own. */
export const serve = (chain: PreparedChain) =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve, reject) => {
    const child = fork(FILE)
    child.once('message', (url) => resolve({ url: String(url), stop: () => child.kill() }))
    child.once('exit', (code) => reject(ended(code)))
    child.send({ chain })
  })
