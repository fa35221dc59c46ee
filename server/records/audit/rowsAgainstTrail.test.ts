import { cents } from '@pool/contract/base/money'
import { beforeAll, describe, expect, test } from 'vitest'
import { addFactor } from '../../accounts/factors/addFactor.ts'
import { removeFactor, renewRecoveryCodes } from '../../accounts/factors/changeFactors.ts'
import { giveRole, suspendAccount, takeRole } from '../../accounts/users/roles.ts'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import { insertKey } from '../../chain/wallets/addressKeys.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { addWallets } from '../../chain/wallets/addWallets.ts'
import { removeWallet } from '../../chain/wallets/deleteWallet.ts'
import { deriveWallets } from '../../chain/wallets/deriveWallets.ts'
import { setLimits } from '../../money/brakes/limits.ts'
import { savePayoutAddress } from '../../money/payoutAddresses/payoutAddress.ts'
import { newAddress } from '../../testing/addresses.ts'
import { actAs, type Person, person, testProduct } from '../../testing/product.ts'
import { checkRowsAgainstTrail } from './rowsAgainstTrail.ts'

const product = testProduct()
const findings = async () => (await checkRowsAgainstTrail(product.context.db)).findings
/** SQL with the rights of the product's role. */
const asProduct = (text: string) => product.database.pool.query(text)
/** SQL that triggers and rights would refuse. */
const tamper = async (text: string) => {
  const client = await product.database.superuser.connect()
  await client.query(
    `SET session_replication_role = 'replica'; ${text}; RESET session_replication_role`,
  )
  client.release()
}

const admin = { name: 'tests', from: 'operator' }
let staff: Person
let someone: Person
const noted = { listed: '', goneFactor: '' }
/** The account of BIP 84's test vector. */
const key =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

/** Does everything that the check derives, by the product's own verbs. */
beforeAll(async () => {
  const { context } = product
  staff = await person(product, ['USER', 'ADMIN'])
  someone = await person(product)
  const ofSomeone = { userId: someone.id, by: admin }
  await context.db.transaction().execute(async (transaction) => {
    await giveRole(transaction, context.keys, { ...ofSomeone, role: 'ADMIN' })
    await takeRole(transaction, context, { ...ofSomeone, role: 'ADMIN' })
    await suspendAccount(transaction, context, { ...ofSomeone })
  })
  const owner = { by: actAs(staff), language: 'en' } as const
  const app = (name: string) => ({
    id: crypto.randomUUID(),
    kind: 'TOTP' as const,
    name,
    key_id: context.keys.ids[0] ?? '',
    last_step: 0n,
  })
  const [kept, gone] = [app('Kept'), app('Gone')]
  await addFactor(context, owner, kept)
  await addFactor(context, owner, gone)
  await removeFactor(context, owner, { id: gone.id, required: false })
  await renewRecoveryCodes(context, owner)
  for (const _ of [1, 2])
    await savePayoutAddress(context, {
      userId: someone.id,
      address: newAddress('Bitcoin'),
      networkName: 'Bitcoin',
      by: admin,
    })
  await addWallet(context, { address: newAddress('Bitcoin'), networkName: 'Bitcoin' }, admin)
  const addresses = Array.from({ length: 5 }, () => newAddress('Bitcoin'))
  await addWallets(context, { addresses, networkName: 'Bitcoin' }, admin)
  const { rows } = await asProduct(`SELECT id FROM wallets WHERE address = '${addresses[2]}'`)
  await context.db
    .transaction()
    .execute((transaction) =>
      removeWallet(transaction, context.keys, { id: rows[0].id, by: admin }),
    )
  await context.db.transaction().execute(async (transaction) => {
    const { text, fingerprint } = accountKeyOf('Bitcoin', key, 'live')
    const added = { network: 'Bitcoin', text, fingerprint, addedBy: staff.id, by: admin } as const
    await insertKey(transaction, context.keys, added)
  })
  await deriveWallets(context)
  const derived = await asProduct('SELECT id FROM wallets WHERE derivation_index = 3')
  await context.db
    .transaction()
    .execute((transaction) =>
      removeWallet(transaction, context.keys, { id: derived.rows[0].id, by: admin }),
    )
  noted.listed = addresses[3] ?? ''
  noted.goneFactor = gone.id
  await setLimits(context, {
    ...context.config,
    secondApprovalAbove: cents(50_00n),
    poolSecondApprovalAbove: cents(70_00n),
  })
})

test('what the product did itself is explained by entries', async () => {
  expect(await checkRowsAgainstTrail(product.context.db)).toEqual({ findings: [], older: 0n })
})

const uuid = 'gen_random_uuid()'

describe('SQL in the role of the product is named:', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'a granted role',
      () => `INSERT INTO user_roles (user_id, role) VALUES ('${someone.id}', 'SUPER_ADMIN')`,
      /has the role SUPER_ADMIN, but no entry grants it/,
    ],
    [
      'a revoked role',
      () => `DELETE FROM user_roles WHERE user_id = '${staff.id}' AND role = 'ADMIN'`,
      /lost the role ADMIN, but no entry revokes it/,
    ],
    [
      'a lifted suspension',
      () => `UPDATE users SET suspended_at = NULL WHERE id = '${someone.id}'`,
      /is not suspended, but the entries say otherwise/,
    ],
    [
      'a freeze',
      () => `UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = '${staff.id}'`,
      /is frozen, but the entries say otherwise/,
    ],
    [
      'a password',
      () => `UPDATE users SET password_hash = 'another' WHERE id = '${staff.id}'`,
      /has a password that no entry sets/,
    ],
    [
      'an email address',
      () => `UPDATE users SET username = 'thief@example.com' WHERE id = '${staff.id}'`,
      /has another email address than the entries say/,
    ],
    [
      'a new user',
      () =>
        `INSERT INTO users (id, username, password_hash, first_name, last_name, country) VALUES (${uuid}, 'new@example.com', 'x', 'N', 'N', 'US')`,
      /was not registered on record/,
    ],
    [
      'an authenticator app',
      () =>
        `INSERT INTO factors (id, user_id, kind, name, key_id, last_step) VALUES (${uuid}, '${someone.id}', 'TOTP', 'Mine', 'key', 0)`,
      /A second factor of user .* was added without an entry/,
    ],
    [
      'a recovery code',
      () => `INSERT INTO recovery_codes (digest, user_id) VALUES ('mine', '${staff.id}')`,
      /The recovery codes of user .* are not those of an entry/,
    ],
    [
      'a payout address',
      () =>
        `INSERT INTO payout_addresses (id, user_id, address, network_name, usable_from) VALUES (${uuid}, '${someone.id}', 'thief', 'Bitcoin', now())`,
      /has the payout address thief, but no entry saves it/,
    ],
    [
      'a deposit address',
      () => `INSERT INTO wallets (id, address, network_name) VALUES (${uuid}, 'thief', 'Bitcoin')`,
      /has the address thief, but no entry adds it/,
    ],
    [
      'an address in place of a derived one',
      () => `DELETE FROM wallets WHERE derivation_index = 5;
        INSERT INTO wallets (id, address, network_name, key_id, derivation_index)
        SELECT ${uuid}, 'exchanged-derived', 'Bitcoin', id, 5 FROM address_keys`,
      /has the address exchanged-derived, but its key gives another/,
    ],
    [
      'a derived address on another network',
      () => `INSERT INTO wallets (id, address, network_name, key_id, derivation_index)
        SELECT ${uuid}, '${accountKeyOf('Bitcoin', key, 'live').addressAt(77)}', 'Solana', id, 77 FROM address_keys`,
      /has the address bc1q\w+, but its key gives another/,
    ],
    [
      'a key of addresses',
      () =>
        `INSERT INTO address_keys (id, network_name, key, added_by) VALUES (${uuid}, 'Ethereum', '${key}', '${someone.id}')`,
      /The key .* on Ethereum is not that of an entry/,
    ],
    [
      'a limit',
      () => 'UPDATE approval_limits SET per_person = 6000',
      /The limits of one person are \$60 and \$70, but no entry sets them/,
    ],
  ])('%s', async (_, statement, sentence) => {
    await asProduct(statement())
    expect(await findings()).toContainEqual(expect.stringMatching(sentence))
  })
})

test('an address exchanged within a list is named', async () => {
  await tamper(`UPDATE wallets SET address = 'exchanged' WHERE address = '${noted.listed}'`)
  expect(await findings()).toContainEqual(
    expect.stringMatching(/has the address exchanged, but no entry adds it/),
  )
})

test('a removed factor that comes back is named', async () => {
  const before = (await findings()).filter((each) => each.includes('second factor')).length
  await tamper(
    `INSERT INTO factors (id, user_id, kind, name, key_id, last_step)
     SELECT '${noted.goneFactor}', user_id, kind, 'Gone', key_id, 0 FROM factors WHERE user_id = '${staff.id}' LIMIT 1`,
  )
  const after = (await findings()).filter((each) => each.includes('second factor')).length
  expect(after).toBe(before + 1)
})

test('a password older than digests is counted, not named', async () => {
  const old = await person(product)
  await tamper(
    `UPDATE audit_entries SET after = after - 'digest' WHERE subject_id = '${old.id}' AND action = 'user.registered'`,
  )
  const { findings, older } = await checkRowsAgainstTrail(product.context.db)
  expect([findings.some((each) => each.includes(old.id)), older]).toEqual([false, 1n])
})
