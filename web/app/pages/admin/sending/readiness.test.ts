import { batchStates } from '@pool/contract/coins/batchStates'
import { expect, test } from 'vitest'
import { readiness, type Sendable, type Sender } from './readiness.ts'

const withdrawal: Sendable = {
  status: 'APPROVED',
  userId: 'ann',
  batchId: null,
  batchState: null,
}
const sender: Sender = { userId: 'me', mayWrite: true, mayGiveBack: true }

test('a free withdrawal takes marks, returns and batches', () => {
  expect(readiness(withdrawal, sender)).toEqual({
    canMark: true,
    canGiveBack: true,
    canBatch: true,
    hindrances: [],
  })
  expect(readiness({ ...withdrawal, status: 'PROCESSING' }, sender)).toMatchObject({
    canMark: true,
    canGiveBack: true,
    canBatch: false,
  })
  expect(readiness({ ...withdrawal, status: 'COMPLETED' }, sender)).toMatchObject({
    canMark: false,
    canGiveBack: false,
    canBatch: false,
    hindrances: [],
  })
})

test.each(
  batchStates.flatMap((batchState) =>
    ['APPROVED', 'PROCESSING'].map((status) => ({ batchState, status })),
  ),
)('$batchState decides for a withdrawal that is $status', (given) => {
  const isHeld = given.batchState === 'WAITING' || given.batchState === 'READY'
  expect(readiness({ ...withdrawal, ...given, batchId: 'batch' }, sender)).toEqual({
    canMark: !isHeld,
    canGiveBack: !isHeld,
    canBatch: false,
    hindrances: isHeld ? ['inBatch'] : [],
  })
})

test('the owner, a reader and an admin may less', () => {
  expect(readiness({ ...withdrawal, userId: 'me' }, sender)).toEqual({
    canMark: false,
    canGiveBack: false,
    canBatch: false,
    hindrances: ['own'],
  })
  expect(readiness(withdrawal, { ...sender, mayWrite: false })).toMatchObject({
    canMark: false,
    hindrances: ['readOnly'],
  })
  expect(readiness(withdrawal, { ...sender, mayGiveBack: false })).toMatchObject({
    canMark: true,
    canGiveBack: false,
    canBatch: true,
  })
})
