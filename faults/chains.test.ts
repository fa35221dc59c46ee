import { createWallets } from '@pool/contract/chain/wallets'
import { deposit } from '@pool/contract/requests/requests'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { newAddress } from '../server/testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  type PlayToken,
  playToken,
  startAnvil,
} from '../server/testing/anvil.ts'
import { ADMIN, balanceOf, newInvestor, signIn } from '../server/testing/client.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { rounds } from '../server/testing/rounds.ts'
import { type Directory, LIMIT, moment, openNode, times } from './run.ts'

/** Payments arrive while the product that follows them dies. The judge reads the chain. */

const START = 100
const PEOPLE = 3

describe.skipIf(!hasAnvil)('payments on a play chain', () => {
  let directory: Directory
  let anvil: Anvil
  let token: PlayToken
  beforeEach(async () => {
    directory = dataDirectory(inject('preparedData'))
    anvil = await startAnvil()
    token = await playToken(anvil, 6)
  })
  afterEach(async () => {
    await directory.remove()
    await anvil.stop()
  })

  /** The cents that the chain paid an address in tokens. */
  const paidTo = async (address: string): Promise<number> => {
    const logs = await anvil.ask<{ data: string }[]>('eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: token.contract,
      topics: [null, null, `0x${address.slice(2).toLowerCase().padStart(64, '0')}`],
    })
    return logs.reduce((sum, { data }) => sum + Number(BigInt(data)) / 10_000, 0)
  }

  test('kill -9 between seeing and crediting credits each once', LIMIT, async () => {
    const CHAINS = chainsFile({
      Ethereum: {
        kind: 'evm',
        url: anvil.url,
        chainId: ANVIL_CHAIN,
        tokens: [{ symbol: 'USDC', contract: token.contract, decimals: 6 }],
        pollSeconds: 1,
      },
    })
    const node = await openNode(directory, { CHAINS, AUTO_CONFIRM_UP_TO: '1000' })
    const admin = await signIn(node, ADMIN)
    await ask(node, createWallets, {
      token: admin.token,
      payload: {
        networkName: 'Ethereum',
        addresses: Array.from({ length: PEOPLE }, () => newAddress('Ethereum')),
      },
    })
    const people: { token: string; userId: string; address: string }[] = []
    while (people.length < PEOPLE) {
      const { token, userId } = await newInvestor(node, START)
      const payload = { userId, amount: 20, networkName: 'Ethereum' }
      const { address } = (await ask(node, deposit, { token, payload })).body
      people.push({ token, userId, address })
    }
    let amount = 10
    await times(rounds({ full: 50, short: 2 }), async () => {
      for (const { address } of people) {
        amount += 1
        await token.send(address, BigInt(amount) * 1_000_000n)
      }
      if (amount % 2 === 0) await anvil.ask('anvil_reorg', 1, [])
      await anvil.ask('anvil_mine', '0x50')
      await moment(3_000)
      await node.end('SIGKILL')
      await node.start()
    })
    const owed = await Promise.all(people.map(({ address }) => paidTo(address)))
    expect(Math.min(...owed)).toBeGreaterThan(0)
    const balances = async () =>
      Promise.all(people.map(async (each) => Math.round((await balanceOf(node, each)) * 100)))
    await expect
      .poll(balances, { timeout: 120_000, interval: 500 })
      .toEqual(owed.map((cents) => START * 100 + cents))
    for (const check of ['ledgerCheck', 'auditCheck'])
      expect(await directory.command(check)).toMatchObject({ code: 0 })
  })
})
