import { expect } from '@playwright/test'
import { newAddress } from '../server/testing/addresses.ts'
import { hasAnvil } from '../server/testing/anvil.ts'
import { hasLitecoind } from '../server/testing/litecoind.ts'
import { test } from './fixtures.ts'
import {
  approves,
  asks,
  compares,
  fromTheSafe,
  log,
  makesBatch,
  signs,
  takesToSigner,
} from './payoutActs.ts'
import type { Session } from './people.ts'
import { type PlaySandbox, startSandbox } from './playSandbox.ts'
import { expectAccessible, rows } from './steps.ts'
import { PHONE } from './widths.ts'

/** A withdrawal is paid: asked for, approved, batched, signed outside, seen and completed. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')
test.describe.configure({ mode: 'serial' })

let sandbox: PlaySandbox
let admin: Session
test.beforeAll(async () => {
  sandbox = await startSandbox()
  admin = await sandbox.superAdmin()
})
test.afterAll(() => sandbox?.stop())

type Open = Parameters<Parameters<typeof test>[2]>[0]['open']
const onPhone = (open: Open, investor: Session) =>
  open(investor, '/dashboard', { at: sandbox, viewport: PHONE, own: { locale: 'es-ES' } })

test('a withdrawal in bitcoin is signed outside, once', async ({ open, context }) => {
  test.skip(!hasLitecoind, 'Debian’s package litecoind is not installed')
  const investor = await sandbox.investor()
  const deposited = await sandbox.depositAddress(investor, 'Bitcoin', 500)
  await sandbox.pay(deposited, 'BTC', '0.01')
  await sandbox.addBlocks('Bitcoin', 2)
  await expect.poll(() => sandbox.credited(investor)).toEqual([500])

  const address = newAddress('Bitcoin')
  const own = await onPhone(open, investor)
  await asks(own, { networkName: 'Bitcoin', address })
  const staff = await open(admin, '/admin', { at: sandbox })
  await approves(staff, investor)
  await expect(rows(own, /retirada/i, 'APROBADA')).toHaveCount(1)
  const file = await makesBatch(staff, 'Bitcoin', (dialog) =>
    dialog.getByLabel('Fee rate in sat/vB').fill('5'),
  )

  const signer = await context.newPage()
  await takesToSigner(signer, sandbox, file)
  await expect(rows(signer, address)).toContainText('0.002 BTC')
  await expect(rows(signer, '(change, to the signer itself)')).toHaveCount(1)
  await expectAccessible(signer, 'signer')
  await signs(signer)
  await expect(log(signer)).toContainText('It waits for a block.')
  const [id = ''] = /[0-9a-f]{64}/.exec((await log(signer).textContent()) ?? '') ?? []
  await signs(signer)
  await expect(log(signer)).toHaveText(`The node has ${id} already. Nothing more is paid.`)
  await expect(staff.getByText('Seen on the network', { exact: true })).toBeVisible()
  await expect(rows(own, /retirada/i, 'EN PROCESO')).toHaveCount(1)
  await sandbox.addBlocks('Bitcoin', 6)
  await expect(staff.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(rows(own, /retirada/i, 'COMPLETADA')).toHaveCount(1)
  await signs(signer)
  await expect(log(signer)).toHaveText(`${id} is in a block already. Nothing more is paid.`)
  expect(await compares(signer, sandbox)).toBe('The coins equal the books.')
})

test('a withdrawal in USDC is executed by the Safe, once', async ({ open, context }) => {
  const investor = await sandbox.investor()
  const deposited = await sandbox.depositAddress(investor, 'Ethereum', 500)
  await sandbox.pay(deposited, 'USDC', '500')
  await sandbox.addBlocks('Ethereum', 3)
  await expect.poll(() => sandbox.credited(investor)).toEqual([500])

  const address = newAddress('Ethereum')
  await asks(await onPhone(open, investor), { networkName: 'Ethereum', address })
  const staff = await open(admin, '/admin', { at: sandbox })
  await approves(staff, investor)
  const file = await makesBatch(staff, 'Ethereum', fromTheSafe)

  const signer = await context.newPage()
  await takesToSigner(signer, sandbox, file)
  await expect(rows(signer, address.toLowerCase())).toContainText('100 USDC')
  await expect(signer.getByText('It is for number 0 of the Safe')).toContainText('number is 0.')
  await signs(signer)
  await expect(log(signer)).toContainText('It waits for a block.')
  await sandbox.addBlocks('Ethereum', 3)
  await expect(staff.getByText('Completed', { exact: true }).first()).toBeVisible()
  await signs(signer)
  await expect(log(signer)).toContainText('this number of the Safe is used')
  await takesToSigner(signer, sandbox, file)
  await expect(signer.getByText('It is for number 0 of the Safe')).toContainText('number is 1.')
})

test('the signer says what it does not sign', async ({ context }) => {
  const signer = await context.newPage()
  await signer.goto(sandbox.signer)
  const text = signer.getByLabel('Or its text, pasted or dropped here')
  await text.fill('to,amount')
  await expect(log(signer)).toContainText('The signer knows no such file.')
  await expect(signer.getByRole('button', { name: 'Sign and send' })).toBeHidden()
  await signer.getByLabel('To', { exact: true }).fill(newAddress('Ethereum'))
  await signer.getByLabel('Coin').selectOption('USDC')
  await signer.getByLabel('Amount').fill('200000')
  await signer.getByRole('button', { name: 'Pay by hand' }).press('Enter')
  await expect(log(signer)).toContainText('The chain refuses it: the coins are not there')
  await signer.getByLabel('Amount').fill('20')
  await signer.getByRole('button', { name: 'Pay by hand' }).press('Enter')
  await expect(log(signer)).toContainText('No batch of the pool explains it.')
})
