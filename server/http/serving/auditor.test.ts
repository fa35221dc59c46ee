import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { listWallets } from '@pool/contract/chain/wallets'
import { pause } from '@pool/contract/money/pauses'
import { listAudit } from '@pool/contract/reports/audit'
import { expect, test } from 'vitest'
import { addApp } from '../../testing/factors.ts'
import { LIVE } from '../../testing/live.ts'
import { person, startProduct, testProduct } from '../../testing/product.ts'

// The matrix has each call of an auditor.

const product = testProduct()

test('auditors write only about their own account', () => {
  const calls = Object.entries(endpoints) as [string, Endpoint][]
  const written = calls.filter(([, { ownAccount }]) => ownAccount).map(([name]) => name)
  expect(written.sort()).toEqual([
    'askEmailLink',
    'beginPasskey',
    'beginTotp',
    'changeEmail',
    'changePassword',
    'closeAccount',
    'confirmPasskey',
    'confirmTotp',
    'endOtherSessions',
    'endReadingKey',
    'endSession',
    'exportOwnData',
    'logout',
    'makeReadingKey',
    'passkeyOptions',
    'proveFactor',
    'readNotices',
    'removeFactor',
    'renameFactor',
    'renewRecoveryCodes',
    'saveMorningMail',
  ])
})

test('AUDITOR takes away what another role would give', async () => {
  const both = await person(product, ['AUDITOR', 'SUPER_ADMIN'])
  const answer = await product.call(pause, {
    token: both.token,
    params: { name: 'deposits' },
    payload: { reason: 'A drill' },
  })
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('an auditor reads entries about accounts', async () => {
  const auditor = await person(product, ['AUDITOR'])
  const { body } = await product.call(listAudit, {
    token: auditor.token,
    query: { search: auditor.id },
  })
  expect(body.map(({ action }) => action)).toContain('user.registered')
})

test('an auditor needs a second factor in live mode', async () => {
  const live = await startProduct(LIVE)
  const auditor = await person(live, ['AUDITOR'])
  await live.database.superuser.query('DELETE FROM factors WHERE user_id = $1', [auditor.id])
  const list = () => live.call(listWallets, { token: auditor.token })
  expect(await list()).toMatchObject({ status: 403, body: { code: 'enrolFactor' } })
  await addApp(live, auditor)
  expect((await list()).status).toBe(200)
  await live.close()
})
