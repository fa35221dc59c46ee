import { beforeEach, describe, expect, test } from 'vitest'
import { type Keys, keysOf } from '../../base/keys/keys.ts'
import { newSecret, rewoundProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkAudit, countLater } from './check.ts'
import { type EntryRow, signEntry } from './entry.ts'
import { record } from './record.ts'
import { auditHead, type Head, sealAudit, sealOf } from './seal.ts'

const [old, next] = [newSecret(), newSecret()]
/** A thief of the leaked key, and the product after a rotation, which does not know of the leak. */
const thief = keysOf([old])
const rotated = keysOf([next, old])

const product = rewoundProduct({}, { keys: thief })
let head: Head
/** The product that knows of the leak. */
let keys: Keys
beforeEach(async () => {
  await write(thief, 5)
  await sealAudit(product.context)
  head = (await auditHead(product.context.db)) ?? { position: 0n, hash: '' }
  keys = keysOf([next, { ...old, leaked: head }])
})

const write = async (by: Keys, count = 1) => {
  for (let number = 0; number < count; number += 1)
    await record(product.context.db, by, {
      by: { name: 'somebody', from: '203.0.113.7' },
      action: 'wallet.added',
      subject: { type: 'wallet', id: `wallet-${number}` },
    })
}
const seal = (by: Keys) => sealAudit({ db: product.context.db, keys: by })
const firstBreak = async () => (await checkAudit({ db: product.context.db, keys })).firstBreak
const later = () => countLater(product.context.db, old.id, head)

describe('a leaked key', () => {
  test('is believed up to its mark', async () => {
    expect([await firstBreak(), await later()]).toEqual([undefined, 0n])
    await write(keys, 2)
    expect(await seal(keys)).toEqual({ sealed: 2, unsigned: [] })
    expect([await firstBreak(), await later()]).toEqual([undefined, 0n])
  })

  test('seals nothing after its mark', async () => {
    await write(rotated)
    await seal(keysOf([old, next]))
    expect(await firstBreak()).toEqual({
      what: 'leakedKey',
      sentence: `Seal ${head.position + 1n} was made with the leaked key ${old.id}, which is believed up to ${head.position}.`,
    })
    expect(await later()).toBe(1n)
  })

  test('signs no entry that is sealed after its mark', async () => {
    await write(thief)
    await seal(rotated)
    expect(await firstBreak()).toMatchObject({
      what: 'leakedKey',
      sentence: expect.stringMatching(
        `^Entry \\d+ at ${head.position + 1n} was signed with the leaked key ${old.id}`,
      ),
    })
  })

  test('signs no entry that waits for its seal', async () => {
    await write(thief)
    await write(keys)
    expect(await seal(keys)).toMatchObject({ sealed: 1, unsigned: [expect.any(BigInt)] })
    expect(await firstBreak()).toMatchObject({
      what: 'leakedKey',
      sentence: expect.stringMatching(/^Entry \d+ was signed with the leaked key/),
    })
    expect(await later()).toBe(1n)
  })

  test('replaces no chain before its mark', async () => {
    const { pool } = product.database
    const { rows } = await pool.query<EntryRow & { id: bigint }>(
      'SELECT e.* FROM audit_entries AS e JOIN audit_seals AS s ON s.entry_id = e.id ORDER BY position',
    )
    const forged = signEntry(thief, {
      by: { name: 'somebody else', from: '203.0.113.7' },
      action: 'wallet.added',
      subject: { type: 'wallet', id: 'wallet-1' },
    })
    await tamper(
      product.database,
      `UPDATE audit_entries SET actor = 'somebody else', nonce = '${forged.nonce}', mac = '${forged.mac}' WHERE id = ${rows[2]?.id}`,
    )
    await sealAgain()
    const unmarked = { db: product.context.db, keys: rotated }
    expect((await checkAudit(unmarked)).firstBreak).toBeUndefined()
    expect(await firstBreak()).toEqual({
      what: 'cutOff',
      sentence: `The chain does not have the hash of the leaked key ${old.id} at ${head.position}. It was cut off or replaced.`,
    })
  })
})

/** Makes every seal anew with the leaked key, as its thief can. */
const sealAgain = async () => {
  const { rows } = await product.database.pool.query<{ position: bigint; content: string }>(
    'SELECT position, audit_content(e) AS content FROM audit_entries AS e JOIN audit_seals AS s ON s.entry_id = e.id ORDER BY position',
  )
  let previous = ''
  for (const { position, content } of rows) {
    previous = sealOf(thief, { previous, content }).hash
    await tamper(
      product.database,
      `UPDATE audit_seals SET hash = decode('${previous}', 'hex') WHERE position = ${position}`,
    )
  }
}
