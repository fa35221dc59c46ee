/**
 * The outside signer of the sandbox, a process of its own with play keys. `sandbox/run.ts` starts
 * it, and it tells that process the public part of its keys and its URL.
 */
import { type Body, PageError, servePage } from '../page/servePage.ts'
import { openBitcoin } from './bitcoin.ts'
import { openEvm } from './evm.ts'
import type { NetworkSigner, ReadFile } from './files.ts'
import { openKeys, type PublicFacts } from './keys.ts'

/** The settings in `SIGNER`. */
export type SignerSettings = {
  readonly directory: string
  /** 0 takes a free one. */
  readonly port: number
  /** The entries of `CHAINS`. */
  readonly chains: {
    readonly Ethereum?: Parameters<typeof openEvm>[0]
    readonly Bitcoin?: Parameters<typeof openBitcoin>[0]
  }
}

/** The message to the process that started it. */
export type SignerReady = { readonly url: string; readonly facts: PublicFacts }

/** Of a PSBT with many coins, in base 64. */
const MOST_CHARACTERS = 50_000_000

const settings = JSON.parse(process.env.SIGNER ?? '') as SignerSettings
const keys = openKeys(settings.directory)
const { Ethereum, Bitcoin } = settings.chains
const signers: readonly NetworkSigner[] = [
  ...(Bitcoin ? [openBitcoin(Bitcoin, keys.root)] : []),
  ...(Ethereum ? [openEvm(Ethereum, keys)] : []),
]

const fileIn = async ({ file = '' }: Body): Promise<[NetworkSigner, ReadFile]> => {
  for (const signer of signers) {
    const read = await signer.read(file)
    if (read) return [signer, read]
  }
  throw new PageError('The signer knows no such file. It signs a PSBT, a file of a Safe and a CSV.')
}

let links: object = {}
process.on('message', (told: object) => {
  links = told
})
// It ends with the process that started it.
process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const url = await servePage({
  folder: 'signer/page',
  port: settings.port,
  mostCharacters: MOST_CHARACTERS,
  facts: () => ({
    ...links,
    keys: keys.facts,
    coins: signers.flatMap(({ coins }) => coins),
  }),
  actions: {
    '/read': async (body) => ({ read: (await fileIn(body))[1] }),
    '/send': async (body) => {
      const [signer] = await fileIn(body)
      return signer.send(body.file ?? '')
    },
    '/by-hand': async ({ coin = '', address = '', amount = '' }) => {
      const signer = signers.find(({ coins }) => coins.includes(coin))
      if (!signer) throw new PageError('There is no such coin.')
      return signer.payByHand(coin, address.trim(), amount.trim())
    },
  },
})
process.send?.({ url, facts: keys.facts } satisfies SignerReady)
