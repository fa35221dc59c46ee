import { describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { transactionReader } from './solanaPayments.ts'

/** Forms that no real node gives, or one that keeps no balances. */
describe('a transaction of Solana', () => {
  const [ours, mint] = [newAddress('Solana'), newAddress('Solana')]
  const read = transactionReader({
    network: 'Solana',
    kind: 'solana',
    url: '',
    genesis: '',
    tokens: [{ symbol: 'USDC', mint, decimals: 6 }],
    pollSeconds: 1,
    stuckAfterMinutes: 5,
  })
  const watched = { receivers: new Map([[ours, ours]]), inputs: new Set<string>() }
  const body = { signatures: ['id'], accountKeys: [{ pubkey: ours }] }
  const balances = {
    err: null,
    fee: 0,
    preBalances: ['1'],
    postBalances: ['3'],
    preTokenBalances: [],
    postTokenBalances: [],
  }
  const owned = (amount: string, owner?: string) => ({
    accountIndex: 0,
    mint,
    owner,
    uiTokenAmount: { amount },
  })

  test('pays what an account has more than before', () => {
    expect(read({ transaction: body, meta: balances }, watched)).toMatchObject({
      payments: [{ transaction: 'id', output: 0, asset: 'SOL', units: 2n }],
      spending: undefined,
    })
  })

  test.each([
    ['without balances', body, null, 'AWAY'],
    ['without tokens', body, { ...balances, preTokenBalances: null }, 'AWAY'],
    ['with too few balances', body, { ...balances, postBalances: [] }, 'LYING'],
    ['with no word on its success', body, { ...balances, err: undefined }, 'LYING'],
    ['without its fee', body, { ...balances, fee: undefined }, 'LYING'],
    ['with numbers as floats', body, { ...balances, preBalances: [1] }, 'LYING'],
    ['without a signature', { ...body, signatures: [] }, balances, 'LYING'],
    ['with other accounts', { ...body, accountKeys: [ours] }, balances, 'LYING'],
    ['without an owner', body, { ...balances, postTokenBalances: [owned('5')] }, 'LYING'],
  ])('%s is a fault', (_, transaction, meta, state) => {
    expect(() => read({ transaction, meta }, watched)).toThrow(expect.objectContaining({ state }))
  })

  test('that is none is a fault', () => {
    for (const none of [null, 'id', {}, { transaction: {}, meta: {} }])
      expect(() => read(none, watched)).toThrow(expect.objectContaining({ state: 'LYING' }))
  })

  test('that failed pays nothing by any balances', () => {
    const meta = { ...balances, err: { InstructionError: [0, 'Custom'] } }
    expect(read({ transaction: body, meta }, watched)).toEqual({
      payments: [],
      spending: undefined,
    })
  })
})
