import { expect, test } from 'vitest'
import { MULTI_SEND, safeHashOf, safeTransactionOf, transferData } from './safe.ts'

const [multiSend = ''] = MULTI_SEND['1.3.0'] ?? []
const safe = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe'
const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const payees = [
  '0x1111111111111111111111111111111111111112',
  '0x2222222222222222222222222222222222222223',
  '0x3333333333333333333333333333333333333334',
]

// The contract of version 1.3.0 answered these to `getTransactionHash`, and executed each once.
test.each([
  [
    'transfers of a token',
    payees.map((to, at) => ({
      to: TOKEN,
      value: 0n,
      data: transferData(to, BigInt(at + 1) * 1_000_000n),
    })),
    '0xc4bc9f3a76bf4d8f608691c91ed423eadeabcf76f91dc43f5caf262180644947',
  ],
  [
    "transfers of the network's coin",
    payees.map((to, at) => ({ to, value: BigInt(at + 5), data: '' })),
    '0x602256aedd8c15cf4a5b36ce179c3ec3c58631b069205b8b27bd94b3ed8a838b',
  ],
  [
    'one transfer',
    [{ to: payees[0] ?? '', value: 77n, data: '' }],
    '0x903f403cc655bcdf3df3bb4481d37c54dc6b627561fa328a3a602a6811a78e31',
  ],
])('the hash of %s is the contract’s own', (_, calls, hash) => {
  const nonce = ['0xc4', '0x60', '0x90'].indexOf(hash.slice(0, 4))
  const transaction = safeTransactionOf(calls, multiSend)
  expect(safeHashOf(transaction, { chainId: 31_337, safe, nonce })).toBe(hash)
  const others = { chainId: 31_337, safe, nonce: nonce + 1 }
  expect(safeHashOf(transaction, others)).not.toBe(hash)
})
