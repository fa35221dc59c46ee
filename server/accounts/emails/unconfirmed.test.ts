import { askEmailLink, confirmEmail } from '@pool/contract/accounts/emails'
import { withdraw } from '@pool/contract/requests/requests'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { startBothModes } from '../../testing/bothModes.ts'
import { investorWith, type Person, type Product } from '../../testing/product.ts'
import { type Link, tokenOf } from '../links/tokens.ts'

let sandbox: Product
let live: Product
let close: () => Promise<void>
beforeAll(async () => {
  ;({ sandbox, live, close } = await startBothModes())
})
afterAll(() => close())

/** An investor with $100 who has not confirmed the email. */
const unconfirmed = async (product: Product): Promise<Person> => {
  const investor = await investorWith(product, 100)
  await product.database.superuser.query(
    'UPDATE users SET email_confirmed_at = NULL WHERE id = $1',
    [investor.id],
  )
  return investor
}
/** Asks for a mail and returns the token of its link. */
const askedBy = async ({ id, token }: Person): Promise<string> => {
  expect((await live.call(askEmailLink, { token })).status).toBe(200)
  const { rows } = await live.database.superuser.query<{ link: Link }>(
    "SELECT parameters->'link' AS link FROM mails WHERE user_id = $1 AND template = 'emailConfirm' ORDER BY id DESC LIMIT 1",
    [id],
  )
  return tokenOf(live.context.keys, rows[0]?.link ?? { id: '', keyId: '' })
}
const destinationAddress = newAddress()
const ask = (product: Product, { id, token }: Person, key: string) =>
  product.call(withdraw, { token, payload: { userId: id, amount: 10, destinationAddress }, key })
const press = (token: string) => live.call(confirmEmail, { payload: { token } })
const withdrawals = async ({ id }: Person): Promise<number | null> =>
  (
    await live.database.superuser.query(
      "SELECT FROM transactions WHERE user_id = $1 AND type = 'withdrawal'",
      [id],
    )
  ).rowCount

test('a live withdrawal waits for the confirmation', async () => {
  const investor = await unconfirmed(live)
  expect(await ask(live, investor, 'one-key')).toMatchObject({
    status: 403,
    narration: expect.stringContaining('confirm your email address'),
    body: { code: 'emailUnconfirmed' },
  })
  expect(await withdrawals(investor)).toBe(0)
  expect((await press(await askedBy(investor))).status).toBe(200)
  // The refusal left the key free.
  expect((await ask(live, investor, 'one-key')).status).toBe(200)
})

test('withdrawals beside a confirmation are whole or refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const investor = await unconfirmed(live)
    const token = await askedBy(investor)
    const [pressed, ...answers] = await Promise.all([
      press(token),
      ...[1, 2, 3].map((n) => ask(live, investor, `beside-${n}`)),
    ])
    expect(pressed?.status).toBe(200)
    const held = answers.filter(({ status }) => status === 200)
    for (const { status, body } of answers)
      if (status !== 200)
        expect({ status, body }).toMatchObject({ status: 403, body: { code: 'emailUnconfirmed' } })
    expect(await withdrawals(investor)).toBe(held.length)
    expect((await ask(live, investor, 'after')).status).toBe(200)
  }
})

test('a sandbox requires no confirmation', async () => {
  expect((await ask(sandbox, await unconfirmed(sandbox), 'play')).status).toBe(200)
})
