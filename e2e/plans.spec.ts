import { randomBytes } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { approveProposal, askProposal, listProposals } from '@pool/contract/agreements/proposals'
import { createWallet } from '@pool/contract/chain/wallets'
import { invest } from '@pool/contract/money/investments'
import { listPlans } from '@pool/contract/money/planVersions'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible, openPage } from './steps.ts'
import { PHONE } from './widths.ts'

/** Plans are versions that two super admins make. An investment keeps its own. */

// One product serves all of them.
test.describe.configure({ mode: 'default' })

let own: OwnProduct
let first: Session
let second: Session
let investor: Session

test.beforeAll(async () => {
  own = await startOwnProduct()
  first = await own.superAdmin()
  second = await own.person(['SUPER_ADMIN'])
  investor = await own.person()
  const { userId } = investor
  await own.call(createWallet, first, { address: newAddress(), networkName: 'Bitcoin' })
  const { transactionId } = await own.call(deposit, investor, { userId, amount: 1_000 })
  const evidence = randomBytes(32).toString('hex')
  await own.call(confirm, first, { transactionId, evidence })
  await own.call(invest, investor, { userId, amount: 100, durationDays: 12 })
})
test.afterAll(() => own?.remove())

const plan = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Plans', exact: true })
    .getByRole('listitem', { name, exact: true })
const offered = (page: Page) => page.getByRole('list', { name: 'What each plan earns' })

/** Enough for two people to agree on a busy machine. */
const LEAD_MS = 30_000

/** A moment some seconds ahead, as a field of the browser holds it, in the browser's zone. */
const soon = (page: Page): Promise<string> =>
  page.evaluate((lead) => {
    const moment = new Date(Date.now() + lead)
    return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
      .toISOString()
      .slice(0, 19)
  }, LEAD_MS)

/** Waits until a version with these terms counts. */
const untilItCounts = (terms: Record<string, unknown>) =>
  expect
    .poll(async () => own.call(listPlans, undefined), { timeout: 90_000 })
    .toContainEqual(expect.objectContaining(terms))

/** Makes a version by calls of two people, which starts soon. */
const makeVersion = async (terms: object) => {
  const { id } = await own.call(askProposal, first, {
    kind: 'PLAN',
    reason: 'For the tests',
    most: null,
    capacity: null,
    isOpen: true,
    startsAt: new Date(Date.now() + 10_000).toISOString(),
    ...terms,
  })
  await own.call(approveProposal, second, undefined, { id })
  await untilItCounts({ id })
}

test('a version of two super admins counts from its moment', async ({ open }) => {
  const page = await open(first, '/admin', { at: own })
  await openPage(page, /^Plans/)
  await expect(page).toHaveURL('/admin/plans')
  await expect(plan(page, '12 days')).toContainText('12 days - 7%')
  await expect(plan(page, '12 days')).toContainText('$100.00 at work')
  await expect(plan(page, '1 day')).toContainText('Original terms')
  await expectAccessible(page, 'plans')

  await page.getByRole('button', { name: 'Change the plan of 12 days' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change the plan of 12 days' })
  await expect(dialog.getByLabel('Interest over the whole term')).toHaveValue('7')
  await dialog.getByLabel('Interest over the whole term').fill('5.5')
  await dialog.getByLabel('Minimum amount').fill('50')
  await dialog.getByLabel('Maximum at once').fill('20')
  await dialog.getByRole('button', { name: 'Ask' }).click()
  await expect(dialog).toContainText('Please fill in every field.')
  await dialog.getByLabel('Reason').fill('Less demand for loans')
  await dialog.getByRole('button', { name: 'Ask' }).click()
  await expect(dialog.getByRole('alert')).toContainText('cannot be below the least')
  await dialog.getByLabel('Maximum at once').fill('')
  await dialog.getByLabel('Capacity').fill('300')
  await expectAccessible(page, 'askForPlan', '[role=dialog]')
  await dialog.getByLabel('In force from').fill(await soon(page))
  await dialog.getByRole('button', { name: 'Ask' }).press('Enter')
  await expect(dialog).toBeHidden()
  const [asked] = await own.call(listProposals, second)
  await expect(plan(page, '12 days')).not.toContainText('Version 2')

  const queue = await open(second, '/admin', { at: own })
  const waiting = queue.getByRole('region', { name: 'Waiting for a decision' })
  await expect(waiting).toContainText(/Plan of 12 days from .*: 5.5%, \$50.00 to ∞ at once/)
  await waiting.getByText(/Plan of 12 days/).click()
  await expect(queue.getByRole('region', { name: 'Request' })).toContainText(
    'Less demand for loans',
  )
  // A decision rests for a second after its panel opened.
  await expect(async () => {
    await queue.keyboard.press('a')
    await expect(queue.getByText('Approved. It takes effect at the time set.')).toBeVisible({
      timeout: 2_000,
    })
  }).toPass()
  await untilItCounts({ id: asked?.id, rateBasisPoints: 550 })

  await page.reload()
  const versions = plan(page, '12 days').getByRole('list').getByRole('listitem')
  await expect(versions).toHaveText([
    /Version 2.*in force now.*5\.5%.*\$50.*capacity \$300.*Asked for by.*Less demand for loans/,
    /Version 1.*replaced.*7%/,
  ])
  await expectAccessible(page, 'plansOfTwo')
})

test('a new version is invested in, an older rate stays', async ({ open }) => {
  await makeVersion({ durationDays: 12, rateBasisPoints: 525, least: 50, capacity: 300 })
  const page = await open(investor, '/dashboard', { at: own, viewport: PHONE })
  await page.getByRole('button', { name: /^Invest/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Make Investment' })
  const row = offered(page).getByRole('listitem').filter({ hasText: '12 days' })
  await expect(row).toContainText('12 days - 5.25%')
  await expect(row).toContainText('minimum $50.00 · $200.00 can still be invested')
  await row.getByRole('button').click()
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByRole('button', { name: 'Make Investment' }).click()
  await expect(dialog).toContainText('This plan takes $50.00 or more.')
  await dialog.getByLabel('Amount').fill('200.01')
  await dialog.getByRole('button', { name: 'Make Investment' }).click()
  await expect(dialog).toContainText('Only $200.00 can still be invested in this plan now.')
  await dialog.getByLabel('Amount').fill('200')
  await expectAccessible(page, 'investByVersion', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Make Investment' }).click()
  await expect(dialog).toBeHidden()

  // Nothing more fits: the plan is closed with its reason in front of the button.
  await page.getByRole('button', { name: /^Invest/ }).click()
  await expect(row).toContainText('As much as this plan takes is at work now.')
  await expect(row.getByRole('button')).toHaveCount(0)
  await expect(
    dialog.getByLabel('Duration').getByRole('option', { name: /12 days/ }),
  ).toBeDisabled()
  await expectAccessible(page, 'investClosed', '[role=dialog]')
  await page.keyboard.press('Escape')
  const investments = page.getByRole('region', { name: /My Investments/ })
  await expect(investments).toContainText('12 days · 5.25%')
  await expect(investments).toContainText('12 days · 7%')
})

test('a closed plan says so, also on the landing page', async ({ open }) => {
  await makeVersion({ durationDays: 5, rateBasisPoints: 500, least: 0.01, isOpen: false })
  await makeVersion({ durationDays: 90, rateBasisPoints: 1_250, least: 50 })
  const page = await open(investor, '/dashboard?lang=es', { at: own, own: { locale: 'es-ES' } })
  await page.getByRole('button', { name: /^Invertir/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Este plan está cerrado a nuevas inversiones.')
  await expect(dialog).toContainText('90 días - 12,5')
  await expectAccessible(page, 'investClosedSpanish', '[role=dialog]')

  const landing = await open(undefined, '/', { at: own })
  const section = landing.getByRole('region', { name: /plans, no small print/i })
  await expect(section.getByRole('listitem')).toHaveText([
    /^1 day4%\+ \$4\.00/,
    /^12 days/,
    /^90 days12\.5%\+ \$12\.50/,
  ])
  await test.step('its calculator counts whole cents', async () => {
    const amount = section.getByLabel('Amount')
    await amount.fill('250.1')
    await expect(section.getByRole('listitem').last()).toContainText('+ $31.26')
    for (const tooLittle of ['4', '']) {
      await amount.fill(tooLittle)
      await expect(section.getByRole('listitem').last()).toContainText('from $5.00 on')
    }
    await amount.fill('100')
  })
  await expectAccessible(landing, 'landingPlans')
})

test('an auditor reads plans and an admin may not', async ({ open }) => {
  const [auditor, admin] = [await own.person(['AUDITOR']), await own.person(['ADMIN'])]
  const page = await open(auditor, '/admin/plans', { at: own })
  await expect(plan(page, '12 days')).toContainText('Version 1')
  await expect(page.getByRole('button', { name: /^(Change|New plan)/ })).toHaveCount(0)
  const refused = await open(admin, '/admin/plans', { at: own })
  await expect(refused.getByRole('main')).toContainText('Only super admins and auditors')
})
