/**
 * A server of the calls that the product asks of a Solana RPC, in the shapes of Agave, over
 * transactions that `litesvm` runs. It has no consensus and no other nodes.
 */
import { randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Address } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { startFakeNode } from './fakeNode.ts'
import { type BlockOptions, keepSlots, Refusal } from './solanaSlots.ts'
import { type SentTransaction, type Svm, startSvm } from './solanaSvm.ts'

export type PlaySolana = {
  readonly url: string
  readonly genesis: string
  readonly ledger: Svm
  /**
   * Runs a transaction in the slot that has begun, and returns its signature. `version` is told in
   * place of its own, as no ledger makes versions of the future.
   */
  readonly send: (sent: SentTransaction, version?: number) => Promise<string>
  /** Sends lamports to each receiver in one transaction. */
  readonly pay: (receivers: readonly string[], amount: bigint) => Promise<string>
  /** Ends slots with a block each, and makes all of them final. */
  readonly produce: (slots?: number) => void
  /** Ends a slot with a block that is not final yet. */
  readonly confirm: () => void
  /** Ends slots without a block. Their transactions wait for the next one. */
  readonly skip: (slots?: number, fromStore?: boolean) => void
  /** The newest final slot. */
  readonly newest: () => number
  /** Forgets blocks below a slot, as a node does that keeps few. */
  readonly forgetBelow: (slot: number) => void
  /** Makes the node call itself unhealthy. 0 ends it. */
  readonly fallBehind: (slots: number) => void
}

/** Starts a cluster of its own, with one final block. It ends with the process of the test. */
export const startSolana = async (): Promise<PlaySolana> => {
  // Long: the answers of a play cluster are short functions that share its state.
  const ledger = await startSvm()
  const { svm, payer } = ledger
  const genesis = base58.encode(randomBytes(32))
  const { getBlock, statusOf, add, ...slots } = keepSlots(svm, genesis)
  let behind = 0

  const accountAt = (address: Address): object | null => {
    const account = svm.getAccount(address)
    if (!account.exists) return null
    const { programAddress: owner, executable, space } = account
    const data = [Buffer.from(account.data).toString('base64'), 'base64']
    return { data, executable, lamports: account.lamports, owner, rentEpoch: 0, space }
  }
  const inContext = (value: unknown) => ({ context: { slot: slots.newest() }, value })
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    getGenesisHash: () => genesis,
    getHealth: () => {
      if (behind === 0) return 'ok'
      throw new Refusal(-32_005, `Node is behind by ${behind} slots`)
    },
    getSlot: ([options]) => slots.newest(options as BlockOptions),
    getBlock: ([slot, options]) => getBlock(slot as number, options as BlockOptions),
    getAccountInfo: ([address]) => inContext(accountAt(address as Address)),
    getSignatureStatuses: ([ids]) => inContext((ids as string[]).map(statusOf)),
  }
  const answerTo = (method: string, params: readonly unknown[]): object => {
    try {
      const answer = answers[method]
      if (!answer) throw new Refusal(-32_601, 'Method not found')
      return { result: answer(params) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { error: { code: error.code, message: error.message } }
    }
  }
  const { url } = await startFakeNode(({ method, params, id }, response) => {
    response.end(withUnits({ jsonrpc: '2.0', ...answerTo(method, params), id }))
  })

  const send: PlaySolana['send'] = async (sent, version) => {
    const ran = await ledger.run(sent)
    add(version === undefined ? ran : { ...ran, version })
    return ran.transaction.signatures[0]
  }
  slots.produce()
  return {
    url,
    genesis,
    ledger,
    send,
    ...slots,
    pay: (receivers, amount) =>
      send({
        instructions: receivers.map((receiver) =>
          getTransferSolInstruction({ source: payer, destination: receiver as Address, amount }),
        ),
      }),
    fallBehind: (by) => {
      behind = by
    },
  }
}

/** JSON with each `bigint` as a number of all its digits, as Agave writes them. */
const withUnits = (value: object): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)).replaceAll(
    /"(\d+)n"/g,
    '$1',
  )
