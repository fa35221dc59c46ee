/** Signs files of Ethereum: those of a Safe, and the CSV of a plain key. */
import { textOfUnits } from '@pool/contract/chain/quotes'
import { askAt } from '../../server/testing/playNode.ts'
import { executionOf } from '../../server/testing/playSafe.ts'
import { unitsFrom } from '../page/amounts.ts'
import { PageError } from '../page/servePage.ts'
import { openCollecting, type Publish } from './evmCollecting.ts'
import { type EvmCall, signedBy } from './evmTransaction.ts'
import {
  type NetworkSigner,
  type Payment,
  type ReadFile,
  readCsv,
  requireNoFault,
} from './files.ts'
import { PAYER_PATH, type SignerKeys } from './keys.ts'
import { hashOf, readSafeFile, type SafeFile, transactionOf } from './safeFile.ts'

const DECIMALS = 18
const COLLECTION_NOTE = 'Addresses without coins for gas get them first, from the plain key.'
const HEADINGS = ['token_type', 'token_address', 'receiver', 'amount']
/** The selector of `transfer(address,uint256)`, and of a Safe's `nonce()`. */
const [TRANSFER, NONCE] = ['a9059cbb', '0xaffed0e0']
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

type Settings = {
  readonly url: string
  readonly chainId: number
  readonly tokens: readonly {
    readonly symbol: string
    readonly contract: string
    readonly decimals: number
  }[]
}

const hex = (value: bigint): string => `0x${value.toString(16)}`
const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** Signs for Ethereum through its play node. */
export const openEvm = (
  { url, chainId, tokens }: Settings,
  { root, facts }: SignerKeys,
): NetworkSigner => {
  // Long: reading, signing and paying are short functions that share its state.
  const ask = askAt(url)
  const payer = root.derive(PAYER_PATH)
  const { payer: payerAddress, multiSend } = facts.evm
  const tokenAt = (contract: string) =>
    tokens.find((each) => each.contract.toLowerCase() === contract.toLowerCase())

  /** Signs and sends. The gas takes `most` wei. Throws a sentence if the chain would refuse it. */
  const publish: Publish = async (key, from, call, most) => {
    const { to, value, data } = call
    const asked = { from, to, value: hex(value), data: `0x${data}` }
    const estimated = await ask<string>('eth_estimateGas', asked, 'pending').catch(() => {
      throw new PageError(
        'Not sent. The chain refuses it: the coins are not there, or this number of the Safe is used.',
      )
    })
    const [nonce, gasPrice] = [
      await ask<string>('eth_getTransactionCount', from, 'pending'),
      await ask<string>('eth_gasPrice'),
    ]
    // A plain transfer takes exactly this much, so that a whole balance can leave.
    const gas = data === '' ? BigInt(estimated) : (BigInt(estimated) * 3n) / 2n
    const price = most === undefined ? BigInt(gasPrice) * 2n : most / gas
    const sent = { ...call, gas, chainId, nonce: BigInt(nonce), gasPrice: price }
    return ask<string>('eth_sendRawTransaction', signedBy(key, sent))
  }

  const paymentOf = ({ to, value, data }: EvmCall): Payment | string => {
    if (data === '')
      return { address: to, amount: textOfUnits(value, DECIMALS), coin: 'ETH', isOwn: false }
    const token = tokenAt(to)
    if (!token || value !== 0n || !data.startsWith(TRANSFER) || data.length !== 8 + 128)
      return `It calls ${to}, which is no payment that the signer knows.`
    return {
      address: `0x${data.slice(32, 72)}`,
      amount: textOfUnits(BigInt(`0x${data.slice(72)}`), token.decimals),
      coin: token.symbol,
      isOwn: false,
    }
  }

  const paymentsOf = (calls: readonly EvmCall[]): Payment[] =>
    calls.map(paymentOf).filter((each) => typeof each !== 'string')

  const readBuilder = async (file: SafeFile): Promise<ReadFile> => {
    const { safe, nonce, calls, hash } = file
    const read = calls.map(paymentOf)
    const counted = await ask<string>('eth_call', { to: safe, data: NONCE }, 'latest')
    const next = counted === '0x' ? undefined : Number(BigInt(counted))
    return {
      kind: 'Safe file',
      network: 'Ethereum',
      fee: null,
      from: `the Safe ${safe}`,
      payments: paymentsOf(calls),
      faults: [
        ...read.filter((each) => typeof each === 'string'),
        ...(file.chainId === chainId ? [] : [`It is for chain ${file.chainId}.`]),
        ...(next === undefined ? ['There is no Safe at this address.'] : []),
        ...(hashOf(transactionOf(calls, multiSend), file) === hash
          ? []
          : ['Its hash is not that of its payments.']),
      ],
      notes: [
        `It is for number ${nonce} of the Safe, whose next number is ${next}.`,
        'Signed twice, it pays once: a Safe uses each number once.',
      ],
    }
  }

  const callsOf = (text: string): EvmCall[] | undefined =>
    readCsv(text, HEADINGS)?.map(({ token_address = '', receiver = '', amount = '' }) => {
      if (!ADDRESS.test(receiver)) throw new PageError(`${receiver} is no address.`)
      return callOf(token_address, receiver, amount)
    })

  const callOf = (contract: string, receiver: string, amount: string): EvmCall => {
    if (contract === '') return { to: receiver, value: unitsFrom(amount, DECIMALS), data: '' }
    const token = tokenAt(contract)
    if (!token) throw new PageError(`The signer does not know the token ${contract}.`)
    const units = unitsFrom(amount, token.decimals)
    return { to: contract, value: 0n, data: TRANSFER + word(BigInt(receiver)) + word(units) }
  }

  const collecting = openCollecting(root, {
    callOf,
    balanceOf: async (address) => BigInt(await ask<string>('eth_getBalance', address, 'latest')),
    payGas: (to, value) => publish(payer, payerAddress, { to, value, data: '' }),
    publish,
  })

  const isBuilder = (text: string): boolean => text.trim().startsWith('{')

  const read = async (text: string): Promise<ReadFile | undefined> => {
    if (isBuilder(text)) return readBuilder(readSafeFile(text))
    const collected = collecting.linesOf(text)
    if (collected)
      return {
        kind: 'CSV',
        network: 'Ethereum',
        fee: null,
        faults: [],
        from: `${collected.length} deposit addresses`,
        payments: paymentsOf(collected.map(({ call }) => call)),
        notes: [COLLECTION_NOTE],
      }
    const calls = callsOf(text)
    return (
      calls && {
        kind: 'CSV',
        network: 'Ethereum',
        fee: null,
        faults: [],
        from: `the plain key ${payerAddress}`,
        payments: paymentsOf(calls),
        notes: ['Nothing stops a CSV from being paid twice. Sign it once.'],
      }
    )
  }

  return {
    coins: ['ETH', ...tokens.map(({ symbol }) => symbol)],
    read,
    send: async (text) => {
      const file = await read(text)
      if (file) requireNoFault(file)
      if (isBuilder(text)) {
        const safe = readSafeFile(text)
        const data = executionOf(safe.hash, transactionOf(safe.calls, multiSend)).slice(2)
        const id = await publish(payer, payerAddress, { to: safe.safe, value: 0n, data })
        return `Signed and sent as ${id}. It waits for a block.`
      }
      const collected = collecting.linesOf(text)
      if (collected) return collecting.collect(collected)
      const ids: string[] = []
      for (const call of callsOf(text) ?? []) ids.push(await publish(payer, payerAddress, call))
      return `Signed and sent as ${ids.join(', ')}. Each waits for a block.`
    },
    payByHand: async (coin, address, amount) => {
      if (!ADDRESS.test(address)) throw new PageError(`This is no address for ${coin}.`)
      const contract = tokens.find(({ symbol }) => symbol === coin)?.contract ?? ''
      const id = await publish(payer, payerAddress, callOf(contract, address, amount))
      return `Paid ${amount} ${coin} by hand in ${id}. No batch of the pool explains it.`
    },
  }
}
