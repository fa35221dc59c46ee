import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { approveBatch } from '@pool/contract/coins/batches'
import { writeUpdate } from '@pool/contract/lending/loanRecords'
import { closeLoan, loanStory } from '@pool/contract/lending/loans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { type BitcoinPool, startBitcoinPool } from '../../testing/coinsOut.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { hasLitecoind } from '../../testing/litecoind.ts'
import { expectCustody, joinPeople } from '../../testing/loanDesk.ts'
import { codeOf, type Person, person } from '../../testing/product.ts'
import { openSendingDesk, sendable } from '../../testing/sendingDesk.ts'
import { tamper } from '../../testing/tamper.ts'

describe.skipIf(!hasLitecoind)('a loan to staff that a batch pays', () => {
  let pool: BitcoinPool
  let first: Person
  let second: Person
  let desk: ReturnType<typeof openSendingDesk>
  beforeAll(async () => {
    pool = await startBitcoinPool({ LOAN_CONCENTRATION: '100' }, { reserve: cents(40_000_00n) })
    first = pool.admin
    second = await person(pool.product, ['ADMIN'])
    desk = openSendingDesk(pool, first, second)
    await pool.fund(['1', '0.5', '0.25'])
  })
  afterAll(() => pool?.close())
  afterAll(async () => {
    await expectWhole(pool.product)
    await expectCustody(pool.product)
  })

  const call: BitcoinPool['product']['call'] = (...asked) => pool.product.call(...asked)

  test('is neither made nor approved by its borrower', async () => {
    const third = await person(pool.product, ['ADMIN'])
    const loan = await desk.recorded(sendable(), { relation: 'staff', userEmail: third.email })
    const { body } = await desk.askApproval(loan)
    expect((await desk.agree(body.proposalId)).status).toBe(200)
    expect(codeOf(await desk.askToSend(loan, newAddress(), third))).toBe('ownLoan')
    const asked = await desk.askToSend(loan)
    expect(codeOf(await desk.agree(asked.body.proposalId, third))).toBe('ownLoan')
    expect((await desk.agree(asked.body.proposalId)).status).toBe(200)
    expect(codeOf(await desk.make([loan], third))).toBe('batchImpossible')
    await desk.rows('UPDATE approval_limits SET per_person = 0')
    const waiting = await desk.make([loan])
    expect(waiting.body.state).toBe('WAITING')
    const { id: batchId, digest } = waiting.body
    const approve = (by: Person) =>
      call(approveBatch, { token: by.token, params: { id: batchId }, payload: { digest } })
    expect(codeOf(await approve(third))).toBe('ownTransaction')
    expect((await approve(second)).status).toBe(200)
    expect(codeOf(await pool.file(third, batchId))).toBe('ownLoan')
    await desk.giveUp(batchId)
    await desk.free(loan)
  })

  test('is touched by no other account of its borrower', async () => {
    const borrower = await person(pool.product)
    const other = await person(pool.product, ['ADMIN'])
    await joinPeople(pool.product, borrower, other)
    const { id, address } = await desk.reserved({}, { userEmail: borrower.email })
    const shown = await call(loanStory, { token: other.token, params: { id } })
    expect(shown.body.loan.borrowerAccounts.toSorted()).toEqual([borrower.id, other.id].sort())
    expect(codeOf(await desk.make([id], other))).toBe('batchImpossible')
    await desk.rows('UPDATE approval_limits SET per_person = 0')
    const { id: batchId, digest } = (await desk.make([id])).body
    const approve = (by: Person) =>
      call(approveBatch, { token: by.token, params: { id: batchId }, payload: { digest } })
    expect(codeOf(await approve(other))).toBe('ownTransaction')
    const byHand = `UPDATE batches SET state = 'READY', approved_by = $1, approved_at = now() WHERE id = $2`
    await expect(desk.rows(byHand, other.id, batchId)).rejects.toThrow(/another person/)
    expect((await approve(second)).status).toBe(200)
    expect(codeOf(await pool.file(other, batchId))).toBe('ownLoan')
    expect((await pool.file(first, batchId)).status).toBe(200)
    await desk.giveUp(batchId)
    // Past the product, a batch that this account made takes no loan of its person.
    const madeBy = ({ id: maker }: Person) =>
      tamper(
        pool.product.database,
        `UPDATE batches SET made_by = '${maker}' WHERE id = '${batchId}'`,
      )
    await madeBy(other)
    const forged = `INSERT INTO batch_payouts (batch_id, position, sending_id, address, units)
      SELECT $1, 9, id, address, 1 FROM loan_sendings WHERE loan_id = $2 AND address = $3`
    await expect(desk.rows(forged, batchId, id, address)).rejects.toThrow(/not to be paid/)
    await madeBy(first)
    await desk.free(id)
  })

  test('takes no step of another account of its borrower', async () => {
    const borrower = await person(pool.product)
    const other = await person(pool.product, ['ADMIN'])
    const named = { userEmail: borrower.email }
    const loan = await desk.recorded(sendable(), named)
    await joinPeople(pool.product, borrower, other)
    expect(codeOf(await desk.askApproval(loan, other))).toBe('ownLoan')
    const asked = await desk.askApproval(loan)
    expect(codeOf(await desk.agree(asked.body.proposalId, other))).toBe('ownLoan')
    const forged = `UPDATE proposals SET status = 'DONE', decided_by = $1, decided_at = now(), ended_at = now() WHERE id = $2`
    const client = await pool.product.database.superuser.connect()
    try {
      await client.query('BEGIN')
      await client.query(forged, [other.id, asked.body.proposalId])
      const approving = client.query(`UPDATE loans SET status = 'APPROVED' WHERE id = $1`, [loan])
      await expect(approving).rejects.toThrow(/takes two people/)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    const closing = { outcome: 'WITHDRAWN', reason: 'Not needed' } as const
    const params = { id: loan }
    const { token } = other
    expect(codeOf(await call(closeLoan, { token, params, payload: closing }))).toBe('ownLoan')
    const update = { text: 'All is well' }
    expect(codeOf(await call(writeUpdate, { token, params, payload: update }))).toBe('ownLoan')
    const evidence = `0x${randomUUID().replaceAll('-', '').repeat(2)}`
    const active = await desk.active({}, named, { networkName: 'Ethereum', evidence })
    expect(codeOf(await desk.repay(active, {}, other))).toBe('ownLoan')
    const { body } = await desk.repay(active)
    expect(codeOf(await desk.reverse(body.repaymentId, other))).toBe('ownLoan')
  })
})
