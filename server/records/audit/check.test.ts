import { cents } from '@pool/contract/base/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import {
  actAs,
  fund,
  newKeys,
  type Person,
  person,
  rewoundProduct,
  wallets,
} from '../../testing/product.ts'
import { checkAudit } from './check.ts'
import { record } from './record.ts'
import { auditHead, sealAudit } from './seal.ts'

const product = rewoundProduct()
// Puts back what a test of tampering dropped.
beforeEach(async () => {
  await product.database.superuser.query(
    `ALTER TABLE audit_entries DROP CONSTRAINT IF EXISTS audit_entries_nonce_key,
       ADD CONSTRAINT audit_entries_nonce_key UNIQUE (nonce), ALTER nonce SET NOT NULL, ALTER mac SET NOT NULL`,
  )
})

const write = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, number) =>
      record(product.context.db, product.context.keys, {
        by: { name: 'somebody', from: '203.0.113.7' },
        action: 'wallet.added',
        subject: { type: 'wallet', id: `wallet-${number}` },
        after: { number },
      }),
    ),
  )

/** Acts with every right to the database, without its triggers and checks. */
const tamper = async (...statements: readonly string[]) => {
  const client = await product.database.superuser.connect()
  await client.query(`SET session_replication_role = 'replica';
    ALTER TABLE audit_entries DROP CONSTRAINT IF EXISTS audit_entries_nonce_key, ALTER nonce DROP NOT NULL, ALTER mac DROP NOT NULL`)
  for (const statement of statements) await client.query(statement)
  await client.query('RESET session_replication_role')
  client.release()
}
const check = () => checkAudit(product.context)
const at = (position: number) => `(SELECT entry_id FROM audit_seals WHERE position = ${position})`
/** Makes a seal without the key, the best that a stranger can do. */
const REHASH = (position: number) =>
  `UPDATE audit_seals AS s SET hash =
     sha256((SELECT hash FROM audit_seals WHERE position = ${position - 1}) || convert_to(audit_content(e), 'UTF8'))
   FROM audit_entries AS e WHERE e.id = s.entry_id AND s.position = ${position}`
/** Inserts an entry by hand, with this MAC and nonce. */
const INSERT = (subject: string, mac = "'x'", nonce = 'gen_random_uuid()') =>
  `INSERT INTO audit_entries (actor, action, subject_type, subject_id, source, nonce, mac)
   VALUES ('somebody', 'role.granted', 'user', '${subject}', 'operator', ${nonce}, ${mac})`

/** Requests a deposit of $40. Returns its id. */
const askToDeposit = async (investor?: Person): Promise<string> => {
  await wallets(product, 1)
  const { id } = investor ?? (await person(product))
  return (
    await requestDeposit(product.context.ledger, {
      by: { id, from: 'tests' },
      amount: cents(40_00n),
    })
  ).transactionId
}

describe('tampering is named:', () => {
  beforeEach(async () => {
    await write(20)
    await sealAudit(product.context)
    const { firstBreak, entries } = await check()
    expect([firstBreak, entries]).toEqual([undefined, 21n])
  })

  test.each([
    ['who did it', "actor = 'somebody else'"],
    ['when', "created_at = created_at + interval '1 microsecond'"],
    ['from where', "source = '198.51.100.1'"],
    ['what it was after', `after = '{"number": 99}'`],
    ['the reason', "reason = 'because'"],
    ['whom it concerns', 'owner_id = gen_random_uuid()'],
  ])('an entry with another value %s', async (_, change) => {
    await tamper(`UPDATE audit_entries SET ${change} WHERE id = ${at(7)}`)
    const { rows } = await product.database.pool.query(`SELECT ${at(7)} AS id`)
    expect((await check()).firstBreak).toEqual({
      what: 'entryChanged',
      sentence: `Entry ${rows[0].id} was changed: it differs from what was sealed at 7.`,
    })
  })

  test('an entry changed together with its seal', async () => {
    await tamper(`UPDATE audit_entries SET actor = 'x' WHERE id = ${at(7)}`, REHASH(7))
    expect((await check()).firstBreak).toMatchObject({
      what: 'entryChanged',
      sentence: expect.stringContaining('or its seal, was changed'),
    })
  })

  test('a deleted entry, alone or with its seal', async () => {
    await tamper(`DELETE FROM audit_entries WHERE id = ${at(7)}`)
    expect((await check()).firstBreak).toMatchObject({
      what: 'entryDeleted',
      sentence: expect.stringContaining('seal 7 is there'),
    })
    await tamper('DELETE FROM audit_seals WHERE position = 7')
    expect((await check()).firstBreak).toMatchObject({
      what: 'sealRemoved',
      sentence: expect.stringContaining('Seal 7 was removed'),
    })
    await tamper('UPDATE audit_seals SET position = position - 1 WHERE position > 7')
    expect((await check()).firstBreak).toMatchObject({ sentence: expect.stringContaining('at 7') })
  })

  test('a changed seal of an entry', async () => {
    await tamper("UPDATE audit_seals SET hash = sha256('x') WHERE position = 7")
    expect((await check()).firstBreak).toMatchObject({
      what: 'sealChanged',
      sentence: expect.stringContaining('Seal 7 of'),
    })
  })

  test('an entry inserted by hand with any date', async () => {
    await tamper(
      INSERT('y'),
      "UPDATE audit_entries SET created_at = now() + interval '1 year' WHERE subject_id = 'y'",
    )
    await sealAudit(product.context)
    expect((await check()).firstBreak).toMatchObject({ what: 'entryInserted' })
    const backdated = INSERT('z')
      .replace('(actor', '(created_at, actor')
      .replace("('somebody", "(now() - interval '1 day', 'somebody")
    await expect(product.database.superuser.query(backdated)).rejects.toThrow(/not allowed/)
  })

  test.each([
    ['without a MAC', 'NULL'],
    ['with a made-up MAC', "'00000000:' || repeat('0', 64)"],
    ['with the MAC of another entry', `(SELECT mac FROM audit_entries WHERE id = ${at(7)})`],
  ])('an entry inserted by hand %s stays unsealed', async (_, mac) => {
    await tamper('SELECT 1')
    await product.database.pool.query(INSERT('forged', mac))
    const { rows } = await product.database.pool.query(
      "SELECT id FROM audit_entries WHERE subject_id = 'forged'",
    )
    expect(await sealAudit(product.context)).toEqual({ sealed: 0, unsigned: [rows[0].id] })
    await write(3)
    expect(await sealAudit(product.context)).toEqual({ sealed: 3, unsigned: [rows[0].id] })
    expect((await check()).firstBreak).toMatchObject({
      sentence: expect.stringContaining(`Entry ${rows[0].id} was `),
    })
  })

  test('a copy of a signed entry', async () => {
    const copy = `INSERT INTO audit_entries (actor, action, subject_type, subject_id, source, after, nonce, mac)
      SELECT actor, action, subject_type, subject_id, source, after, nonce, mac FROM audit_entries WHERE id = ${at(7)}`
    await expect(product.database.pool.query(copy)).rejects.toThrow(/audit_entries_nonce_key/)
    await tamper('SELECT 1')
    await product.database.pool.query(copy)
    expect(await sealAudit(product.context)).toMatchObject({ sealed: 1 })
    const { rows } = await product.database.pool.query(
      `SELECT max(id) AS id, ${at(7)} AS original FROM audit_entries`,
    )
    expect((await check()).firstBreak).toEqual({
      what: 'entryCopied',
      sentence: `Entry ${rows[0].id} is a copy of entry ${rows[0].original}.`,
    })
  })

  test('a seal by a key of a stranger', async () => {
    await write(1)
    const stranger = newKeys()
    await record(product.context.db, stranger, {
      by: { name: 'x', from: 'x' },
      action: 'wallet.added',
      subject: { type: 'wallet', id: 'x' },
    })
    expect((await sealAudit(product.context)).unsigned).toHaveLength(1)
    expect((await check()).firstBreak).toMatchObject({
      what: 'unknownKey',
      sentence: expect.stringContaining(stranger.ids[0] ?? '?'),
    })
    await sealAudit({ ...product.context, keys: stranger })
    expect((await check()).firstBreak).toEqual({
      what: 'unknownKey',
      sentence: `Seal 23 was made with the key ${stranger.ids[0]}, which is not in the key file.`,
    })
  })

  test('an entry inserted between two others', async () => {
    await tamper(
      'UPDATE audit_seals SET position = position + 1000 WHERE position > 7',
      'UPDATE audit_seals SET position = position - 999 WHERE position > 1000',
      INSERT('between'),
      "INSERT INTO audit_seals SELECT 8, id, 'x', (SELECT key_id FROM audit_seals WHERE position = 7) FROM audit_entries WHERE subject_id = 'between'",
      REHASH(8),
    )
    expect((await check()).firstBreak).toMatchObject({
      what: 'entryChanged',
      sentence: expect.stringContaining(
        'or its seal, was changed: it differs from what was sealed at 8',
      ),
    })
  })

  test('an entry without seal for more than a minute', async () => {
    await write(1)
    expect((await check()).firstBreak).toBeUndefined()
    await tamper(
      "UPDATE audit_entries SET created_at = now() - interval '61 seconds' WHERE id IN (SELECT entry_id FROM audit_unsealed)",
    )
    expect((await check()).firstBreak).toMatchObject({ what: 'neverSealed' })
    await tamper('DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM audit_unsealed)')
    expect((await check()).firstBreak).toMatchObject({ what: 'entryDeleted' })
  })

  test('a chain cut off after a known head', async () => {
    const head = (await auditHead(product.context.db)) ?? { position: 0n, hash: '' }
    await tamper(
      `DELETE FROM audit_entries WHERE id IN ${at(21)}`,
      'DELETE FROM audit_seals WHERE position = 21',
    )
    expect((await check()).firstBreak).toBeUndefined()
    expect((await checkAudit(product.context, head)).firstBreak).toMatchObject({ what: 'cutOff' })
    await tamper('DELETE FROM audit_seals WHERE position = 20')
    expect((await check()).firstBreak).toMatchObject({ what: 'entryInserted' })
  })

  test('a decision without an entry', async () => {
    const investor = await person(product)
    await fund(product, investor, cents(50_00n))
    await sealAudit(product.context)
    const transactionId = await askToDeposit(investor)
    expect((await check()).firstBreak).toBeUndefined()
    await tamper(
      `UPDATE transactions SET status = 'APPROVED', ending = 'decided', updated_at = now() WHERE id = '${transactionId}'`,
    )
    expect((await check()).firstBreak).toMatchObject({
      what: 'notOnRecord',
      sentence: expect.stringContaining(transactionId),
    })
    await tamper(`UPDATE transactions SET updated_at = '2020-01-01' WHERE id = '${transactionId}'`)
    expect((await check()).firstBreak).toMatchObject({
      what: 'notOnRecord',
      sentence: expect.stringContaining(transactionId),
    })
  })

  test.each([
    ['without an entry', (_: string) => undefined, /^Transaction .* no entry names who decided/],
    [
      'with a forged entry',
      (id: string) => ({
        actor: 'the admin',
        action: 'deposit.confirmed',
        subject_type: 'transaction',
        subject_id: id,
        source: '127.0.0.1',
      }),
      /^Entry .* not signed by this product/,
    ],
  ])('a decision posted by hand %s', async (_, entry, sentence) => {
    const admin = await person(product, ['ADMIN'])
    const investor = await person(product)
    const transactionId = await askToDeposit(investor)
    await sealAudit(product.context)
    const forged = entry(transactionId) && {
      ...entry(transactionId),
      actor_id: admin.id,
      owner_id: investor.id,
      after: { status: 'APPROVED', amount: 40 },
      nonce: crypto.randomUUID(),
      mac: `${product.context.keys.ids[0]}:${'0'.repeat(64)}`,
    }
    // With the rights of the product's role.
    await product.database.pool.query(`
      BEGIN;
      UPDATE transactions SET status = 'APPROVED', ending = 'decided', decided_by = '${admin.id}', updated_at = now() WHERE id = '${transactionId}';
      INSERT INTO movements (name, reference_id, from_account_id, to_account_id, amount)
      SELECT 'deposit_confirmed', '${transactionId}', custody.id, available.id, 4000 FROM accounts AS custody, accounts AS available
      WHERE custody.kind = 'custody' AND available.kind = 'available' AND available.owner_id = '${investor.id}';
      ${forged ? `SELECT write_entries('${JSON.stringify([forged])}');` : ''}
      COMMIT`)
    expect(await product.context.ledger.available(investor.id)).toBe(40_00n)
    await sealAudit(product.context)
    expect((await check()).firstBreak).toMatchObject({ sentence: expect.stringMatching(sentence) })
  })

  test('another payee in an approval that waits for its seal', async () => {
    const investor = await person(product)
    await fund(product, investor, cents(50_00n))
    const { transactionId } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(20_00n),
      destinationAddress: 'shown',
    })
    const by = actAs(await person(product, ['ADMIN']))
    await approveWithdrawal(product.context, {
      transactionId,
      userId: investor.id,
      payeeAddress: 'shown',
      by,
    })
    expect((await check()).firstBreak).toBeUndefined()
    await tamper(
      `UPDATE audit_entries SET after = after || '{"payeeAddress": "other"}' WHERE action = 'withdrawal.approved'`,
    )
    await sealAudit(product.context)
    expect((await check()).firstBreak).toMatchObject({ what: 'notSigned' })
  })

  test('another amount asked for than an entry names', async () => {
    const by = actAs(await person(product, ['ADMIN']))
    const transactionId = await askToDeposit()
    await confirmDeposit(product.context, { transactionId, by, receivedAmount: cents(30_00n) })
    await sealAudit(product.context)
    expect((await check()).firstBreak).toBeUndefined()
    await tamper(`UPDATE transactions SET requested_amount = 9 WHERE id = '${transactionId}'`)
    expect((await check()).firstBreak).toEqual({
      what: 'notOnRecord',
      sentence: `Transaction ${transactionId} is APPROVED, but no entry names who decided.`,
    })
  })

  test('an approval or capital without an entry', async () => {
    const admin = await person(product, ['ADMIN'])
    const transactionId = await askToDeposit()
    await sealAudit(product.context)
    await tamper(
      `INSERT INTO approvals (transaction_id, approved_by) VALUES ('${transactionId}', '${admin.id}')`,
    )
    expect((await check()).firstBreak).toEqual({
      what: 'notOnRecord',
      sentence: `An approval of transaction ${transactionId} by user ${admin.id} is not on record.`,
    })
    await tamper(
      'DELETE FROM approvals',
      "INSERT INTO contributions VALUES (gen_random_uuid(), 1, 'x', 'x', now(), 'PLAY')",
    )
    expect((await check()).firstBreak).toMatchObject({
      what: 'notOnRecord',
      sentence: expect.stringMatching(/^Contribution .* not on record/),
    })
  })
})

test.each([
  'UPDATE audit_entries SET actor = actor',
  'DELETE FROM audit_entries',
  'TRUNCATE audit_entries',
  'DELETE FROM audit_seals',
  "UPDATE audit_seals SET hash = ''",
  'TRUNCATE audit_seals',
])('the database refuses %s', async (statement) => {
  await sealAudit(product.context)
  await expect(product.database.superuser.query(statement)).rejects.toThrow(/not allowed/)
})
