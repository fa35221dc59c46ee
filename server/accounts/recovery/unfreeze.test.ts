import { freezeAccount } from '@pool/contract/accounts/sessions'
import { currentUser } from '@pool/contract/accounts/users'
import { expect, test } from 'vitest'
import { startSession } from '../../base/sessions/sessions.ts'
import { person, testProduct } from '../../testing/product.ts'
import { addLink } from '../links/links.ts'
import { tokenOf } from '../links/tokens.ts'
import { type Proof, unfreeze } from './unfreeze.ts'

const product = testProduct()

const freeze = (token: string) => product.call(freezeAccount, { payload: { token } })
const rows = async <Row>(text: string, ...values: unknown[]) =>
  (await product.database.superuser.query(text, values)).rows as Row[]

test('a freeze yields to an older factor or code', async () => {
  const someone = await person(product)
  const by = { id: someone.id, name: someone.email, from: 'tests' }
  const add = async (table: 'factors' | 'recovery_codes'): Promise<Date> => {
    const [made] = await rows<{ created_at: Date }>(
      table === 'factors'
        ? "INSERT INTO factors (id, user_id, kind, name, key_id, last_step) VALUES (gen_random_uuid(), $1, 'TOTP', 'Phone', 'key', 0) RETURNING created_at"
        : 'INSERT INTO recovery_codes (digest, user_id) VALUES (uuid_send(gen_random_uuid()), $1) RETURNING created_at',
      someone.id,
    )
    return made?.created_at ?? new Date()
  }
  const lift = async (proof: Proof) => {
    await unfreeze(product.context.db, product.context, { userId: someone.id, by, proof })
    const token = await startSession(product.context, someone.id)
    return !(await product.call(currentUser, { token, query: { username: someone.email } })).body
      .frozen
  }
  const left = async () => {
    const [counts] = await rows<{ factors: number; codes: number }>(
      'SELECT (SELECT count(*) FROM factors WHERE user_id = $1)::int AS factors, (SELECT count(*) FROM recovery_codes WHERE user_id = $1)::int AS codes',
      someone.id,
    )
    return counts
  }
  const own = await add('factors')
  const code = await add('recovery_codes')
  const { db, keys } = product.context
  const added = { kind: 'FREEZE', userId: someone.id, address: someone.email } as const
  const token = tokenOf(keys, (await addLink(db, keys, added)).link)
  // A thief adds these between the mail and the press.
  const [younger, renewed] = [await add('factors'), await add('recovery_codes')]
  expect((await freeze(token)).status).toBe(200)
  for (const madeAt of [younger, renewed]) expect(await lift({ madeAt })).toBe(false)
  expect(await lift('mailbox')).toBe(false)
  expect(await left()).toEqual({ factors: 2, codes: 2 })
  expect(await lift({ madeAt: own })).toBe(true)
  expect(await left()).toEqual({ factors: 1, codes: 1 })
  const [entry] = await rows(
    "SELECT before FROM audit_entries WHERE owner_id = $1 AND action = 'account.unfrozen'",
    someone.id,
  )
  expect(entry).toEqual({ before: { factors: ['TOTP Phone'] } })

  const { link } = await addLink(db, keys, added)
  expect((await freeze(tokenOf(keys, link))).status).toBe(200)
  expect(await lift({ madeAt: code })).toBe(true)
})
