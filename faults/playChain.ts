/** Play chains as the cases of coins use them. Nothing here reads the product. */
import type { Coin } from '@pool/contract/base/assets'
import type { NetworkName } from '@pool/contract/base/networks'
import { startFakeNode } from '../server/testing/fakeNode.ts'
import { post } from '../server/testing/playNode.ts'

/** Coins for an address, in whole units of the coin. */
export type SentCoins = { readonly to: string; readonly units: bigint }

/** Coins for an address on a node's best chain, deep enough to count. */
export type Output = {
  /** The evidence that a credit of it has. */
  readonly key: string
  readonly height: number
  readonly to: string
  readonly coin: string
  readonly units: bigint
  readonly decimals: number
}

export type PlayChain = {
  readonly network: NetworkName
  /** Its entry in the file of `CHAINS`, at the door. */
  readonly entry: object
  readonly door: Door
  /** The blocks that confirm a payment, its own among them. */
  readonly depth: number
  readonly mine: (blocks?: number) => Promise<void>
  /** The index of a transaction's first log in its block. Undefined without one. */
  readonly logIndexOf: (transaction: string) => Promise<string | undefined>
  /** Puts new blocks past the second of now, since a block's time has no parts of a second. */
  readonly passSecond: () => Promise<unknown>
  /** Takes blocks off, and mines more than those. Of their payments only `kept` come again. */
  readonly reorganise: (depth: number, kept: readonly string[]) => Promise<void>
  /** Takes the newest block and its transaction off the chain, and out of the node. */
  readonly vanish: (transaction: string) => Promise<void>
  /** Mines a transaction that is gone. */
  readonly revive: (transaction: string) => Promise<void>
  readonly height: () => Promise<number>
  readonly hashAt: (height: number) => Promise<string>
  readonly confirmed: (addresses: readonly string[]) => Promise<readonly Output[]>
  /** Starts a second node with the same chain up to now. Both go on apart. */
  readonly fork: () => Promise<Fork>
  /** Starts a node with another chain, which is longer. */
  readonly other: () => Promise<Target & { readonly stop: () => Promise<void> }>
  readonly stop: () => Promise<void>
}

export type Fork = Target & {
  readonly mine: (blocks: number, transactions?: readonly string[]) => Promise<void>
  readonly stop: () => Promise<void>
}

export type CoinKind = { readonly network: NetworkName; readonly coin: Coin }

/** A coin on a play chain. Its payments wait for a block. */
export type PlayCoin = CoinKind & {
  readonly decimals: number
  readonly chain: PlayChain
  /** Pays all in one transaction, and returns it. */
  readonly pay: (...sent: readonly SentCoins[]) => Promise<string>
  /** Replaces a transaction by one with a higher fee for `sent`, or for strangers. */
  readonly outbid: (transaction: string, sent?: SentCoins) => Promise<string>
  /** Opens an address of ours with so many units, or more. */
  readonly ours: (units: bigint) => Promise<OurCoins>
  /** Ways that only some coins have. */
  readonly payWithFailure?: (sent: SentCoins) => Promise<string>
  /** Resolves with the node's balance of the address. */
  readonly payThroughContract?: (sent: SentCoins) => Promise<() => Promise<bigint>>
  /** Changes coins of ours for a token, in one transaction with an exchange's contract. */
  readonly convert?: (units: bigint) => Promise<string>
  readonly payUnknownToken?: (sent: SentCoins) => Promise<string>
  /** Pays with a listed token that keeps 1 %. Resolves with the token's own balance of it. */
  readonly payWithFee?: (sent: SentCoins) => Promise<() => Promise<bigint>>
  readonly mineTo?: (address: string) => Promise<void>
  /** Kills the node without warning, and starts it again once `whileDown` has ended. */
  readonly killNode?: (whileDown: () => Promise<void>) => Promise<void>
}

/** Coins of addresses that count as the pool's own. Their keys are outside the product. */
export type OurCoins = {
  readonly addresses: readonly string[]
  /** The output of Bitcoin that is spent first. */
  readonly inputs: readonly { readonly input: string; readonly units: bigint }[]
  /** Signs and sends, in as many transactions as the coin needs. They wait for a block. */
  readonly pay: (...sent: readonly SentCoins[]) => Promise<readonly string[]>
  /** Signs the newest payment again with a higher fee. */
  readonly bump: (transaction: string, sent: SentCoins) => Promise<string>
}

export type Target = { readonly url: string; readonly credentials?: (() => string) | undefined }

/** A call, or a batch of them. */
export type NodeRequest = { readonly method?: string; readonly params?: readonly unknown[] }

/** Answers a call with a text. Undefined cuts the connection. */
export type Way = (
  asked: NodeRequest,
  forward: (to?: Target) => Promise<string>,
) => Promise<string | undefined>

/** A door before a node, which can let the product see something else. */
export type Door = {
  readonly url: string
  readonly set: (way: Way) => void
  /** Lets every call through to the node. */
  readonly clear: () => void
}

export const openDoor = async (target: Target): Promise<Door> => {
  const through: Way = (_, forward) => forward()
  let way = through
  const { url } = await startFakeNode(async (asked, response) => {
    const forward = (to = target) => post(to.url, JSON.stringify(asked), to.credentials?.())
    const text = await way(asked, forward).catch(() => undefined)
    if (text === undefined) response.destroy()
    else response.end(text)
  })
  return {
    url,
    set: (next) => {
      way = next
    },
    clear: () => {
      way = through
    },
  }
}
