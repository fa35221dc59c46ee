import { expect } from '@playwright/test'
import { listTransactions } from '@pool/contract/requests/transactions'
import { newAddress } from '../server/testing/addresses.ts'
import { connectTo } from '../server/testing/process.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { fund } from './prepare.ts'

/** The share of a network's fee, shown before it is agreed to. */

// One product serves both.
test.describe.configure({ mode: 'default' })

let own: OwnProduct
let investor: Session
test.beforeAll(async () => {
  own = await startOwnProduct()
  investor = await own.person()
  await fund(own, investor, 100)
  const database = connectTo(own)
  await database.pool.query(
    "INSERT INTO fee_estimates (network_name, cents) VALUES ('Bitcoin', 1200)",
  )
  await database.close()
})
test.afterAll(() => own?.remove())

test('an investor agrees to a share that was shown', async ({ open }) => {
  const page = await open(investor, '/dashboard', { at: own })
  await page.getByRole('button', { name: /^Withdraw / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('50')
  await dialog.getByLabel(/^Destination address/).fill(newAddress())
  await dialog.getByRole('button', { name: 'Initiate Withdrawal' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    "The network's fee is about $12.00 now. The pool bears $5.00 of it, and you bear $7.00",
  )
  await expect(
    dialog.getByText(/^\$43\.00 is held now .* \$50\.00 stays available\.$/),
  ).toBeVisible()
  // Another amount has another share.
  await dialog.getByLabel('Amount').fill('51')
  await expect(dialog.getByRole('button', { name: 'Initiate Withdrawal' })).toBeVisible()
  await dialog.getByLabel('Amount').fill('50')
  await dialog.getByRole('button', { name: 'Agree and withdraw' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Withdrawal requested. $43.00 is held')).toBeVisible()
  const [withdrawal] = await own.call(listTransactions, investor)
  await page.goto(`${own.url}/dashboard?transaction=${withdrawal?.id}`)
  await expect(
    page.getByRole('dialog').getByText("Investor's part of the network's fee"),
  ).toBeVisible()
})

test('the share is named in Spanish, too', async ({ open }) => {
  const page = await open(investor, '/dashboard', { at: own, own: { locale: 'es-ES' } })
  await page.getByRole('button', { name: /^Retirar / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Importe').fill('20')
  await dialog.getByLabel(/^Dirección de destino/).fill(newAddress())
  await dialog.getByRole('button', { name: 'Iniciar retirada' }).click()
  await expect(dialog.getByRole('alert')).toContainText('El fondo paga')
  await expect(dialog.getByRole('button', { name: 'Aceptar y retirar' })).toBeVisible()
})
