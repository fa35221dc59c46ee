import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bech32 } from '@scure/base'
import { type AskNode, askAt, freePort, startNode } from './playNode.ts'

const PROGRAM = '/usr/bin/litecoind'

/** Tells whether Debian's package `litecoind` is installed, a descendant of Bitcoin Core. */
export const hasLitecoind = existsSync(PROGRAM)

/** The first block of its regtest. */
export const LITECOIN_REGTEST = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9'

/** The same script as an address of this node. Takes addresses of witness version 0. */
export const asItsOwn = (address: string): string =>
  bech32.encode('rltc', bech32.decode(address as `${string}1${string}`).words)

export type Litecoind = {
  /** Without credentials, which are in `credentialsFile`. */
  readonly url: string
  readonly credentialsFile: string
  readonly peer: string
  readonly ask: AskNode
  /** Mines blocks to a new address of its own wallet. */
  readonly mine: (blocks?: number) => Promise<readonly string[]>
  /** Adds blocks without the transactions that wait, and returns their hashes. */
  readonly mineEmpty: (blocks: number) => Promise<readonly string[]>
  /** Sends coins to an address of Bitcoin, and returns the transaction. */
  readonly pay: (address: string, coins: string) => Promise<string>
  /** Kills the node, and starts it on its files once `whileDown` has ended. */
  readonly restart: (whileDown?: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts a node with a wallet that has coins, unless it is to follow `peer`. */
export const startLitecoind = async ({
  peer,
}: {
  readonly peer?: string
} = {}): Promise<Litecoind> => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-litecoind-'))
  const [rpcPort, port] = [await freePort(), await freePort()]
  const options = [
    '-regtest',
    '-server',
    `-datadir=${directory}`,
    '-fallbackfee=0.0001',
    '-txindex=1',
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
    `-rpcport=${rpcPort}`,
    '-dnsseed=0',
    '-upnp=0',
    '-discover=0',
    '-listen=1',
    `-bind=127.0.0.1:${port}`,
    '-mempoolreplacement=1',
    '-vbparams=mweb:9999999999:9999999999',
    '-printtoconsole',
    ...(peer === undefined ? [] : [`-connect=${peer}`]),
  ]
  const start = () => startNode(PROGRAM, options, /init message: Done loading/)
  let node = await start()
  const url = `http://127.0.0.1:${rpcPort}`
  const credentialsFile = join(directory, 'regtest', '.cookie')
  const ask: AskNode = async (...call) => askAt(url, readFileSync(credentialsFile, 'utf8'))(...call)
  await ask('createwallet', 'play')
  const ownAddress = () => ask<string>('getnewaddress', '', 'bech32')
  const mine = async (blocks = 1) =>
    ask<readonly string[]>('generatetoaddress', blocks, await ownAddress())
  const mineEmpty = async (blocks: number) => {
    const hashes: string[] = []
    while (hashes.length < blocks) {
      const { hash } = await ask<{ hash: string }>('generateblock', await ownAddress(), [])
      hashes.push(hash)
    }
    return hashes
  }
  // The reward of a block is spent after 100 more.
  if (peer === undefined) await mine(101)
  return {
    url,
    credentialsFile,
    peer: `127.0.0.1:${port}`,
    ask,
    mine,
    mineEmpty,
    pay: (address, coins) => ask('sendtoaddress', asItsOwn(address), coins),
    restart: async (whileDown) => {
      await node.stop()
      await whileDown?.()
      node = await start()
      await ask('loadwallet', 'play')
    },
    stop: async () => {
      await node.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
