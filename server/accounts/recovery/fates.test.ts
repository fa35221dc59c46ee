import { changeEmail, confirmEmail } from '@pool/contract/accounts/emails'
import { endOtherSessions, freezeAccount } from '@pool/contract/accounts/sessions'
import { changePassword, resetPassword } from '@pool/contract/accounts/users'
import { closeAccount } from '@pool/contract/reports/ownData'
import { listTransactions } from '@pool/contract/requests/transactions'
import { expect, test } from 'vitest'
import { insertReadingKey } from '../../base/sessions/readingKeys.ts'
import { hashOf, startSession } from '../../base/sessions/sessions.ts'
import { newAddress } from '../../testing/addresses.ts'
import { addApp } from '../../testing/factors.ts'
import { PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'
import { resetFactors } from '../factors/resetFactors.ts'
import { addLink, type LinkKind } from '../links/links.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { giveRole, revokeRole, suspendUser } from '../users/roles.ts'
import { type ThingName, things, untouched, type Verb, verbs } from './fates.ts'
import { unfreeze } from './unfreeze.ts'

const NEW = 'a quieter horse battery'
const by = { name: 'operator', from: 'operator' }
const product = testProduct()

const rows = async <Row>(text: string, ...values: unknown[]) =>
  (await product.database.superuser.query(text, values)).rows as Row[]
const newEmail = () => `${crypto.randomUUID()}@example.com`
const mailedLink = async (kind: LinkKind, { id: userId, email: address }: Person) => {
  const { db, keys } = product.context
  return tokenOf(keys, (await addLink(db, keys, { kind, userId, address })).link)
}
const ok = async (answer: Promise<{ readonly status: number }>) =>
  expect(await answer).toMatchObject({ status: 200 })

type Doing = {
  readonly before?: (owner: Person) => Promise<unknown>
  readonly act: (owner: Person) => Promise<unknown>
}

const doings = {
  othersEnded: { act: ({ token }) => ok(product.call(endOtherSessions, { token })) },
  passwordChanged: {
    act: ({ token }) => {
      const payload = { password: PASSWORD, newPassword: NEW }
      return ok(product.call(changePassword, { token, payload }))
    },
  },
  passwordReset: {
    act: async (owner) => {
      const payload = { token: await mailedLink('RESET', owner), newPassword: NEW }
      await ok(product.call(resetPassword, { payload }))
    },
  },
  factorTrusted: { act: (owner) => addApp(product, owner) },
  factorsReset: {
    before: (owner) => addApp(product, owner),
    act: ({ email }) => resetFactors(product.context, { email, by }),
  },
  emailChanged: {
    act: async ({ token }) => {
      const email = newEmail()
      await ok(product.call(changeEmail, { token, payload: { password: PASSWORD, email } }))
      const [{ link } = {}] = await rows<{ link: Link }>(
        "SELECT parameters->'link' AS link FROM mails WHERE recipient = $1",
        email,
      )
      const pressed = tokenOf(product.context.keys, link as Link)
      await ok(product.call(confirmEmail, { payload: { token: pressed } }))
    },
  },
  frozen: {
    act: async (owner) => {
      const payload = { token: await mailedLink('FREEZE', owner) }
      await ok(product.call(freezeAccount, { payload }))
    },
  },
  unfrozen: {
    before: ({ id }) =>
      rows('UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = $1', id),
    act: ({ id: userId }) =>
      product.context.db
        .transaction()
        .execute((transaction) =>
          unfreeze(transaction, product.context, { userId, by, proof: 'mailbox' }),
        ),
  },
  suspended: { act: ({ email }) => suspendUser(product.context, { email, by }) },
  roleLost: {
    before: ({ id: userId }) => {
      const { db, keys } = product.context
      return giveRole(db, keys, { userId, role: 'ADMIN', by })
    },
    act: ({ email }) => revokeRole(product.context, { email, role: 'ADMIN', by }),
  },
  closed: {
    act: ({ token }) => ok(product.call(closeAccount, { token, payload: { password: PASSWORD } })),
  },
} as const satisfies Readonly<Record<Verb, Doing>>

/** Makes a link to another mailbox, which no use of a link by the verb ends. */
const madeLink = (kind: LinkKind) => async (userId: string) => {
  const { db, keys } = product.context
  const { link } = await addLink(db, keys, { kind, userId, address: newEmail() })
  return async () =>
    (await rows('SELECT FROM links WHERE id = $1 AND ended_at IS NULL', link.id)).length > 0
}
const isThere =
  (text: string, ...values: unknown[]) =>
  async () =>
    (await rows(text, ...values)).length > 0

/** Makes each thing for a user. Returns what finds out whether it stands. */
const makers: Readonly<Record<ThingName, (userId: string) => Promise<() => Promise<boolean>>>> = {
  sessions: async (userId) => {
    const hash = hashOf(await startSession(product.context, userId))
    return isThere("SELECT FROM sessions WHERE token_hash = decode($1, 'hex')", hash)
  },
  readingKeys: async (userId) => {
    const { key: token } = await product.context.db
      .transaction()
      .execute((db) =>
        insertReadingKey({ ...product.context, db }, { userId, name: 'Kept?', days: 365 }),
      )
    return async () => (await product.call(listTransactions, { token })).status === 200
  },
  CONFIRM: madeLink('CONFIRM'),
  CHANGE: madeLink('CHANGE'),
  RESET: madeLink('RESET'),
  FREEZE: madeLink('FREEZE'),
  GIVE_BACK: madeLink('GIVE_BACK'),
  waitingPayoutAddresses: async (userId) => {
    const address = newAddress()
    await rows(
      "INSERT INTO payout_addresses (id, user_id, address, network_name, usable_from) VALUES (gen_random_uuid(), $1, $2, 'Bitcoin', now() + interval '1 day')",
      userId,
      address,
    )
    return isThere('SELECT FROM payout_addresses WHERE address = $1', address)
  },
  knownDevices: async (userId) => {
    await rows(
      "INSERT INTO known_devices (user_id, digest, language) VALUES ($1, '\\x01', 'es')",
      userId,
    )
    return isThere(
      "SELECT FROM known_devices WHERE user_id = $1 AND last_seen_at > now() - interval '90 days'",
      userId,
    )
  },
  noticeChoices: async (userId) => {
    await rows("INSERT INTO notice_settings (user_id, mailed) VALUES ($1, '{}')", userId)
    return isThere('SELECT FROM notice_settings WHERE user_id = $1 AND mailed IS NOT NULL', userId)
  },
  factorReset: async (userId) => {
    const { id: superAdmin } = await person(product, ['SUPER_ADMIN'])
    await rows(
      "INSERT INTO proposals (id, kind, subject, user_id, payload, language, reason, asked_by) VALUES (gen_random_uuid(), 'RESET_FACTORS', $1, $2, '{}', 'en', 'Lost', $3)",
      userId,
      userId,
      superAdmin,
    )
    return isThere('SELECT FROM proposals WHERE user_id = $1 AND ended_at IS NULL', userId)
  },
}

test.each(verbs)('%s leaves what the table keeps alone', async (verb) => {
  const owner = await person(product)
  const { before, act }: Doing = doings[verb]
  await before?.(owner)
  const names = Object.keys(things) as ThingName[]
  const standing = new Map<ThingName, () => Promise<boolean>>()
  for (const name of names) standing.set(name, await makers[name](owner.id))
  for (const [name, stands] of standing) {
    // No key reads while its account is frozen.
    if (name !== 'readingKeys' || verb !== 'unfrozen')
      expect([name, await stands()]).toEqual([name, true])
  }
  await act(owner)
  const left: ThingName[] = []
  for (const [name, stands] of standing) if (await stands()) left.push(name)
  expect(left).toEqual(names.filter((name) => things[name].fates[verb] !== 'ends'))
})

test('an owner is mailed of ended keys in their language', async () => {
  const owner = await person(product)
  for (const name of ['knownDevices', 'readingKeys'] as const) await makers[name](owner.id)
  await doings.passwordChanged.act(owner)
  expect(
    await rows(
      "SELECT language, parameters->'keys' AS keys FROM mails WHERE recipient = $1 AND template = 'readingKeysEnded'",
      owner.email,
    ),
  ).toEqual([{ language: 'es', keys: 1 }])
})

test('each table of users is decided or has a reason', async () => {
  const found = await rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name = 'user_id'`,
  )
  const decided = [...Object.values(things).map(({ table }) => table), ...Object.keys(untouched)]
  expect(found.map(({ name }) => name).filter((name) => !decided.includes(name))).toEqual([])
})
