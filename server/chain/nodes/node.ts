/** The node of a network. Every call throws a `NodeFault` when the node cannot be used. */
export type Node = {
  /** Throws unless it is the right chain, with the tokens as they were named. */
  readonly check: () => Promise<void>
  /** The newest block. Throws `BEHIND` while the node is still syncing. */
  readonly head: () => Promise<Head>
  /** A block of the node's best chain, with its payments. Undefined above its head. */
  readonly block: (height: number, watched: Watched) => Promise<Block | undefined>
  /** Hash of a block of the best chain. Undefined above its head. */
  readonly hashAt: (height: number) => Promise<string | undefined>
  /**
   * True for a number that the chain left without a block, which both calls above answer with
   * undefined, too. Missing where each number has its block.
   */
  readonly isSkipped?: (height: number) => Promise<boolean>
  /** True where the node shows final blocks alone, of which none is ever taken back. */
  readonly isFinal?: true
  /** Unconfirmed payments. Missing where a network has no pool that shows its payments. */
  readonly mempool?: (watched: Watched) => Promise<WatchedActivity>
  readonly transaction: (id: string) => Promise<TransactionState>
  /** True if the node finds every transaction of its chain. Missing where every node does. */
  readonly findsAll?: () => Promise<boolean>
  /** Coins of addresses at a block. Missing where each arrival is an output that is read. */
  readonly balances?: (height: number, addresses: readonly string[]) => Promise<Balance[]>
  /** Bitcoin: unspent coins of scripts. Undefined while the node is scanning for others. */
  readonly coinsOf?: (scripts: readonly string[]) => Promise<UnspentCoins | undefined>
}

export type UnspentCoins = {
  readonly block: BlockName
  /** Satoshis by script. */
  readonly units: ReadonlyMap<string, bigint>
}

/** The coins of an address. Units are whole, as those of a {@link Payment}. */
export type Balance = Pick<Payment, 'address' | 'asset' | 'units' | 'decimals'>

/** Bounds of the calls to a node. */
export type Limits = {
  /** Ends a call under way. */
  readonly stopping?: AbortSignal
  /** Longest wait for an answer, in milliseconds. */
  readonly timeout?: number
}

export type BlockName = {
  /** The number of the block, from 0. Solana: its slot, as some slots have no block. */
  readonly height: number
  readonly hash: string
}

export type Head = BlockName & {
  /**
   * The newest block that the network holds for final. Null where it tells none, and where the head
   * itself is final.
   */
  readonly finalHeight: number | null
  /** The block below. Missing where its number is one less. */
  readonly below?: BlockName
}

/** Payments, spends and spendings of a block or a pool. */
export type WatchedActivity = {
  readonly payments: readonly Payment[]
  /** Transactions that spend coins of watched addresses. */
  readonly spendings: readonly Spending[]
  /** Transactions that spend a watched input. */
  readonly spends: readonly Spend[]
}

export type Spend = { readonly input: string; readonly transaction: string }

export type Block = BlockName &
  WatchedActivity & {
    /** The hash of the block below. Empty for the first one. */
    readonly parent: string
    /** Its own time, in seconds since 1970. Null where the network has not agreed on one. */
    readonly time: number | null
    /** Bitcoin: the transactions of which it spends outputs. */
    readonly spentFrom?: ReadonlySet<string>
  }

export type Watched = {
  /** Addresses by what a node calls them: a script or a lower-case address. */
  readonly receivers: ReadonlyMap<string, string>
  /** Inputs of unconfirmed payments. Another transaction that spends one replaces its payment. */
  readonly inputs: ReadonlySet<string>
  /**
   * Bitcoin: outputs that pay watched addresses, by `id:number`. A block or a pool adds its own.
   * Without them no spending is found.
   */
  readonly unspent?: ReadonlyMap<string, Unspent>
  /** True where coins sent by contracts are not wanted, since nodes trace new blocks alone. */
  readonly skipsInner?: boolean
}

/** Coins that pay a watched address. */
export type Payment = {
  readonly transaction: string
  /**
   * The output of Bitcoin, the log's ordinal in its receipt or `COIN` and below on EVM networks, or
   * on Solana the receiving account's place in its transaction. A reorganisation keeps each.
   */
  readonly output: number
  /** As the wallet has it. */
  readonly address: string
  /** A symbol such as BTC or USDC. */
  readonly asset: string
  /** Whole units of the asset: satoshis, wei, or the smallest part of a token. */
  readonly units: bigint
  /** Decimals of the asset. */
  readonly decimals: number
  /**
   * Spent by the transaction, and by no other one: outputs of Bitcoin as `id:number`, and the
   * sender and its number on EVM networks. None where all blocks are final.
   */
  readonly inputs: readonly string[]
  /** True for the reward of a miner, which can be spent after 100 blocks. */
  readonly isCoinbase: boolean
}

/** An output of Bitcoin that pays a watched address. */
export type Unspent = Pick<Payment, 'address' | 'units'>

/** A transaction that spends coins of watched addresses, or has one pay its fee. */
export type Spending = {
  readonly transaction: string
  /** As those of a {@link Payment}. */
  readonly inputs: readonly string[]
  /** Empty for one that moves nothing of ours, and costs its fee. */
  readonly spent: readonly SpentCoins[]
  /** Bitcoin: all outputs, change among them. Else the receivers of the coins that were spent. */
  readonly sent: readonly SentCoins[]
  /**
   * Units of the network's coin that watched addresses paid for it. 0 where others paid, and in
   * bitcoin where others own some of the inputs.
   */
  readonly fee: bigint
}

type Coins = Pick<Payment, 'asset' | 'units' | 'decimals'>

/** Coins that left a watched address, without the fee on EVM networks and Solana. */
export type SpentCoins = Coins & {
  /** The number of the input in bitcoin, else as the output of a {@link Payment}. */
  readonly position: number
  readonly address: string
  /** Bitcoin: the output that was spent, as `id:number`. */
  readonly input: string | null
}

/** Coins that an address received of a spending. */
export type SentCoins = Coins & {
  /** As the output of a {@link Payment}. */
  readonly output: number
  /** Null for an output that no address has, such as data. */
  readonly address: string | null
}

/** The output of a payment in the network's own coin on EVM networks. No log records it. */
export const COIN = -1

/**
 * The output of the first transfer of coins by a contract in a transaction. The next one is one
 * less, in the order of the calls, depth first. Reverted calls do not count.
 */
export const INNER = -2

export type TransactionState =
  | { readonly state: 'UNKNOWN' }
  | { readonly state: 'PENDING' }
  | (BlockName & {
      readonly state: 'MINED'
      /** False for a transaction that failed and moved nothing. */
      readonly succeeded: boolean
    })
