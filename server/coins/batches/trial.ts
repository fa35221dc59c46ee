/**
 * Trials of payments by a node, with the gas that each takes. A program takes the payer's place in
 * one `eth_call`, which changes no chain (docs/decisions/081).
 */
import { refusal } from '@pool/contract/base/refusals'
import { z } from 'zod'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import { RpcRefusal } from '../../chain/nodes/jsonRpc.ts'
import { asRefusal, rpcOf } from './payingNode.ts'
import { type Call, packed } from './safe.ts'

/** Makes the calls in its data, each with at most the gas of the first word. */
const PROGRAM = [
  '60206000', // The place in the data, and in the answer.
  '5b8136111561005b57', // Until the data ends:
  '8160340135808360540161800037', // Copies the data of the call,
  '5a8260200152', // notes the gas,
  '602082606001826180008660140135873560601c600035f1', // calls,
  '8252', // and answers if it succeeded,
  '5a8260200151038260200152', // the gas that it took,
  '3d8260400152', // the bytes that came back, of which the first 32 follow.
  '82016054019150608001610004565b6000f3',
].join('')

/** Bytes of the answer about one call. */
const ANSWER = 128
/** An address that calls a Safe in a trial. It has no code but the program. */
const CALLER = `0x${'0'.repeat(30)}747269616c`
/** Gas of a trial of one call. Most batches take less. */
const ALONE_GAS = 3_000_000n
/** Gas of the program itself, and its share of each call. */
const [PROGRAM_GAS, CALL_GAS] = [60_000n, 3_000n]

export type Tried = {
  /** True where the call succeeded, and a token did not say that it failed. */
  readonly isTaken: boolean
  readonly gas: bigint
}

type Trial = {
  /** The address whose place the program takes. */
  readonly from: string
  /** The most gas of one call. */
  readonly limit: bigint
  /** The most gas of all. */
  readonly most: bigint
  /** Codes of other addresses during the trial, as hexadecimal digits without 0x. */
  readonly codes?: Readonly<Record<string, string>>
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const hex = (value: bigint): string => `0x${value.toString(16)}`

/** A call of `packed` without its first byte, which says that it is a plain one. */
const recordOf = (call: Call): string => packed(call).slice(2)

const triedOf = ({ data }: Call, answer: string): Tried => {
  const [success, gas = 0n, size, first] = (answer.match(/.{64}/g) ?? []).map((text) =>
    BigInt(`0x${text}`),
  )
  // Some tokens answer nothing, and others with false.
  const saysNo = data !== '' && size !== 0n && first !== 1n
  return { isTaken: success === 1n && !saysNo, gas }
}

type TrialCalls = Trial & { readonly calls: readonly Call[] }

const questionOf = ({ from, calls, limit, most, codes = {} }: TrialCalls) => {
  const overrides = Object.fromEntries(
    Object.entries({ ...codes, [from]: PROGRAM }).map(([address, code]) => [
      address,
      { code: `0x${code}` },
    ]),
  )
  const data = `0x${word(limit)}${calls.map(recordOf).join('')}`
  return {
    method: 'eth_call',
    params: [{ to: from, data, gas: hex(most) }, 'latest', overrides],
    schema: z
      .string()
      .regex(/^0x[0-9a-f]*$/)
      .length(2 + calls.length * ANSWER * 2),
  }
}

/**
 * Asks for trials. Throws `batchImpossible` for any answer that is no proof: a node that refuses
 * the trial, in any words, or that answers in another form.
 */
const askAll = async (settings: ChainSettings, trials: readonly TrialCalls[]): Promise<Tried[]> => {
  try {
    const answers = await rpcOf(settings).askAll(trials.map(questionOf))
    return answers.flatMap((answer, place) => {
      if (answer instanceof RpcRefusal) throw answer
      const calls = trials[place]?.calls ?? []
      return calls.map((call, at) => triedOf(call, answer.slice(2 + at * ANSWER * 2)))
    })
  } catch (error) {
    const isNoProof =
      error instanceof RpcRefusal || (error instanceof NodeFault && error.state === 'LYING')
    throw isNoProof ? refusal('batchImpossible', { problem: 'noTrial' }) : error
  }
}

/** Tries calls one after the other. */
export const tryCalls = (settings: ChainSettings, trial: TrialCalls): Promise<Tried[]> =>
  askAll(settings, [trial])

/** Tries each call for itself, with as much gas as a payment of several may have. */
export const tryAlone = (
  settings: ChainSettings,
  { calls, most, ...trial }: Omit<TrialCalls, 'limit'>,
): Promise<Tried[]> => {
  const gas = most < ALONE_GAS ? most : ALONE_GAS
  return askAll(
    settings,
    calls.map((call) => ({ ...trial, calls: [call], limit: gas, most: gas })),
  )
}

/** The parts of a trial. Each call of a part has its gas, even if all others burn theirs. */
export const partsOf = <Item>(
  items: readonly Item[],
  { limit, most }: Pick<Trial, 'limit' | 'most'>,
): Item[][] => {
  // A call leaves one part in 64 of the gas to its caller.
  const room = ((most - PROGRAM_GAS) * 63n) / 64n / (limit + CALL_GAS)
  if (room < 1n) throw refusal('batchImpossible', { problem: 'noTrial' })
  const size = Number(room)
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** The trial of a Safe that makes several calls in one, by the contract that it uses for them. */
export const wholeTrial = async (
  settings: ChainSettings,
  { safe, multiSend, call, most }: { safe: string; multiSend: string; call: Call; most: bigint },
): Promise<Tried | undefined> => {
  const code = await asRefusal(() =>
    rpcOf(settings).ask({
      method: 'eth_getCode',
      params: [multiSend, 'latest'],
      schema: z.string().regex(/^0x(?:[0-9a-f]{2})+$/),
    }),
  )
  const [tried] = await tryCalls(settings, {
    from: CALLER,
    calls: [{ to: safe, value: 0n, data: call.data }],
    limit: most,
    most,
    codes: { [safe]: code.slice(2) },
  })
  return tried
}
