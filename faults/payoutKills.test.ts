import { createHash } from 'node:crypto'
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { approveBatch, batchFile, giveUpBatch, makeBatch } from '@pool/contract/coins/batches'
import { approve } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Database } from '../server/base/db/connection.ts'
import { MULTI_SEND, safeTransactionOf } from '../server/coins/batches/safe.ts'
import { newAddress } from '../server/testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  ownedToken,
  startAnvil,
} from '../server/testing/anvil.ts'
import { ADMIN, newInvestor, signIn } from '../server/testing/client.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { type PlaySafe, playSafe } from '../server/testing/playSafe.ts'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { rounds } from '../server/testing/rounds.ts'
import { expectLent, type Loan, openLending, PATIENCE } from './payoutLoans.ts'
import { type Directory, LIMIT, moment, type Node, openNode, times } from './run.ts'

/**
 * Withdrawals and loans are batched, signed outside and paid while the product dies at each step.
 * The judge reads the node.
 */

const AMOUNT = 20
const UNITS = BigInt(AMOUNT) * 1_000_000n
const FUNDS = 1_000_000n * 1_000_000n
const START = 50_000
/** The operator's capital, for every loan. */
const RESERVE = '20000.00'
const SAFE = newAddress('Ethereum').toLowerCase()
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Person = { readonly token: string; readonly userId: string }
type Withdrawal = { readonly id: string; readonly to: string; readonly loan: Loan }
type OpenBatch = { id: string; state: string; digest: string; hash: string; nonce: number }

describe.skipIf(!hasAnvil)('payouts on a play chain', () => {
  let directory: Directory
  let database: Database
  let anvil: Anvil
  let token: Awaited<ReturnType<typeof ownedToken>>
  let safe: PlaySafe
  let node: Node
  let [admin, second, investor] = [{}, {}, {}] as [Person, Person, Person]
  let lending: Awaited<ReturnType<typeof openLending>>
  const paid: Withdrawal[] = []
  const [multiSend = ''] = MULTI_SEND['1.3.0'] ?? []

  const query = async (text: string, values: readonly unknown[] = []) =>
    (await database.pool.query(text, [...values])).rows

  /** Two super admins agree. */
  const agree = async (payload: object) => {
    const asked = await ask(node, askProposal, {
      token: admin.token,
      payload: { reason: 'A test', networkName: 'Ethereum', ...payload },
    })
    expect([asked.narration, asked.successful]).toEqual([expect.any(String), true])
    const params = { id: asked.body.id }
    expect(await ask(node, approveProposal, { token: second.token, params })).toMatchObject({
      successful: true,
    })
  }

  beforeAll(async () => {
    anvil = await startAnvil()
    token = await ownedToken(anvil, 6)
    safe = await playSafe(anvil, { address: SAFE, multiSend })
    await token.send(SAFE, FUNDS)
    const entry = {
      kind: 'evm',
      url: anvil.url,
      chainId: ANVIL_CHAIN,
      pollSeconds: 1,
      tokens: [{ symbol: 'USDC', contract: token.contract, decimals: 6 }],
    }
    const settings = {
      CHAINS: chainsFile({ Ethereum: entry }),
      RATE_LIMITS: 'off',
      LOAN_CONCENTRATION: '100',
    }
    directory = dataDirectory(inject('preparedData'), settings)
    node = await openNode(directory)
    investor = await newInvestor(node, START)
    const { email, password } = await newInvestor(node, 10)
    await directory.command('user', 'grant', email, 'SUPER_ADMIN')
    await directory.command('reserve', 'add', RESERVE, '--note', 'For loans')
    await node.end('SIGTERM')
    // Each batch waits for a second person from now on.
    node = await openNode(directory, { SECOND_APPROVAL_ABOVE: '10' })
    database = connectTo(directory)
    admin = await signIn(node, ADMIN)
    second = await signIn(node, { username: email, password })
    await agree({ kind: 'OWN_ADDRESS', address: SAFE, class: 'SAFE' })
    await agree({ kind: 'OPENING', asset: 'ETH', account: 'safe', amount: '100' })
    await agree({ kind: 'OPENING', asset: 'USDC', account: 'safe', amount: '1000000' })
    lending = await openLending({ node, query, staff: [admin, second], amount: AMOUNT })
  })
  afterAll(async () => {
    await database?.close()
    await directory?.remove()
    await anvil?.stop()
  })

  const isReserved = (loan: Loan) =>
    expect.poll(() => lending.statusOf(loan), PATIENCE).toBe('SENDING')
  /** A loan whose money waits for a batch. */
  const reserved = async (): Promise<Loan> => {
    const { loan, agree } = await lending.asked()
    await agree()
    await isReserved(loan)
    return loan
  }
  /** A withdrawal, and the loan in the same batch. */
  const approved = async (loan: Loan): Promise<Withdrawal> => {
    const to = newAddress('Ethereum')
    const { transactionId: id } = (
      await ask(node, withdraw, {
        token: investor.token,
        payload: {
          userId: investor.userId,
          amount: AMOUNT,
          destinationAddress: to,
          networkName: 'Ethereum',
        },
      })
    ).body
    for (const { token } of [admin, second])
      await ask(node, approve, {
        token,
        payload: { transactionId: id, userId: investor.userId, payeeAddress: to },
      })
    paid.push({ id, to, loan })
    return { id, to, loan }
  }
  /** The batches that have a withdrawal. */
  const openOf = async ({ id }: Withdrawal): Promise<OpenBatch[]> =>
    (await query(
      `SELECT b.id, b.state, b.digest, b.safe_hash AS hash, b.nonce::int AS nonce
       FROM batches AS b JOIN batch_payouts AS p ON p.batch_id = b.id WHERE p.withdrawal_id = $1 AND p.is_open`,
      [id],
    )) as OpenBatch[]
  const onlyOpen = async (withdrawal: Withdrawal): Promise<OpenBatch> => {
    const [batch, ...more] = await openOf(withdrawal)
    if (!batch || more.length > 0) throw new Error(`${withdrawal.id} is in no batch or in several`)
    return batch
  }

  const make = ({ id, loan }: Withdrawal) =>
    ask(node, makeBatch, {
      token: admin.token,
      payload: {
        networkName: 'Ethereum',
        coin: 'USDC',
        payer: SAFE,
        withdrawalIds: [id],
        loanIds: [loan.id],
      },
    })
  /** Makes it unless that was done, once the chain was read up to now. */
  const made = async (withdrawal: Withdrawal): Promise<OpenBatch> => {
    const isMade = async () => {
      if ((await openOf(withdrawal)).length === 0) await make(withdrawal)
      return (await openOf(withdrawal)).length
    }
    await expect.poll(isMade, PATIENCE).toBe(1)
    return onlyOpen(withdrawal)
  }
  const approveIt = ({ id, digest }: OpenBatch) =>
    ask(node, approveBatch, { token: second.token, params: { id }, payload: { digest } })
  const ready = async (withdrawal: Withdrawal): Promise<OpenBatch> => {
    const batch = await made(withdrawal)
    if (batch.state === 'WAITING') expect((await approveIt(batch)).successful).toBe(true)
    return onlyOpen(withdrawal)
  }
  const takeFile = async ({ id }: OpenBatch): Promise<string> =>
    (await ask(node, batchFile, { token: admin.token, params: { id } })).body.text
  /** Signs and sends a file, as the Safe's pages do. */
  const execute = async (text: string, { hash }: OpenBatch) => {
    const { transactions } = JSON.parse(text) as {
      transactions: readonly { to: string; value: string; data: string }[]
    }
    const calls = transactions.map(({ to, value, data }) => ({
      to,
      value: BigInt(value),
      data: data.slice(2),
    }))
    await safe.execute(hash, safeTransactionOf(calls, multiSend))
  }
  const isIn = (withdrawal: Withdrawal, state: string) =>
    expect.poll(async () => (await onlyOpen(withdrawal)).state, PATIENCE).toBe(state)

  /** Kills the product at a random moment of some work, and starts it again. */
  const killDuring = async (work: () => Promise<unknown>, most: number) => {
    const answered = work().catch(() => undefined)
    await moment(most)
    await node.end('SIGKILL')
    await answered
    await node.start()
  }
  /** Milliseconds of a call, about, and of a look at the chain. */
  const [CALL, LOOK] = [80, 2_500]

  /** Ends with its file in the hands of the operator. */
  const given = async (withdrawal: Withdrawal) => {
    const batch = await ready(withdrawal)
    return { batch, text: await takeFile(batch) }
  }
  const pay = async (withdrawal: Withdrawal) => {
    const { batch, text } = await given(withdrawal)
    await execute(text, batch)
    return { batch, text }
  }
  const steps: readonly (readonly [string, (withdrawal: Withdrawal) => Promise<unknown>])[] = [
    [
      'made',
      async (withdrawal) => {
        await killDuring(() => make(withdrawal), CALL)
        await pay(withdrawal)
      },
    ],
    [
      'approved',
      async (withdrawal) => {
        const batch = await made(withdrawal)
        await killDuring(() => approveIt(batch), CALL)
        await pay(withdrawal)
      },
    ],
    [
      'given out',
      async (withdrawal) => {
        const batch = await ready(withdrawal)
        await killDuring(() => takeFile(batch), CALL)
        const { text } = await pay(withdrawal)
        expect(createHash('sha256').update(text).digest('hex')).toBe(batch.digest)
      },
    ],
    [
      'seen',
      async (withdrawal) => {
        await pay(withdrawal)
        await killDuring(async () => undefined, LOOK)
      },
    ],
    [
      'seen and its block taken back',
      async (withdrawal) => {
        const { batch, text } = await pay(withdrawal)
        await killDuring(async () => {
          await anvil.ask('anvil_reorg', 1, [])
          await execute(text, batch)
        }, LOOK)
      },
    ],
    [
      'completed',
      async (withdrawal) => {
        await pay(withdrawal)
        await isIn(withdrawal, 'SEEN')
        await killDuring(() => anvil.ask('anvil_mine', '0x50'), LOOK)
      },
    ],
    [
      'given up',
      async (withdrawal) => {
        const { batch, text } = await given(withdrawal)
        const giveUp = () =>
          ask(node, giveUpBatch, {
            token: admin.token,
            params: { id: batch.id },
            payload: { reason: 'A test' },
          })
        await killDuring(giveUp, CALL)
        const isGone = async () => {
          if ((await openOf(withdrawal)).length > 0) await giveUp()
          return (await openOf(withdrawal)).length
        }
        await expect.poll(isGone, PATIENCE).toBe(0)
        const next = await pay(withdrawal)
        expect(next.batch.nonce).toBe(batch.nonce)
        // The old file has the number of the new one.
        await expect(execute(text, batch)).rejects.toThrow(/refused/)
      },
    ],
  ]

  test('kill -9 while a loan is reserved reserves it once', LIMIT, async () => {
    await times(rounds({ full: 50, short: 1 }), async () => {
      const { loan, agree } = await lending.asked()
      await killDuring(agree, CALL)
      const again = await agree()
      expect(again.successful || again.status === 409).toBe(true)
      await isReserved(loan)
      const withdrawal = await approved(loan)
      await pay(withdrawal)
      await anvil.ask('anvil_mine', '0x50')
      await isIn(withdrawal, 'COMPLETED')
    })
  })

  test.each(steps)('kill -9 while a batch is %s pays it once', LIMIT, async (_, step) => {
    await times(rounds({ full: 50, short: 1 }), async () => {
      const withdrawal = await approved(await reserved())
      await step(withdrawal)
      await anvil.ask('anvil_mine', '0x50')
      await isIn(withdrawal, 'COMPLETED')
    })
  })

  test('the node and the books agree on every payout', LIMIT, async () => {
    const logs = await anvil.ask<{ topics: readonly string[]; data: string }[]>('eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: token.contract,
      topics: [TRANSFER, `0x${SAFE.slice(2).padStart(64, '0')}`],
    })
    const sentTo = logs.map(({ topics, data }) => ({
      to: `0x${topics[2]?.slice(26)}`,
      units: BigInt(data),
    }))
    const payees = paid.flatMap(({ to, loan }) => [to, loan.to])
    expect(sentTo).toEqual(payees.map((to) => ({ to: to.toLowerCase(), units: UNITS })))
    const rows = await query(
      `SELECT t.status, (SELECT count(*)::int FROM movements WHERE reference_id = t.id AND name = 'withdrawal_completed') AS times,
         (SELECT count(*)::int FROM audit_entries WHERE subject_id = t.id::text AND action = 'withdrawal.sent') AS sent,
         (SELECT array_agg(DISTINCT b.state ORDER BY b.state) FROM batches AS b JOIN batch_payouts AS p ON p.batch_id = b.id
          WHERE p.withdrawal_id = t.id AND p.is_open) AS states
       FROM transactions AS t WHERE t.id = ANY ($1)`,
      [paid.map(({ id }) => id)],
    )
    expect(rows).toEqual(
      paid.map(() => ({ status: 'COMPLETED', times: 1, sent: 1, states: ['COMPLETED'] })),
    )
    const entries = await query(
      `SELECT b.id FROM batches AS b WHERE
         (SELECT count(*) FROM audit_entries WHERE subject_id = b.id::text AND action = 'batch.made') <> 1
         OR (SELECT count(*) FROM audit_entries WHERE subject_id = b.id::text AND action = 'batch.approved') <> (b.approved_at IS NOT NULL)::int
         OR (SELECT count(*) FROM audit_entries WHERE subject_id = b.id::text AND action = 'batch.givenUp') <> (b.state = 'GIVEN_UP')::int`,
    )
    expect(entries).toEqual([])
    expect(await query('SELECT kind FROM payout_alarms WHERE ended_at IS NULL')).toEqual([])
    await expectLent(
      query,
      paid.map(({ loan }) => loan),
    )
    // All its movements are posted once the blocks are final.
    await expect.poll(async () => (await directory.command('chainsCheck')).code, PATIENCE).toBe(0)
    for (const check of ['ledgerCheck', 'auditCheck'])
      expect(await directory.command(check)).toMatchObject({ code: 0 })
  })
})
