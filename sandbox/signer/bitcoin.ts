/** Signs files of Bitcoin (BIP 174) with the account key, and sends them by the play node. */
import { readFileSync } from 'node:fs'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { base64 } from '@scure/base'
import type { HDKey } from '@scure/bip32'
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer'
import { askAt } from '../../server/testing/playNode.ts'
import { unitsFrom } from '../page/amounts.ts'
import { PageError } from '../page/servePage.ts'
import { type NetworkSigner, type Payment, type ReadFile, requireNoFault } from './files.ts'

const DECIMALS = 8
const ACCOUNT = "m/84'/0'/0'"
/** The start of each PSBT in base 64. */
const MAGIC = 'cHNidP'

/** Keys on each branch that the signer looks for. */
const LOOKED_AT = 200
/** Change of a payment by hand, far beyond the numbers that the product gives. */
const HAND_CHANGE = `${ACCOUNT}/1/1000`
/** Satoshis of the fee of a payment by hand. */
const HAND_FEE = 2_000n

type Derivation = readonly (readonly [
  Uint8Array,
  { readonly fingerprint: number; readonly path: readonly number[] },
])[]

type Coin = {
  readonly txid: string
  readonly vout: number
  readonly units: bigint
  readonly key: HDKey
}

const scriptOf = ({ publicKey }: HDKey): Uint8Array => p2wpkh(publicKey ?? new Uint8Array()).script

const fileOf = (text: string): Transaction => {
  try {
    // Amounts count as the whole transactions before have them (CVE-2020-14199).
    return Transaction.fromPSBT(base64.decode(text.trim()), { strictPrevoutValidation: true })
  } catch {
    throw new PageError('This PSBT cannot be read. Was all of it pasted?')
  }
}

const addressOf = (script: Uint8Array): string => {
  try {
    return Address().encode(OutScript.decode(script))
  } catch {
    return `the script ${bytesToHex(script)}`
  }
}

/** Signs for Bitcoin through its play node. */
export const openBitcoin = (
  { url, credentialsFile }: { readonly url: string; readonly credentialsFile: string },
  root: HDKey,
): NetworkSigner => {
  // Long: reading, signing and paying are short functions that share its state.
  const ask: ReturnType<typeof askAt> = (...call) =>
    askAt(url, readFileSync(credentialsFile, 'utf8'))(...call)

  /** Derives again, since a file could name a path that its script does not follow. */
  const isOwn = (script: Uint8Array | undefined, derivation: Derivation = []): boolean =>
    derivation.some(([, { fingerprint, path }]) => {
      if (fingerprint !== root.fingerprint || script === undefined) return false
      const key = path.reduce((above, step) => above.deriveChild(step), root)
      return bytesToHex(scriptOf(key)) === bytesToHex(script)
    })

  const readTransaction = (transaction: Transaction): ReadFile => {
    const inputs = Array.from({ length: transaction.inputsLength }, (_, at) => {
      const { index = 0, nonWitnessUtxo, bip32Derivation } = transaction.getInput(at)
      const { amount, script } = nonWitnessUtxo?.outputs[index] ?? {}
      return { units: amount, isOwn: isOwn(script, bip32Derivation) }
    })
    const outputs = Array.from({ length: transaction.outputsLength }, (_, at) => {
      const { amount = 0n, script, bip32Derivation } = transaction.getOutput(at)
      return { units: amount, script, isOwn: isOwn(script, bip32Derivation) }
    })
    const payments = outputs.map(
      ({ units, script, ...output }): Payment => ({
        address: addressOf(script ?? new Uint8Array()),
        coin: 'BTC',
        ...output,
        amount: textOfUnits(units, DECIMALS),
      }),
    )
    const sum = (all: readonly { units: bigint | undefined }[]) =>
      all.reduce((total, { units = 0n }) => total + units, 0n)
    const fee = sum(inputs) - sum(outputs)
    const strange = inputs.filter((input) => !input.isOwn).length
    return {
      kind: 'PSBT',
      network: 'Bitcoin',
      payments,
      fee: `${textOfUnits(fee, DECIMALS)} BTC`,
      from: `${inputs.length} of the signer's coins, ${textOfUnits(sum(inputs), DECIMALS)} BTC`,
      faults: [
        ...(strange > 0 ? [`The signer has no key for ${strange} of its coins.`] : []),
        ...(inputs.some(({ units }) => units === undefined)
          ? ['It lacks a transaction that made one of its coins.']
          : []),
        ...(fee < 0n ? ['It pays more than it spends.'] : []),
      ],
      notes: ['Signed twice, it is the same transaction, which pays once.'],
    }
  }

  const publish = async (transaction: Transaction): Promise<string> => {
    const { id } = transaction
    const known = await ask('getmempoolentry', id).then(
      () => true,
      () => false,
    )
    if (known) throw new PageError(`The node has ${id} already. Nothing more is paid.`)
    try {
      return await ask<string>('sendrawtransaction', transaction.hex)
    } catch (error) {
      const text = String(error)
      if (/already in block chain/.test(text))
        throw new PageError(`${id} is in a block already. Nothing more is paid.`)
      if (/missingorspent|txn-mempool-conflict|insufficient fee/.test(text))
        throw new PageError('Not sent. Another transaction spends one of its coins.')
      throw error
    }
  }

  const sign = (transaction: Transaction, key: HDKey): void => {
    transaction.sign(key as Parameters<typeof transaction.sign>[0])
  }

  /** Confirmed coins of the account. */
  const ownCoins = async (): Promise<Coin[]> => {
    const account = root.derive(ACCOUNT)
    const keys = [0, 1].flatMap((branch) => {
      const parent = account.deriveChild(branch)
      return Array.from({ length: LOOKED_AT }, (_, index) => parent.deriveChild(index))
    })
    const byScript = new Map(
      [...keys, root.derive(HAND_CHANGE)].map((key) => [bytesToHex(scriptOf(key)), key]),
    )
    const { unspents } = await ask<{
      unspents: { txid: string; vout: number; scriptPubKey: string; amount: number }[]
    }>(
      'scantxoutset',
      'start',
      [...byScript.keys()].map((script) => `raw(${script})`),
    )
    return unspents.flatMap(({ txid, vout, scriptPubKey, amount }) => {
      const key = byScript.get(scriptPubKey)
      return key ? { txid, vout, key, units: BigInt(Math.round(amount * 10 ** DECIMALS)) } : []
    })
  }

  const payByHand = async (_: string, address: string, amount: string): Promise<string> => {
    const units = unitsFrom(amount, DECIMALS)
    const coins: Coin[] = []
    let sum = 0n
    for (const coin of (await ownCoins()).sort((a, b) => (a.units > b.units ? -1 : 1))) {
      if (sum >= units + HAND_FEE) break
      coins.push(coin)
      sum += coin.units
    }
    if (sum < units + HAND_FEE)
      throw new PageError(`The signer has ${textOfUnits(sum, DECIMALS)} BTC in blocks.`)
    const transaction = new Transaction()
    for (const { txid, vout, units: value, key } of coins)
      transaction.addInput({
        txid,
        index: vout,
        witnessUtxo: { script: scriptOf(key), amount: value },
        nonWitnessUtxo: hexToBytes(await ask<string>('getrawtransaction', txid)),
      })
    try {
      transaction.addOutputAddress(address, units)
    } catch {
      throw new PageError('This is no address for BTC.')
    }
    const change = sum - units - HAND_FEE
    // Less would be dust.
    if (change > 1_000n)
      transaction.addOutput({ script: scriptOf(root.derive(HAND_CHANGE)), amount: change })
    for (const [at, { key }] of coins.entries())
      transaction.signIdx(key.privateKey ?? new Uint8Array(), at)
    transaction.finalize()
    const id = await publish(transaction)
    return `Paid ${amount} BTC by hand in ${id}. No batch of the pool explains it.`
  }

  return {
    coins: ['BTC'],
    read: async (text) =>
      text.trim().startsWith(MAGIC) ? readTransaction(fileOf(text)) : undefined,
    send: async (text) => {
      const transaction = fileOf(text)
      requireNoFault(readTransaction(transaction))
      sign(transaction, root)
      transaction.finalize()
      return `Signed and sent as ${await publish(transaction)}. It waits for a block.`
    },
    payByHand,
  }
}
