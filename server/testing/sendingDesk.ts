/** The calls of two members of staff about loans that batches pay. */
import { approveBatch, giveUpBatch } from '@pool/contract/coins/batches'
import { askRelease, askSending } from '@pool/contract/lending/loans'
import { expect } from 'vitest'
import { newAddress } from './addresses.ts'
import type { BitcoinPool } from './coinsOut.ts'
import { openDesk } from './loanDesk.ts'
import { dayFrom } from './loans.ts'
import type { Person } from './product.ts'

/** Terms of a loan that can be sent today. */
export const sendable = () => ({ disburseOn: dayFrom(0), firstDueOn: dayFrom(30) })

/** The calls, of `first` unless told, and `second` agrees. */
export const openSendingDesk = (pool: BitcoinPool, first: Person, second: Person) => {
  const desk = openDesk(pool.product, first, second)
  const call: BitcoinPool['product']['call'] = (...asked) => pool.product.call(...asked)

  const askToSend = (id: string, address = newAddress(), by = first) =>
    call(askSending, {
      token: by.token,
      params: { id },
      payload: { networkName: 'Bitcoin', address },
    })
  const askToFree = (id: string) =>
    call(askRelease, {
      token: first.token,
      params: { id },
      payload: { reason: 'The borrower withdrew' },
    })
  /** A loan that two people agreed to send, to an address. */
  const agreed = async (more: object = {}, ofBorrower: object = {}) => {
    const id = await desk.approved({ ...sendable(), ...more }, ofBorrower)
    const address = newAddress()
    const asked = await askToSend(id, address)
    expect(asked.status).toBe(200)
    await desk.agree(asked.body.proposalId)
    return { id, address }
  }
  const reserved = async (...more: Parameters<typeof agreed>) => {
    const loan = await agreed(...more)
    expect(await desk.statusOf(loan.id)).toBe('SENDING')
    return loan
  }
  const free = async (id: string) => {
    const asked = await askToFree(id)
    expect(asked.status).toBe(200)
    return desk.agree(asked.body.proposalId)
  }
  const make = (loanIds: readonly string[], by = first, withdrawalIds: readonly string[] = []) =>
    pool.make(by, withdrawalIds, { loanIds })
  const made = async (...asked: Parameters<typeof make>) => {
    const answer = await make(...asked)
    expect(answer).toMatchObject({ status: 200 })
    const { id, state, digest } = answer.body
    if (state === 'WAITING')
      await call(approveBatch, { token: second.token, params: { id }, payload: { digest } })
    return id as string
  }
  const giveUp = async (id: string) =>
    call(giveUpBatch, { token: first.token, params: { id }, payload: { reason: 'Not signed' } })
  /** Signs the file elsewhere and sends it. Returns the id of the transaction. */
  const send = async (batchId: string): Promise<string> => {
    const { text } = (await pool.file(first, batchId)).body
    return pool.node.ask<string>('sendrawtransaction', pool.sign(text))
  }

  return { ...desk, call, askToSend, askToFree, agreed, reserved, free, make, made, giveUp, send }
}
