import { randomUUID } from 'node:crypto'
import { approve } from '@pool/contract/decisions'
import { withdraw } from '@pool/contract/requests'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Database } from '../server/db/connection.ts'
import { newAddress } from '../server/testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  type PlayToken,
  playToken,
  startAnvil,
} from '../server/testing/anvil.ts'
import { ADMIN, newInvestor, signIn } from '../server/testing/client.ts'
import { addOwn } from '../server/testing/ownCoins.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { rounds } from '../server/testing/rounds.ts'
import { type Directory, LIMIT, moment, openNode, times } from './run.ts'

/** Withdrawals are paid while the product that follows them dies. */

const AMOUNT = 20
const START = 3_000

describe.skipIf(!hasAnvil)('payouts on a play chain', () => {
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

  test('kill -9 between seeing and marking completes each once', LIMIT, async () => {
    const entry = {
      ...{ kind: 'evm', url: anvil.url, chainId: ANVIL_CHAIN, pollSeconds: 1 },
      tokens: [{ symbol: 'USDC', contract: token.contract, decimals: 6 }],
    }
    const CHAINS = chainsFile({ Ethereum: entry })
    const node = await openNode(directory, { CHAINS, RATE_LIMITS: 'off' })
    const admin = await signIn(node, ADMIN)
    const investor = await newInvestor(node, START)
    const database: Database = connectTo(directory)
    const query = (text: string, values: readonly unknown[] = []) =>
      database.pool.query(text, [...values])
    await addOwn({ superuser: database.pool }, 'Ethereum', anvil.payer)
    const paid: string[] = []
    await times(rounds({ full: 50, short: 4 }), async () => {
      const to = newAddress('Ethereum')
      const { transactionId } = (
        await ask(node, withdraw, {
          token: investor.token,
          payload: {
            ...{ userId: investor.userId, amount: AMOUNT },
            ...{ destinationAddress: to, networkName: 'Ethereum' },
          },
        })
      ).body
      await ask(node, approve, {
        token: admin.token,
        payload: { transactionId, userId: investor.userId, payeeAddress: to },
      })
      const batch = randomUUID()
      await query(
        `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
         VALUES ($1, 'Ethereum', 'USDC', 6, 'PAYOUT', 'CSV', 'READY', $2, 1, now(), '', '', $3)`,
        [batch, anvil.payer, admin.userId],
      )
      await query(
        'INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units) VALUES ($1, 0, $2, $3, $4)',
        [batch, transactionId, to, AMOUNT * 1_000_000],
      )
      await token.send(to, BigInt(AMOUNT) * 1_000_000n)
      paid.push(transactionId)
      if (paid.length % 2 === 0) {
        await moment(1_500)
        await anvil.ask('anvil_reorg', 1, [])
        await token.send(to, BigInt(AMOUNT) * 1_000_000n)
      }
      await anvil.ask('anvil_mine', '0x50')
      await moment(3_000)
      await node.end('SIGKILL')
      await node.start()
    })
    const states = async () =>
      (
        await query(
          `SELECT t.status, b.state, (SELECT count(*)::int FROM movements WHERE reference_id = t.id AND name = 'withdrawal_completed') AS times,
             (SELECT count(*)::int FROM audit_entries WHERE subject_id = t.id::text AND action = 'withdrawal.sent') AS sent
           FROM transactions AS t JOIN batch_payouts AS p ON p.withdrawal_id = t.id JOIN batches AS b ON b.id = p.batch_id
           WHERE t.id = ANY ($1)`,
          [paid],
        )
      ).rows
    await expect
      .poll(states, { timeout: 120_000, interval: 500 })
      .toEqual(paid.map(() => ({ status: 'COMPLETED', state: 'COMPLETED', times: 1, sent: 1 })))
    const { rows: alarms } = await query('SELECT kind FROM payout_alarms WHERE ended_at IS NULL')
    expect(alarms).toEqual([])
    await database.close()
    for (const check of ['ledgerCheck', 'auditCheck'])
      expect(await directory.command(check)).toMatchObject({ code: 0 })
  })
})
