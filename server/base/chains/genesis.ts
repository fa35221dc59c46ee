type BitcoinChain = { readonly name: string; readonly isMain?: true }

/** The chains that speak Bitcoin's JSON-RPC, by the hash of their first block. */
export const bitcoinChains: Readonly<Record<string, BitcoinChain>> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': {
    name: 'Bitcoin',
    isMain: true,
  },
  '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943': { name: 'testnet3' },
  '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043': { name: 'testnet4' },
  '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6': { name: 'signet' },
  '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206': { name: 'regtest' },
  // A node for tests and play: Debian has it as a package, and it descends from Bitcoin Core.
  '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9': { name: 'Litecoin regtest' },
}

/** The clusters of Solana, by the hash of their first block. A test validator makes its own. */
export const solanaClusters: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
}
