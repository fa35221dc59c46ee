import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import type { HDKey } from '@scure/bip32'

const PROGRAM = '/usr/bin/electrum'
const run = promisify(execFile)

/** Tells whether Debian's package `electrum` is installed, a wallet that is not ours. */
export const hasElectrum = existsSync(PROGRAM)

/** Version bytes of a private account key of a test network that pays by P2WPKH (SLIP 132). */
const VPRV = Uint8Array.of(0x04, 0x5f, 0x18, 0xbc)
const base58check = createBase58check(sha256)

/** The play key of an account, as Electrum reads it. */
const vprvOf = (account: HDKey): string => {
  const bytes = base58check.decode(account.privateExtendedKey)
  bytes.set(VPRV)
  return base58check.encode(bytes)
}

export type Electrum = {
  /** Signs a PSBT in base 64, and returns the transaction in hexadecimal. */
  readonly sign: (psbt: string) => Promise<string>
  readonly end: () => void
}

/** Restores a wallet from the play key of an account. It never connects to anything. */
export const openElectrum = async (account: HDKey): Promise<Electrum> => {
  const directory = mkdtempSync(join(tmpdir(), 'pool-electrum-'))
  const wallet = join(directory, 'wallet')
  const call = async (...words: readonly string[]) => {
    const options = ['--regtest', '--offline', '-D', directory, '-w', wallet]
    const { stdout } = await run(PROGRAM, [...words, ...options], { timeout: 120_000 })
    return stdout.trim()
  }
  await call('restore', vprvOf(account))
  return {
    sign: (psbt) => call('signtransaction', psbt),
    end: () => rmSync(directory, { recursive: true, force: true }),
  }
}
