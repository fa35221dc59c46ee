import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** Files of the product itself, without its tests and the play world around them. */
const served = readSources().filter(
  ({ path }) => /^server\/.*\.ts$/.test(path) && !/\.test\.ts$|^server\/testing\//.test(path),
)

/** Names of libraries that sign or hold private keys. The product's own MACs are `keys.sign`. */
const SIGNS =
  /(?<!\bkeys)\.sign\(|\.(?:signIdx|finalize|finalizeIdx|privateKey|privateExtendedKey)\b|\b(?:fromMasterSeed|PSBTCombine|createSign|randomSecretKey|getSharedSecret|WIF)\b/

test('no code of the server signs for a chain', () => {
  expect(served.filter(({ text }) => SIGNS.test(text)).map(({ path }) => path)).toEqual([])
})

test('one file takes the library for Bitcoin, and no signer', () => {
  const lines = served.flatMap(({ path, text }) =>
    [...text.matchAll(/^import .* from '@scure\/btc-signer[^']*'$/gm)].map(([line]) => [
      path,
      line,
    ]),
  )
  expect(lines).toEqual([
    ['server/coins/batches/psbt.ts', "import { Transaction } from '@scure/btc-signer'"],
    [
      'server/coins/batches/psbt.ts',
      "import { CompactSizeLen, RawOldTx, RawTx } from '@scure/btc-signer/script.js'",
    ],
  ])
})

test.each([
  'transaction.sign(key)',
  'read.signIdx(key, 0)',
  'HDKey.fromMasterSeed(seed)',
  'account.privateKey',
])('code that signs is found: %s', (code) => {
  expect(SIGNS.test(code)).toBe(true)
  expect(SIGNS.test("keys.sign('audit entry', text)")).toBe(false)
})
