/** The JSON file that `CHAINS` names: the operator's node of each network. */
import { readFileSync } from 'node:fs'
import { type Family, type NetworkName, networks } from '@pool/contract/base/networks'
import { z } from 'zod'
import { ethereum } from '../chains/ethereum.ts'
import { bitcoinChains } from '../chains/genesis.ts'
import { isSolanaKey } from '../chains/solana.ts'
import { fromRoot, isLoopback } from './environment.ts'

export type Token = {
  readonly symbol: string
  /** In lower case. */
  readonly contract: string
  readonly decimals: number
}

type Common = {
  readonly network: NetworkName
  /** Has secrets: never logged, shown or stored. */
  readonly url: string
  /** A file with `user:password`, such as the cookie of Bitcoin Core. It is read at each use. */
  readonly credentialsFile?: string | undefined
  /** The pause between two looks. */
  readonly pollSeconds: number
  /** Minutes without a new block after which the node counts as stuck. */
  readonly stuckAfterMinutes: number
}

/** Payments of up to so many dollars are confirmed by fewer blocks. */
type Depths = {
  readonly smallUpTo: number
  /** Undefined where a small payment waits as any other. */
  readonly smallConfirmations?: number | undefined
}
export type BitcoinSettings = Common &
  Depths & {
    readonly kind: 'bitcoin'
    /** The hash of the first block. */
    readonly genesis: string
    /** Blocks that confirm a payment, its own among them. */
    readonly confirmations: number
  }
export type EvmSettings = Common &
  Depths & {
    readonly kind: 'evm'
    readonly chainId: number
    readonly tokens: readonly Token[]
    /** True where the node traces blocks, so that coins sent by contracts are found. */
    readonly traces?: boolean | undefined
    /** Minutes without a newly finalized block after which staff are told. */
    readonly unfinalAfterMinutes: number
    /** The websocket on which the node tells of new blocks. Has secrets, as `url`. */
    readonly pushUrl?: string | undefined
  }
export type Mint = {
  readonly symbol: string
  readonly mint: string
  readonly decimals: number
}
export type SolanaSettings = Common & {
  readonly kind: 'solana'
  /** The hash of the first block, which names the cluster. */
  readonly genesis: string
  readonly tokens: readonly Mint[]
}
export type ChainSettings = BitcoinSettings | EvmSettings | SolanaSettings

const whole = (least: number, most: number) => {
  const sentence = `must be a whole number from ${least} to ${most}`
  return z.number(sentence).int(sentence).min(least, sentence).max(most, sentence)
}
const wholeNumber = (least: number, most: number, otherwise: number) =>
  whole(least, most).default(otherwise)

const urlOf = (protocol: RegExp, sentence: string) =>
  z
    .string('must be the URL of the node')
    .refine((text) => protocol.test(URL.parse(text)?.protocol ?? ''), sentence)
    .refine((text) => !text.includes('#'), 'must have no #')

const common = {
  url: urlOf(/^https?:$/, 'must be an http:// or https:// URL'),
  credentialsFile: z
    .string('must be the path of a file')
    .min(1, 'must be the path of a file')
    .transform(fromRoot)
    .optional(),
  pollSeconds: wholeNumber(1, 3_600, 10),
}

/** Dollars of a payment for which a reorganisation would be worth its cost. */
const SMALL_UP_TO = 10_000
const smallUpTo = wholeNumber(0, 10_000_000, SMALL_UP_TO)

/** A day. Blocks of Bitcoin are an hour apart now and then. */
const MOST_MINUTES = 1_440

const bitcoin = z.strictObject({
  ...common,
  kind: z.literal('bitcoin'),
  genesis: z
    .string('must be the hash of the first block')
    .toLowerCase()
    .refine(
      (hash) => hash in bitcoinChains,
      'is the first block of no chain that the product knows',
    ),
  confirmations: wholeNumber(2, 100, 6),
  smallUpTo,
  smallConfirmations: wholeNumber(1, 100, 2),
  stuckAfterMinutes: wholeNumber(1, MOST_MINUTES, 120),
})

const ofToken = {
  symbol: z
    .string('must be a symbol such as USDC')
    .regex(/^[A-Z0-9.]{2,12}$/, 'must be a symbol such as USDC'),
  decimals: z
    .number('must be the decimals of the token')
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(36, 'must be at most 36'),
}

const token = z.strictObject({
  ...ofToken,
  contract: z
    .string('must be the address of a contract')
    .refine((address) => ethereum.isAddress(address, 'live'), 'must be the address of a contract')
    .toLowerCase(),
})

const isEachOnce = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

const evm = z.strictObject({
  ...common,
  kind: z.literal('evm'),
  chainId: z.number('must be a number').int('must be a whole number').min(1, 'must be 1 or more'),
  tokens: z
    .array(token, 'must be a list of tokens')
    .refine(
      (tokens) =>
        isEachOnce(tokens.map(({ symbol }) => symbol)) &&
        isEachOnce(tokens.map(({ contract }) => contract)),
      'must have each symbol and each contract once',
    )
    .default([]),
  traces: z.boolean('must be true or false').optional(),
  stuckAfterMinutes: wholeNumber(1, MOST_MINUTES, 5),
  unfinalAfterMinutes: wholeNumber(1, MOST_MINUTES, 60),
  smallUpTo,
  smallConfirmations: whole(1, 10_000).optional(),
  pushUrl: urlOf(/^wss?:$/, 'must be a ws:// or wss:// URL').optional(),
})

/** 32 bytes in base 58. A mint may be an address without a key, so it need be no point. */
const keyOf = (sentence: string) => z.string(sentence).refine(isSolanaKey, sentence)

const solana = z.strictObject({
  ...common,
  kind: z.literal('solana'),
  genesis: keyOf('must be the genesis hash of a cluster'),
  tokens: z
    .array(
      z.strictObject({ ...ofToken, mint: keyOf('must be the address of a mint') }),
      'must be a list of tokens',
    )
    .refine(
      (tokens) =>
        isEachOnce(tokens.map(({ symbol }) => symbol)) &&
        isEachOnce(tokens.map(({ mint }) => mint)),
      'must have each symbol and each mint once',
    )
    .default([]),
  stuckAfterMinutes: wholeNumber(1, MOST_MINUTES, 5),
})

const entry = z.discriminatedUnion('kind', [bitcoin, evm, solana], 'must be bitcoin, evm or solana')

/** The kind of node that a family of networks has. */
const kinds: Readonly<Record<Family, ChainSettings['kind']>> = {
  bitcoin: 'bitcoin',
  ethereum: 'evm',
  solana: 'solana',
}

type ReadChains = {
  readonly chains: readonly ChainSettings[]
  readonly problems: readonly string[]
}

/** Reads the file. `problems` has a sentence for each mistake, without any part of a URL. */
export const readChainsFile = (path: string, isLive: boolean): ReadChains => {
  const failed = (problem: string): ReadChains => ({ chains: [], problems: [`CHAINS ${problem}`] })
  let entries: unknown
  try {
    entries = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The error of a parser quotes the text, which may hold a password.
    const { code } = error as NodeJS.ErrnoException
    return failed(
      code === undefined
        ? 'must name a file with JSON'
        : `must name a file that the product can read (${code})`,
    )
  }
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
    return failed('must name a file with an object that has an entry for each network')
  const read = Object.entries(entries).map(([name, value]) => readEntry(name, value, isLive))
  return {
    chains: read.flatMap(({ chain }) => chain ?? []),
    problems: read.flatMap(({ problems }) => problems.map((problem) => `CHAINS: ${problem}`)),
  }
}

const readEntry = (
  name: string,
  value: unknown,
  isLive: boolean,
): { readonly chain?: ChainSettings; readonly problems: readonly string[] } => {
  const known = networks.find((each) => each.name === name)
  if (!known) return { problems: [`${name} is no network. The networks are ${names}`] }
  const { name: network, family } = known
  const kind = kinds[family]
  // No run against a real cluster is on record (docs/chains.md).
  if (isLive && kind === 'solana')
    return { problems: [`${name} is experimental, and a node of it is for a sandbox alone`] }
  const read = entry.safeParse(value)
  if (!read.success)
    return {
      problems: read.error.issues.map(
        (issue) => `${[name, ...issue.path].join('.')} ${sentenceOf(issue)}`,
      ),
    }
  const chain: ChainSettings = { ...read.data, network }
  const problems = [
    ...(chain.kind === kind ? [] : [`${name}.kind must be ${kind}`]),
    ...(isLive ? liveProblems(chain) : []),
  ]
  return problems.length > 0 ? { problems } : { chain, problems }
}

const names = networks.map(({ name }) => name).join(', ')

const sentenceOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys' ? `has no setting ${issue.keys.join(', ')}` : issue.message

/** The setting that names a chain without real coins. */
const testChainIn = (chain: ChainSettings): string | undefined => {
  if (chain.kind === 'bitcoin')
    return bitcoinChains[chain.genesis]?.isMain === true ? undefined : 'genesis'
  const record = networks.find(({ name }) => name === chain.network)
  const isOther =
    chain.kind === 'evm' && record?.family === 'ethereum' && record.chainId !== chain.chainId
  return isOther ? 'chainId' : undefined
}

/** True for a URL whose answers a machine between could change. */
const isOpenToOthers = (url: string): boolean => {
  const { protocol, hostname } = new URL(url)
  return /^(http|ws):$/.test(protocol) && !isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** Live mode takes the chains of real coins alone, and no answer that another could change. */
const liveProblems = (chain: ChainSettings): string[] => {
  const { network } = chain
  const pushUrl = chain.kind === 'evm' ? chain.pushUrl : undefined
  const setting = testChainIn(chain)
  return [
    ...(setting
      ? [`${network}.${setting} is of a chain for tests, which POOL_MODE=live refuses`]
      : []),
    ...(isOpenToOthers(chain.url)
      ? [`${network}.url must be https beyond this machine when POOL_MODE=live`]
      : []),
    ...(pushUrl !== undefined && isOpenToOthers(pushUrl)
      ? [`${network}.pushUrl must be wss beyond this machine when POOL_MODE=live`]
      : []),
  ]
}
