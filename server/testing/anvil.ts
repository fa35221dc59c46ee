import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AskNode, askAt, startNode } from './playNode.ts'

const CPUS: Readonly<Partial<Record<string, string>>> = { x64: 'amd64', arm64: 'arm64' }

/** The program of this machine's package. Undefined where npm has none. */
const programOf = (): string | undefined => {
  const { platform, arch } = process
  const name = `@foundry-rs/anvil-${platform}-${CPUS[arch]}`
  try {
    const own = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    const packaged = createRequire(own).resolve(`${name}/package.json`)
    return packaged.replace(/package\.json$/, 'bin/anvil')
  } catch {
    return undefined
  }
}
const program = programOf()

/** True where npm installed Foundry's Anvil for this machine. */
export const hasAnvil = program !== undefined && existsSync(program)

/** The chain of a new Anvil. */
export const ANVIL_CHAIN = 31_337

export type Anvil = {
  readonly url: string
  readonly ask: AskNode
  /** An account with play coins, which the node signs for. */
  readonly payer: string
  /** Sends coins and returns the transaction, which is in a block, unless mining is off. */
  readonly pay: (to: string, units: bigint, more?: object) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts an Ethereum node without other nodes, with a block for each transaction. */
export const startAnvil = async (options: readonly string[] = []): Promise<Anvil> => {
  if (program === undefined) throw new Error('There is no Anvil for this machine')
  const node = await startNode(
    program,
    ['--host', '127.0.0.1', ...(options.includes('--port') ? [] : ['--port', '0']), ...options],
    /Listening on 127\.0\.0\.1:(\d+)/,
  )
  const [, port] = node.match
  const url = `http://127.0.0.1:${port}`
  const ask = askAt(url)
  const [payer = ''] = await ask<string[]>('eth_accounts')
  return {
    url,
    ask,
    payer,
    pay: async (to, units, more) => {
      const payment = { from: payer, to, value: hex(units), ...more }
      const id = await ask<string>('eth_sendTransaction', payment)
      // Anvil answers before it mines.
      let isOpen = await ask<boolean>('anvil_getAutomine')
      while (isOpen) isOpen = (await ask('eth_getTransactionReceipt', id)) === null
      return id
    },
    stop: node.stop,
  }
}

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
const word = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/**
 * Selectors: `decimals()`, `balanceOf(address)`, `transfer(address,uint256)`, one that pays two
 * receivers, and one that leaves no log.
 */
const [DECIMALS, BALANCE_OF, SEND] = ['313ce567', '70a08231', 'a9059cbb']
const [SEND_BOTH, SEND_SILENTLY] = ['11111111', '22222222']

const RETURN = '60005260206000f3'
const returnWord = (value: string) => `60${value}${RETURN}`
const logTo = (argument: string) => `60${argument}35337f${TRANSFER}60206000a3`
const amountAt = (argument: string) => `60${argument}35600052`
/** Adds an amount to a balance. */
const add = (receiver: string, amount: string) => `60${receiver}35805460${amount}35019055`
const byte = (value: number): string => value.toString(16).padStart(2, '0')

/** Code of a contract with a part for each selector. It refuses other calls. */
const contractOf = (parts: readonly (readonly [selector: string, code: string])[]): string => {
  const bodies = parts.map(([, code]) => `5b${code}`)
  const start = 6 + parts.length * 11 + 5
  const jumps = parts.map(([selector], at) => {
    const place = start + bodies.slice(0, at).join('').length / 2
    return `8063${selector}1461${place.toString(16).padStart(4, '0')}57`
  })
  return `0x60003560e01c${jumps.join('')}60006000fd${bodies.join('')}`
}

/** Code of a token whose callers need no balance. */
const tokenCode = (decimals: number): string =>
  contractOf([
    [DECIMALS, returnWord(byte(decimals))],
    [BALANCE_OF, `60043554${RETURN}`],
    [SEND, `${amountAt('24')}${logTo('04')}${add('04', '24')}${returnWord('01')}`],
    [
      SEND_BOTH,
      `${amountAt('44')}${logTo('04')}${logTo('24')}${add('04', '44')}${add('24', '44')}${returnWord('01')}`,
    ],
    [SEND_SILENTLY, `${add('04', '24')}${returnWord('01')}`],
  ])

/** Code of a token that keeps 1 %, and whose event tells what came or what was sent. */
const feeTokenCode = (decimals: number, tells: 'came' | 'sent'): string => {
  const cameFrom = '60243580606490049003'
  const addToBalance = '80600435540160043555'
  const event = tells === 'came' ? '600052' : `50${amountAt('24')}`
  return contractOf([
    [DECIMALS, returnWord(byte(decimals))],
    [BALANCE_OF, `60043554${RETURN}`],
    [SEND, `${cameFrom}${addToBalance}${event}${logTo('04')}${returnWord('01')}`],
  ])
}

/** Reverts unless the caller has the amount, and takes it from its balance. */
const TAKE = '60243533541015600858015760006000fd5b6024353354033355'

/** Puts a token on the chain that only its owners can send. The payer of Anvil has enough of it. */
export const ownedToken = async (
  anvil: Anvil,
  decimals: number,
  contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3',
): Promise<Pick<PlayToken, 'contract' | 'send'>> => {
  const code = contractOf([
    [DECIMALS, returnWord(byte(decimals))],
    [BALANCE_OF, `60043554${RETURN}`],
    [SEND, `${TAKE}${amountAt('24')}${logTo('04')}${add('04', '24')}${returnWord('01')}`],
  ])
  const { send } = await playToken(anvil, decimals, contract)
  await anvil.ask('anvil_setCode', contract, code)
  const [balance, rich] = [`0x${word(anvil.payer)}`, `0x${word(10n ** 30n)}`]
  await anvil.ask('anvil_setStorageAt', contract, balance, rich)
  return { contract, send }
}

export type PlayToken = {
  readonly contract: string
  readonly send: (to: string, units: bigint, more?: object) => Promise<string>
  /** The data of such a call, as hexadecimal digits without 0x. */
  readonly callOf: (to: string, units: bigint) => string
  /** Sends the units to each of both, in one transaction. */
  readonly sendBoth: (first: string, second: string, units: bigint) => Promise<string>
  /** Sends the units without a log, as a token with rules of its own may. */
  readonly sendSilently: (to: string, units: bigint) => Promise<string>
}

/** Puts a token on the chain. */
export const playToken = async (
  { ask, pay }: Anvil,
  decimals: number,
  contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3',
): Promise<PlayToken> => {
  await ask('anvil_setCode', contract, tokenCode(decimals))
  const callOf = (to: string, units: bigint) => `${SEND}${word(to)}${word(units)}`
  return {
    contract,
    callOf,
    send: (to, units, more) => pay(contract, 0n, { data: `0x${callOf(to, units)}`, ...more }),
    sendBoth: (first, second, units) =>
      pay(contract, 0n, { data: `0x${SEND_BOTH}${word(first)}${word(second)}${word(units)}` }),
    sendSilently: (to, units) =>
      pay(contract, 0n, { data: `0x${SEND_SILENTLY}${word(to)}${word(units)}` }),
  }
}

export type FeeToken = Pick<PlayToken, 'contract' | 'send'> & {
  readonly balanceOf: (address: string) => Promise<bigint>
}

/** Puts a token on the chain that keeps 1 % of a transfer. */
export const feeToken = async (
  { ask, pay }: Anvil,
  decimals: number,
  tells: 'came' | 'sent',
  contract = '0xdac17f958d2ee523a2206206994597c13d831ec7',
): Promise<FeeToken> => {
  await ask('anvil_setCode', contract, feeTokenCode(decimals, tells))
  return {
    contract,
    send: (to, units, more) =>
      pay(contract, 0n, { data: `0x${SEND}${word(to)}${word(units)}`, ...more }),
    balanceOf: async (address) =>
      BigInt(
        await ask<string>(
          'eth_call',
          { to: contract, data: `0x${BALANCE_OF}${word(address)}` },
          'latest',
        ),
      ),
  }
}

/** Puts a contract on the chain that passes coins on to the address in its data. */
export const playForwarder = async (
  { ask, pay }: Anvil,
  contract = '0x00000000000000000000000000000000000f0000',
) => {
  await ask('anvil_setCode', contract, '0x6000600060006000346000355af100')
  return {
    send: (to: string, units: bigint) =>
      pay(contract, units, { data: `0x${word(to)}`, gas: '0x30d40' }),
  }
}

/** A step of a {@link playContract}. `use` runs another contract's code in the contract itself. */
export type Step =
  | { readonly send: string; readonly units: bigint }
  | { readonly use: string }
  | { readonly end: string }
  | 'revert'

/** Codes of operations. */
const [CALL, USE, END, REVERT] = ['5af150', '5af450', 'ff', '60006000fd']

const codeOf = (step: Step): string => {
  const none = '6000'.repeat(4)
  if (step === 'revert') return REVERT
  if ('end' in step) return `73${step.end.slice(2)}${END}`
  if ('use' in step) return `${none}73${step.use.slice(2)}${USE}`
  return `${none}7f${word(step.units)}73${step.send.slice(2)}${CALL}`
}

/** Puts a contract on the chain that takes these steps at each call. `end` sends all it has. */
export const playContract = async (
  { ask }: Pick<Anvil, 'ask'>,
  contract: string,
  steps: readonly Step[],
): Promise<string> => {
  await ask('anvil_setCode', contract, `0x${steps.map(codeOf).join('')}00`.toLowerCase())
  return contract
}
