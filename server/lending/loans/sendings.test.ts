import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { approveBatch, previewBatch } from '@pool/contract/coins/batches'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../base/process/log.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { followPayouts } from '../../coins/payouts/followPayouts.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { startJobs } from '../../operator/jobs/jobs.ts'
import { migrateJobs } from '../../operator/jobs/migrateJobs.ts'
import { checkRowsAgainstTrail } from '../../records/audit/rowsAgainstTrail.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type BitcoinPool, startBitcoinPool } from '../../testing/coinsOut.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { followAndLend } from '../../testing/followAndLend.ts'
import { hasLitecoind } from '../../testing/litecoind.ts'
import { expectCustody } from '../../testing/loanDesk.ts'
import { dayFrom } from '../../testing/loans.ts'
import { codeOf, fund, type Person, person } from '../../testing/product.ts'
import { openSendingDesk, sendable } from '../../testing/sendingDesk.ts'
import { eventually } from '../../testing/streams.ts'
import { tamper } from '../../testing/tamper.ts'
import { loanJobs } from './jobs.ts'
import { postSentLoans, requireSendable } from './send.ts'

describe.skipIf(!hasLitecoind)('a loan that a batch pays', () => {
  let pool: BitcoinPool
  let first: Person
  let second: Person
  let desk: ReturnType<typeof openSendingDesk>
  beforeAll(async () => {
    pool = await startBitcoinPool(
      { LOAN_CONCENTRATION: '100', POOL_SECOND_APPROVAL_ABOVE: '1000000' },
      { reserve: cents(40_000_00n) },
    )
    first = pool.admin
    second = await person(pool.product, ['ADMIN'])
    desk = openSendingDesk(pool, first, second)
    await pool.fund(['1', '0.5', '0.25', '0.25', '0.1', '0.1'])
  })
  afterAll(() => pool?.close())
  afterAll(async () => {
    await expectWhole(pool.product, /oan|atch/)
    await expectCustody(pool.product)
  })

  const call: BitcoinPool['product']['call'] = (...asked) => pool.product.call(...asked)
  const follow = async () => {
    await pool.look()
    const { settings } = pool
    return followAndLend(pool.product.context, { settings, node: openNode(settings) })
  }
  const arrive = async (batchId: string) => {
    const transaction = await desk.send(batchId)
    await pool.node.mine(3)
    await follow()
    return transaction
  }
  const alarms = async () =>
    (
      await desk.rows<{ kind: string }>(
        'SELECT kind FROM payout_alarms WHERE ended_at IS NULL ORDER BY kind',
      )
    ).map(({ kind }) => kind)

  /** Writes past the triggers, expects that the check of the trail names it, and takes it back. */
  const expectNamed = async (forge: string, restore: string, sentence: RegExp) => {
    await tamper(pool.product.database, forge)
    const { findings } = await checkRowsAgainstTrail(pool.product.context.db)
    expect(findings).toContainEqual(expect.stringMatching(sentence))
    await tamper(pool.product.database, restore)
  }
  const OPEN_PAYOUTS = `SELECT FROM batch_payouts JOIN loan_sendings AS s ON s.id = sending_id WHERE loan_id = $1 AND is_open`

  test('is reserved first, and begins with its block', async () => {
    const [reserve, deployed] = [await desk.balanceOf('reserve'), await desk.balanceOf('deployed')]
    const [one, two] = [await desk.reserved(), await desk.reserved({ amount: 600 })]
    expect(await desk.balanceOf('sending')).toBe(1_800_00)
    expect(await desk.balanceOf('reserve')).toBe(reserve - 1_800_00)
    const withdrawal = await pool.approved(100)
    const batchId = await desk.made([one.id, two.id], first, [withdrawal])
    expect((await desk.storyOf(one.id)).loan.sending).toEqual({
      networkName: 'Bitcoin',
      address: one.address,
      batchId,
    })
    const transaction = await desk.send(batchId)
    await follow()
    expect(await desk.statusOf(one.id)).toBe('SENDING')
    await pool.node.mine(3)
    expect(await follow()).toMatchObject({ completed: 3, raised: 0 })
    expect(await desk.balanceOf('sending')).toBe(0)
    expect(await desk.balanceOf('deployed')).toBe(deployed + 1_800_00)
    const stories = [await desk.storyOf(one.id), await desk.storyOf(two.id)]
    for (const story of stories)
      expect(story).toMatchObject({
        loan: { status: 'ACTIVE', disburseOn: dayFrom(0), sending: null },
        networkName: 'Bitcoin',
        evidence: expect.stringMatching(new RegExp(`^${transaction}:\\d+$`)),
      })
    expect(stories[0]?.evidence).not.toBe(stories[1]?.evidence)
    expect(stories[0]?.events.map(({ what }) => what)).toEqual([
      'recorded',
      'approved',
      'reserved',
      'disbursed',
    ])
    expect(await pool.read(first, batchId)).toMatchObject({
      state: 'COMPLETED',
      payouts: [
        { withdrawalId: withdrawal, loanId: null, borrower: null },
        { withdrawalId: null, loanId: one.id, borrower: 'Ann Mason', dollars: 1_200 },
        { loanId: two.id, status: 'ACTIVE', userEmail: null },
      ],
    })
    expect(await alarms()).toEqual([])
    // A fork later does not end the loan. Staff see it.
    await desk.rows(
      "UPDATE spendings SET state = 'REVERSED' WHERE transaction_id = $1",
      transaction,
    )
    await followAndLend(pool.product.context, {
      settings: pool.settings,
      node: openNode(pool.settings),
    })
    expect(await alarms()).toContain('REORGANISED')
    expect(await desk.statusOf(one.id)).toBe('ACTIVE')
    await desk.rows(
      "UPDATE spendings SET state = 'CONFIRMED' WHERE transaction_id = $1",
      transaction,
    )
    await follow()
    expect(await alarms()).toEqual([])
  })

  test('is paid by no hand, and by SQL of two', async () => {
    const id = await desk.approved(sendable())
    expect(codeOf(await desk.disburse(id, first, { disbursedOn: dayFrom(0) }))).toBe('loanByBatch')
    expect(codeOf(await desk.askToSend(id, 'nowhere'))).toBe('invalidAddress')
    expect(codeOf(await desk.askToSend(id, pool.play.key.addressAt(0)))).toBe('addressOurs')
    const loan = await desk.reserved()
    expect(codeOf(await desk.askToSend(loan.id))).toBe('loanIs')
    expect(codeOf(await desk.disburse(loan.id))).toBe('loanIs')
    const [sending] = await desk.rows<{ id: string; proposal_id: string }>(
      'SELECT id, proposal_id FROM loan_sendings WHERE loan_id = $1',
      loan.id,
    )
    const refused = async (text: string, pattern: RegExp, ...values: unknown[]) =>
      expect(desk.rows(text, ...values)).rejects.toThrow(pattern)
    await refused(
      `INSERT INTO loan_sendings (id, proposal_id, loan_id, principal, capital, network_name, address)
       VALUES ($1, $2, $3, 100, 100, 'Bitcoin', 'mine')`,
      /takes two people/,
      randomUUID(),
      sending?.proposal_id,
      loan.id,
    )
    await refused(
      `INSERT INTO loan_confirmations (sending_id, transaction_id, basis, mac) VALUES ($1, 'made up', 'made up', 'made up')`,
      /no confirmed coins pay/,
      sending?.id,
    )
    await refused(
      `UPDATE loan_sendings SET status = 'RELEASED', release_id = proposal_id WHERE id = $1`,
      /takes two people/,
      sending?.id,
    )
    await expectNamed(
      `UPDATE loan_sendings SET address = 'mine' WHERE id = '${sending?.id}'`,
      `UPDATE loan_sendings SET address = '${loan.address}' WHERE id = '${sending?.id}'`,
      /reservation of loan .* for mine on Bitcoin has no entries/,
    )
    await refused(`UPDATE loan_sendings SET address = 'mine' WHERE id = $1`, /./, sending?.id)
    expect((await desk.free(loan.id)).status).toBe(200)
  })

  test('is refused where an investment took the reserve', async () => {
    const reserve = await desk.balanceOf('reserve')
    const id = await desk.approved({ ...sendable(), amount: (reserve - 50_00) / 100 })
    const asked = await desk.askToSend(id)
    const investor = await person(pool.product)
    await fund(pool.product, investor, cents(5_000_00n))
    const invest = () =>
      openInvestment(
        { ...pool.product.context, ledger: openLedger(pool.product.database.pool) },
        { by: { id: investor.id, from: 'tests' }, amount: cents(5_000_00n), durationDays: 1 },
      )
    const agree = () => desk.agree(asked.body.proposalId)
    const [answers, opened] = await Promise.allSettled([Promise.all([agree(), agree()]), invest()])
    const codes = answers.status === 'fulfilled' ? answers.value.map(codeOf).toSorted() : []
    const isReserved = codes.includes(undefined)
    expect(codes).toEqual(
      isReserved ? ['proposalClosed', undefined] : ['loanReserveShort', 'loanReserveShort'],
    )
    expect(opened.status === 'fulfilled').toBe(!isReserved)
    const story = await desk.storyOf(id)
    expect(story.loan.status).toBe(isReserved ? 'SENDING' : 'APPROVED')
    const preview = await call(previewBatch, {
      token: first.token,
      payload: pool.payloadOf([], { loanIds: [id] }),
    })
    expect(preview.status).toBe(isReserved ? 200 : 409)
    if (isReserved) await desk.free(id)
  })

  test('is in one batch, also of two at once', async () => {
    const { id, address } = await desk.reserved()
    const answers = await Promise.all([desk.make([id]), desk.make([id], second)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await desk.rows(OPEN_PAYOUTS, id)).toHaveLength(1)
    expect(codeOf(await desk.make([id]))).toBe('batchImpossible')
    expect(codeOf(await desk.askToFree(id))).toBe('loanInBatch')
    await expectNamed(
      `UPDATE batch_payouts SET address = 'mine' WHERE is_open AND sending_id IN (SELECT id FROM loan_sendings WHERE loan_id = '${id}')`,
      `UPDATE batch_payouts SET address = '${address}' WHERE is_open AND sending_id IN (SELECT id FROM loan_sendings WHERE loan_id = '${id}')`,
      /pays the loan .* to another address than two people agreed on/,
    )
    const batchId = answers.find(({ status }) => status === 200)?.body.id ?? ''
    expect((await desk.giveUp(batchId)).status).toBe(200)
    expect((await desk.free(id)).status).toBe(200)
  })

  test('is freed or batched, never both', async () => {
    const { id } = await desk.reserved()
    const { body } = await desk.askToFree(id)
    const [answer, freed] = await Promise.all([desk.make([id]), desk.agree(body.proposalId)])
    expect([answer.status, freed.status].filter((status) => status === 200)).toHaveLength(1)
    expect(await desk.statusOf(id)).toBe(answer.status === 200 ? 'SENDING' : 'APPROVED')
    if (answer.status !== 200) return
    expect(codeOf(freed)).toBe('loanInBatch')
    await desk.giveUp(answer.body.id)
    await desk.free(id)
  })

  test('shares a coin with the file given up before', async () => {
    const { id } = await desk.reserved()
    const old = await desk.made([id])
    const { text } = (await pool.file(first, old)).body
    expect((await desk.giveUp(old)).status).toBe(200)
    // Freed and sent anew, to another address.
    expect((await desk.free(id)).status).toBe(200)
    expect((await desk.storyOf(id)).events.at(-1)?.what).toBe('released')
    const asked = await desk.askToSend(id)
    expect((await desk.agree(asked.body.proposalId)).status).toBe(200)
    const next = await desk.made([id])
    await arrive(next)
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    await expect(pool.node.ask('sendrawtransaction', pool.sign(text))).rejects.toThrow()
    expect(await alarms()).toEqual([])
  })

  test('begins by a file that was given up and sent', async () => {
    const { id } = await desk.reserved()
    const batchId = await desk.made([id])
    const { text } = (await pool.file(first, batchId)).body
    expect((await desk.giveUp(batchId)).status).toBe(200)
    await pool.node.ask('sendrawtransaction', pool.sign(text))
    await follow()
    // It is paid, so its money is not freed.
    expect(codeOf(await desk.askToFree(id))).toBe('loanInBatch')
    expect(await alarms()).toEqual(['GIVEN_BACK'])
    await pool.node.mine(3)
    await follow()
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    expect(await desk.balanceOf('sending')).toBe(0)
    await desk.rows('UPDATE payout_alarms SET ended_at = now()')
  })

  test('begins once after a stop behind its confirmation', async () => {
    const { settings, product } = pool
    const { context, database } = product
    await migrateJobs(database)
    const { id } = await desk.reserved()
    const batchId = await desk.made([id])
    const transaction = await desk.send(batchId)
    await pool.node.mine(3)
    await pool.look()
    const woken = "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'sentLoans'"
    const before = await desk.rows(woken)
    const confirm = () => followPayouts(context, { settings, node: openNode(settings) })
    const done = await Promise.all([confirm(), confirm()])
    expect(done.map(({ completed }) => completed).sort()).toEqual([0, 1])
    expect((await pool.read(first, batchId)).state).toBe('COMPLETED')
    expect(await desk.statusOf(id)).toBe('SENDING')
    expect(await desk.rows(woken)).toHaveLength(before.length + 1)
    // A deep block had the coins, so a node that goes back changes nothing.
    const goTo = (state: string) =>
      desk.rows('UPDATE spendings SET state = $1 WHERE transaction_id = $2', state, transaction)
    await goTo('REVERSED')
    expect((await confirm()).completed).toBe(0)
    expect(codeOf(await desk.askToFree(id))).toBe('loanInBatch')
    expect(codeOf(await desk.make([id]))).toBe('batchImpossible')
    await goTo('CONFIRMED')
    expect((await confirm()).completed).toBe(0)
    const jobs = loanJobs.filter(({ name }) => name === 'sentLoans')
    const start = () =>
      startJobs(
        { ...context, ledger: openLedger(database.pool) },
        database,
        openLog('silent'),
        jobs,
      )
    const nodes = await Promise.all([start(), start()])
    try {
      await eventually(async () => expect(await desk.statusOf(id)).toBe('ACTIVE'))
    } finally {
      await Promise.all(nodes.map(({ stop }) => stop()))
    }
    expect(await postSentLoans(context)).toBe(0)
    const begun = 'SELECT evidence FROM loan_disbursements WHERE loan_id = $1'
    expect(await desk.rows(begun, id)).toEqual([{ evidence: transaction }])
    await desk.rows('UPDATE payout_alarms SET ended_at = now()')
  })

  test('does not begin by a confirmation that SQL made up', async () => {
    const { context, database } = pool.product
    const { id } = await desk.reserved()
    const ofLoan = `sending_id = (SELECT id FROM loan_sendings WHERE loan_id = '${id}')`
    await tamper(
      database,
      `INSERT INTO loan_confirmations (sending_id, transaction_id, output, basis, mac)
       SELECT id, 'made up', 0, 'coins in a block', 'made up' FROM loan_sendings WHERE loan_id = '${id}'`,
    )
    await expect(postSentLoans(context)).rejects.toThrow(/confirmation .* was not made by/)
    expect(await desk.statusOf(id)).toBe('SENDING')
    await tamper(database, `DELETE FROM loan_confirmations WHERE ${ofLoan}`)
    expect((await desk.free(id)).status).toBe(200)
  })

  test('is paid nowhere else while a file is out', async () => {
    const { id } = await desk.reserved()
    const batchId = await desk.made([id])
    const { text } = (await pool.file(first, batchId)).body
    expect((await desk.giveUp(batchId)).status).toBe(200)
    expect((await desk.free(id)).status).toBe(200)
    const elsewhere = { networkName: 'Ethereum', disbursedOn: dayFrom(0) }
    const byHand = () =>
      desk.disburse(id, first, {
        ...elsewhere,
        evidence: `0x${randomUUID().replaceAll('-', '').repeat(2)}`,
      })
    expect(codeOf(await byHand())).toBe('loanFileOut')
    // Nor by a batch of another network that a node follows.
    const { db, config } = pool.product.context
    const chains = [...config.chains, { ...pool.settings, network: 'Ethereum' as never }]
    const bySending = () =>
      requireSendable(
        { db, config: { ...config, chains } },
        { loanId: id, networkName: 'Ethereum', address: newAddress('Ethereum') },
      )
    await expect(bySending()).rejects.toMatchObject({ code: 'loanFileOut' })
    // Another batch spends its coin, and with that the file is void.
    const next = await desk.reserved()
    const other = await desk.made([next.id])
    const inputs = (batch: string) =>
      desk.rows<{ input: string }>('SELECT input FROM batch_inputs WHERE batch_id = $1', batch)
    expect(await inputs(other)).toEqual(await inputs(batchId))
    await arrive(other)
    await expect(pool.node.ask('sendrawtransaction', pool.sign(text))).rejects.toThrow()
    expect(await bySending()).toBe('Ethereum')
    expect((await byHand()).status).toBe(200)
  })

  test('is reserved again by no forged proposal', async () => {
    const { id } = await desk.reserved()
    await arrive(await desk.made([id]))
    const forged = randomUUID()
    const copy = await desk.rows<{ columns: string }>(
      `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns
       WHERE table_name = 'proposals' AND column_name <> 'id' AND is_generated = 'NEVER'`,
    )
    const columns = copy[0]?.columns
    await desk.rows(
      `INSERT INTO proposals (id, ${columns}) SELECT $1, ${columns} FROM proposals WHERE kind = 'SEND_LOAN' AND subject = $2`,
      forged,
      id,
    )
    await expect(
      desk.rows(
        `INSERT INTO loan_sendings (id, proposal_id, loan_id, principal, capital, network_name, address)
         SELECT $1, $2, loan_id, principal, capital, network_name, address FROM loan_sendings WHERE loan_id = $3`,
        randomUUID(),
        forged,
        id,
      ),
    ).rejects.toThrow(/takes two people/)
    await tamper(pool.product.database, `DELETE FROM proposals WHERE id = '${forged}'`)
  })

  test('waits no longer for approval once it is due', async () => {
    const { id } = await desk.reserved()
    await desk.rows('UPDATE approval_limits SET per_person = 0')
    const { id: batchId, digest } = (await desk.make([id])).body
    const days = (first: number, begin: number) =>
      tamper(
        pool.product.database,
        `UPDATE loans SET first_due_on = current_date + ${first}, disburse_on = current_date + ${begin} WHERE id = '${id}'`,
      )
    const approve = () =>
      call(approveBatch, { token: second.token, params: { id: batchId }, payload: { digest } })
    await days(0, -1)
    expect(codeOf(await approve())).toBe('batchLeavesOut')
    await days(30, 0)
    expect((await approve()).status).toBe(200)
    await days(0, -1)
    expect(codeOf(await pool.file(first, batchId))).toBe('batchLeavesOut')
    await days(30, 0)
    await desk.giveUp(batchId)
    await desk.free(id)
  })

  test('begins today though its block is of tomorrow', async () => {
    const { id } = await desk.reserved()
    const transaction = await desk.send(await desk.made([id]))
    await pool.node.ask('setmocktime', Math.floor(Date.now() / 1_000) + 86_400)
    await pool.node.mine(1)
    const block = await pool.node.ask<string>('getbestblockhash')
    const { time } = await pool.node.ask<{ time: number }>('getblockheader', block)
    expect(new Date(time * 1_000).toISOString().slice(0, 10)).toBe(dayFrom(1))
    await pool.node.ask('setmocktime', 0)
    await pool.node.mine(2)
    await follow()
    const days = await desk.rows<{ on: string; evidence: string }>(
      'SELECT disbursed_on::text AS on, evidence FROM loan_disbursements WHERE loan_id = $1',
      id,
    )
    expect(days).toEqual([{ on: dayFrom(0), evidence: transaction }])
  })

  test('is left out once its first instalment is due', async () => {
    const { id } = await desk.reserved()
    await tamper(
      pool.product.database,
      `UPDATE loans SET first_due_on = current_date, disburse_on = current_date - 1 WHERE id = '${id}'`,
    )
    const answer = await desk.make([id], first, [await pool.approved(20)])
    expect(codeOf(answer)).toBe('batchLeavesOut')
    await tamper(
      pool.product.database,
      `UPDATE loans SET first_due_on = current_date + 30, disburse_on = current_date WHERE id = '${id}'`,
    )
    await desk.free(id)
  })
})
