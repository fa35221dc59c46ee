import { join } from 'node:path'

/** Pools of released versions, made by `makeRelease.ts`. */
export const RELEASES = join(import.meta.dirname, 'releases')

/** Contents of a released pool. Balances are in dollars. */
export type Kept = {
  readonly version: string
  readonly investors: readonly {
    readonly username: string
    readonly password: string
    readonly balance: number
  }[]
}
