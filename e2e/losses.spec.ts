import { randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { formatDollars } from '@pool/contract/base/money'
import { createWallet } from '@pool/contract/chain/wallets'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { recordBorrower } from '@pool/contract/lending/borrowers'
import { askDefault, askLoanWriteOff, askRecovery } from '@pool/contract/lending/lateLoans'
import * as loans from '@pool/contract/lending/loans'
import { listLosses } from '@pool/contract/lending/losses'
import { NAMED_REPAYMENTS } from '@pool/contract/lending/windDown'
import { invest } from '@pool/contract/money/investments'
import { approve, confirm } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { dayFrom } from '../server/testing/loans.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { decide, expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

/** A loan of investors' principal is lost, and the operator bears it, or all investments do. */

// One product serves all of them.
test.describe.configure({ mode: 'default' })

let own: OwnProduct
test.beforeAll(async () => {
  own = await startOwnProduct({
    LEND_PRINCIPAL: 'true',
    LOAN_CONCENTRATION: '100',
    SECOND_APPROVAL_ABOVE: '10000000',
    POOL_SECOND_APPROVAL_ABOVE: '100000000',
  })
})
test.afterAll(() => own?.remove())

type Staff = readonly [Session, Session]

/** Pays out an approved loan of $60,000, and writes it off after $1,000,000 was invested. */
const payAndLose = async (
  pool: OwnProduct,
  id: string,
  by: { readonly supers: Staff; readonly admins: Staff; readonly investor: Session },
) => {
  const [admin, other] = by.admins
  const evidence = randomBytes(32).toString('hex')
  const paid = { networkName: 'Bitcoin', evidence, disbursedOn: dayFrom(0) }
  const disbursed = await pool.call(loans.askDisbursement, admin, paid, { id })
  await pool.call(approveOpenProposal, other, undefined, { id: disbursed.proposalId })
  // Of the reserve of 100,000 the loan has 10,000, and 70,000 are promised.
  const { userId } = by.investor
  await pool.call(invest, by.investor, { userId, amount: 1_000_000, durationDays: 12 })
  const lost = await pool.call(askDefault, admin, { reason: 'Insolvent' }, { id })
  await pool.call(approveOpenProposal, other, undefined, { id: lost.proposalId })
  const written = { reason: 'Nothing is left', amount: 60_000 }
  const off = await pool.call(askLoanWriteOff, by.supers[0], written, { id })
  await pool.call(approveProposal, by.supers[1], undefined, { id: off.proposalId })
}

test('the page waits, fails and is empty in words', async ({ open }) => {
  const page = await open(await own.superAdmin(), '/admin/plans', { at: own })
  const call = `**${listLosses.path}`
  await page.route(call, () => undefined)
  await page.goto('/admin/losses')
  await expect(page.getByRole('status', { name: 'Loading losses' })).toBeVisible()
  await page.unroute(call)
  await page.route(call, (route) => route.abort())
  await page.goto('/admin/losses')
  const again = page.getByRole('button', { name: 'Retry' })
  await expect(again).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page, 'lossesFailed')
  await page.unroute(call)
  await again.press('Enter')
  await expect(page.getByText('No loan of investors’ principal was written off.')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('No loss is open.')
  await expectAccessible(page, 'lossesEmpty')
})

test('a loss pauses the pool until two people end it', async ({ open }) => {
  const [first, second] = [await own.superAdmin(), await own.person(['SUPER_ADMIN'])]
  const [admin, other] = [await own.person(['ADMIN']), await own.person(['ADMIN'])]
  const [investor, auditor] = [await own.person(), await own.person(['AUDITOR'])]
  await own.call(createWallet, first, {
    address: newAddress('Bitcoin'),
    networkName: 'Bitcoin',
  })
  const { userId } = investor
  const { transactionId } = await own.call(deposit, investor, { userId, amount: 1_000_000 })
  await own.call(confirm, admin, { transactionId })

  const { id: borrowerId } = await own.call(recordBorrower, admin, {
    name: 'Ben Ortiz',
    country: 'ES',
    kind: 'company',
    relation: 'none',
    grade: 'C',
    gradeReason: 'One year of accounts',
  })
  const desk = await open(admin, `/admin/borrowers/${borrowerId}`, { at: own })
  await desk.getByRole('button', { name: 'Record a loan' }).press('Enter')
  const typing = desk.getByRole('dialog', { name: 'Record a loan' })
  await typing.getByLabel('Purpose').selectOption('Business')
  await typing.getByLabel('Amount').fill('60,000')
  await typing.getByLabel('From investors’ principal').fill('60,001')
  await typing.getByLabel('Interest a year').fill('12')
  await typing.getByLabel('Schedule', { exact: true }).selectOption('Equal parts of the principal')
  await typing.getByLabel('Due', { exact: true }).selectOption('weekly')
  await typing.getByLabel('Planned disbursement').fill(dayFrom(0))
  await typing.getByLabel('First instalment').fill(dayFrom(7))
  await typing.getByRole('button', { name: 'Record' }).press('Enter')
  await expect(typing.getByRole('alert')).toContainText('cannot fund more than the whole loan')
  await typing.getByLabel('From investors’ principal').fill('50,000')
  await expectAccessible(desk, 'loanOfPrincipal', '[role=dialog]')
  await typing.getByRole('button', { name: 'Record' }).press('Enter')
  await desk.waitForURL(/\/admin\/loans\/[0-9a-f-]{36}$/)
  const id = new URL(desk.url()).pathname.split('/').at(-1) ?? ''
  const approval = await own.call(loans.askLoanApproval, admin, { reason: 'Vetted' }, { id })

  await test.step('staff read whose money it is', async () => {
    const queue = await open(other, '/admin', { at: own })
    const line = queue.getByRole('button', {
      name: 'Approve the loan of $60,000.00 to Ben Ortiz, $50,000.00 of it investors’ principal',
    })
    await expect(line).toBeVisible()
    await line.click()
    const facts = queue.getByRole('region').locator('dl > div')
    await expect(facts.filter({ hasText: 'From investors’ principal' })).toContainText('$50,000.00')
    await expectAccessible(queue, 'loanFunding')
  })
  await own.call(approveOpenProposal, other, undefined, { id: approval.proposalId })
  await payAndLose(own, id, { supers: [first, second], admins: [admin, other], investor })

  await test.step('everybody reads why nothing moves', async () => {
    const phone = await open(investor, '/dashboard?lang=es', { at: own, viewport: PHONE })
    await phone
      .getByRole('button', { name: /^Retirar/ })
      .first()
      .press('Enter')
    await expect(phone.getByRole('dialog').getByRole('status').first()).toContainText(
      'quién asume la pérdida',
    )
    const visitor = await open(undefined, '/?lang=es', { at: own })
    await expect(visitor.getByRole('status')).toContainText('quién asume la pérdida')
    const read = await open(auditor, '/admin/losses', { at: own })
    await expect(read.getByRole('main')).toContainText('$30,000.00 is an open loss.')
    await expect(read.getByRole('button', { name: 'Bear the loss' })).toHaveCount(0)
  })

  const page = await open(first, '/admin', { at: own })
  await page.getByRole('link', { name: 'See the losses' }).first().click()
  await expect(page).toHaveURL('/admin/losses')
  const bear = page.getByRole('button', { name: 'Bear the loss' })
  await expect(bear).toBeDisabled()
  await expect(page.getByRole('main')).toContainText('put in at least $30,000.00')
  await expect(page.getByRole('listitem').filter({ hasText: 'Ben Ortiz' })).toContainText(
    /Operator’s capital: \$10,000\.00.*Free reserve: \$20,000\.00.*Open loss: \$30,000\.00/,
  )
  await expectAccessible(page, 'losses')

  await test.step('sharing it is announced to everybody', async () => {
    await page.getByRole('button', { name: 'Share the loss' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Share $30,000.00 among all investments' })
    await expect(dialog).toContainText('bears the same share of the loss, 3% now')
    await expect(dialog).toContainText('The loss counts 48 hours after')
    await dialog.getByLabel('Reason').fill('The operator has no capital')
    await expectAccessible(page, 'shareLoss', '[role=dialog]')
    await dialog.getByRole('button', { name: 'Ask for approval' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    const queue = await open(second, '/admin', { at: own })
    await queue.getByRole('button', { name: /^Share the open loss of \$30,000\.00/ }).click()
    await decide(queue.getByRole('button', { name: 'Approve', exact: true }))
    await page.reload()
    await expect(page.getByRole('main')).toContainText('Agreed and announced', { timeout: 60_000 })
    await expect(page.getByRole('button', { name: 'Share the loss' })).toBeDisabled()
    await expectAccessible(page, 'lossAnnounced')
    const phone = await open(investor, '/dashboard?lang=es', { at: own, viewport: PHONE })
    await phone
      .getByRole('button', { name: /^Retirar/ })
      .first()
      .press('Enter')
    await expect(phone.getByRole('dialog').getByRole('status').first()).toContainText(
      /Dos personas lo acordaron: desde el .* asume \$?30[.,]000/,
    )
    const visitor = await open(undefined, '/pool', { at: own })
    await expect(visitor.getByRole('main')).toContainText('Two people agreed: from')
  })

  const added = await own.command('reserve', 'add', '30000', '--note', 'For the loss')
  expect(added.code).toBe(0)
  await page.reload()
  await bear.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Bear $30,000.00' })
  await dialog.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(dialog).toContainText('Please give a reason')
  await dialog.getByLabel('Reason').fill('The operator bears it')
  await expectAccessible(page, 'bearLoss', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(dialog).toHaveCount(0)

  const queue = await open(second, '/admin', { at: own })
  await queue.getByRole('button', { name: /^Bear the open loss of \$30,000\.00/ }).click()
  await queue.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(queue.getByRole('link', { name: 'See the losses' })).toHaveCount(0, {
    timeout: 60_000,
  })
  await expect(page.getByRole('main')).toContainText('No loss is open.', { timeout: 60_000 })
  expect((await own.command('ledgerCheck')).code).toBe(0)
  expect((await own.command('auditCheck')).code).toBe(0)
})

test('an investor reads what an investment lost and got back', async ({ open }) => {
  const pool = await startOwnProduct({
    LEND_PRINCIPAL: 'true',
    LOAN_CONCENTRATION: '100',
    LOSS_NOTICE_HOURS: '0',
    SECOND_APPROVAL_ABOVE: '10000000',
    POOL_SECOND_APPROVAL_ABOVE: '100000000',
  })
  try {
    const [first, second] = [await pool.superAdmin(), await pool.person(['SUPER_ADMIN'])]
    const [admin, other] = [await pool.person(['ADMIN']), await pool.person(['ADMIN'])]
    const investor = await pool.person()
    await pool.call(createWallet, first, {
      address: newAddress('Bitcoin'),
      networkName: 'Bitcoin',
    })
    const { userId } = investor
    const { transactionId } = await pool.call(deposit, investor, { userId, amount: 1_000_000 })
    await pool.call(confirm, admin, { transactionId })
    const { id: borrowerId } = await pool.call(recordBorrower, admin, {
      name: 'Ben Ortiz',
      country: 'ES',
      kind: 'company',
      relation: 'none',
      grade: 'C',
      gradeReason: 'One year of accounts',
    })
    const { id } = await pool.call(loans.recordLoan, admin, {
      borrowerId,
      purpose: 'business',
      amount: 60_000,
      fromInvestors: 50_000,
      rateBasisPoints: 1_200,
      schedule: 'equalPrincipal',
      period: 'weekly',
      dayCount: 'act365',
      instalments: 12,
      dueDay: 1,
      disburseOn: dayFrom(0),
      firstDueOn: dayFrom(7),
    })
    const asked = await pool.call(loans.askLoanApproval, admin, { reason: 'Vetted' }, { id })
    await pool.call(approveOpenProposal, other, undefined, { id: asked.proposalId })
    await payAndLose(pool, id, { supers: [first, second], admins: [admin, other], investor })
    const { lossId } = await pool.call(listLosses, first)
    const share = await pool.call(askProposal, first, {
      kind: 'SHARE_LOSS',
      lossId: lossId ?? '',
      amount: 30_000,
      reason: 'No capital',
    })
    await pool.call(approveProposal, second, undefined, { id: share.id })

    const phone = await open(investor, '/dashboard', { at: pool, viewport: PHONE })
    const main = phone.getByRole('main')
    // The job of the next minute books it.
    await expect(main).toContainText('$30,000.00 of it lost', { timeout: 120_000 })
    await expect(main).toContainText('$1,000,000.00 → $1,040,000.00')
    await expect(main).not.toContainText('$1,070,000.00')
    await expectAccessible(phone, 'sharedLoss')
    const back = { amount: 10_000, valueOn: dayFrom(0), reference: 'R-1' }
    const { proposalId } = await pool.call(askRecovery, admin, back, { id })
    await pool.call(approveOpenProposal, first, undefined, { id: proposalId })
    await expect(main).toContainText('recovery', { timeout: 60_000 })
    await expect(main).toContainText('$10,000.00')
    const spanish = await open(investor, '/dashboard?lang=es', { at: pool, viewport: PHONE })
    await expect(spanish.getByRole('main')).toContainText('perdidos', { timeout: 60_000 })
    expect((await pool.command('ledgerCheck')).code).toBe(0)
    expect((await pool.command('auditCheck')).code).toBe(0)
  } finally {
    await pool.remove()
  }
})

/** Repayments of a dollar. */
const SMALL_REPAYMENTS = 54

/** Dollars of interest that a loan of $1,200 brought, which is repaid. */
const repaidLoan = async (pool: OwnProduct, admin: Session): Promise<number> => {
  const { id: borrowerId } = await pool.call(recordBorrower, admin, {
    name: 'Eva Brandt',
    country: 'de',
    kind: 'person',
    relation: 'none',
    grade: 'B',
    gradeReason: 'Two years of accounts',
  })
  const { id } = await pool.call(loans.recordLoan, admin, {
    borrowerId,
    purpose: 'business',
    amount: 1_200,
    rateBasisPoints: 1_200,
    schedule: 'equalPrincipal',
    period: 'weekly',
    dayCount: 'act365',
    instalments: 1,
    dueDay: 1,
    disburseOn: dayFrom(-7),
    firstDueOn: dayFrom(0),
    takenOverOn: dayFrom(0),
  })
  const other = await pool.person(['ADMIN'])
  const agree = async ({ proposalId }: { readonly proposalId: string }) =>
    pool.call(approveOpenProposal, other, undefined, { id: proposalId })
  await agree(await pool.call(loans.askLoanApproval, admin, { reason: 'Vetted' }, { id }))
  const evidence = randomBytes(32).toString('hex')
  const paid = { networkName: 'Bitcoin', evidence, disbursedOn: dayFrom(-7) }
  await agree(await pool.call(loans.askDisbursement, admin, paid, { id }))
  await expect
    .poll(async () => (await pool.call(loans.loanStory, admin, undefined, { id })).loan.status)
    .toBe('ACTIVE')
  const { lines } = await pool.call(loans.loanStory, admin, undefined, { id })
  const interest = lines[0]?.interest ?? 0
  const valueOn = dayFrom(0)
  // More than a proposal names, and one of them by far the largest.
  for (let number = SMALL_REPAYMENTS + 1; number > 1; number -= 1)
    await pool.call(
      loans.repayLoan,
      admin,
      { amount: 1, valueOn, reference: `R-${number}` },
      { id },
    )
  const amount = 1_200 + interest - SMALL_REPAYMENTS
  await pool.call(loans.repayLoan, admin, { amount, valueOn, reference: 'R-1' }, { id })
  return interest
}

test('two super admins wind the pool down', async ({ open }) => {
  const pool = await startOwnProduct()
  try {
    const [first, second] = [await pool.superAdmin(), await pool.person(['SUPER_ADMIN'])]
    const [admin, investor] = [await pool.person(['ADMIN']), await pool.person()]
    await pool.call(createWallet, first, {
      address: newAddress('Bitcoin'),
      networkName: 'Bitcoin',
    })
    const { userId } = investor
    const { transactionId } = await pool.call(deposit, investor, { userId, amount: 100 })
    await pool.call(confirm, admin, { transactionId })
    const interest = await repaidLoan(pool, admin)
    const page = await open(first, '/admin/wind-down', { at: pool })
    const end = page.locator('main')
    await expect(end).toContainText('The pool is not winding down.')
    await end.getByRole('button', { name: 'Wind down the pool' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Wind down the pool' })
    await dialog.getByRole('button', { name: 'Ask for approval' }).press('Enter')
    await expect(dialog).toContainText('Please give a reason')
    await dialog.getByLabel('Reason').fill('The operator retires')
    await expectAccessible(page, 'windDown', '[role=dialog]')
    await dialog.getByRole('button', { name: 'Ask for approval' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    const queue = await open(second, '/admin', { at: pool })
    await queue.getByRole('button', { name: /^Wind the pool down: no new money/ }).click()
    await decide(queue.getByRole('button', { name: 'Approve', exact: true }))
    await expect(queue.getByRole('link', { name: 'See the wind-down' })).toBeVisible({
      timeout: 60_000,
    })
    await expect(end).toContainText('$100.00 must be paid or settled before', { timeout: 60_000 })
    await expect(end.getByRole('button', { name: 'Take out capital' })).toBeDisabled()
    await expectAccessible(page, 'windingDown')

    await test.step('everybody reads it, and any sum can be withdrawn', async () => {
      const phone = await open(investor, '/dashboard?lang=es', { at: pool, viewport: PHONE })
      const told = phone
        .getByRole('status')
        .filter({ hasText: 'El fondo se liquida y no acepta dinero nuevo.' })
      await expect(told).toHaveCount(1)
      await phone
        .getByRole('button', { name: /^Retirar/ })
        .first()
        .press('Enter')
      const withdrawing = phone.getByRole('dialog')
      await expect(withdrawing).toContainText('Cualquier importe, porque el fondo se liquida')
      await expectAccessible(phone, 'windDownWithdraw', '[role=dialog]')
      const visitor = await open(undefined, '/pool', { at: pool })
      await expect(visitor.getByRole('main')).toContainText('The pool is winding down')
    })

    const left = await pool.call(withdraw, investor, { userId, amount: 100 })
    await pool.call(approve, admin, { transactionId: left.transactionId, userId })
    const evidence = randomBytes(32).toString('hex')
    const sent = { networkName: 'Bitcoin', evidence }
    await pool.call(markSent, admin, sent, { id: left.transactionId })
    await pool.call(markCompleted, admin, undefined, { id: left.transactionId })
    const address = newAddress('Bitcoin')
    const own = { networkName: 'Bitcoin', address, class: 'COLD' as const }
    const named = { kind: 'OWN_ADDRESS' as const, reason: 'The operator’s storage', ...own }
    const { id } = await pool.call(askProposal, first, named)
    await pool.call(approveProposal, second, undefined, { id })
    await page.reload()
    await end.getByRole('button', { name: 'Take out capital' }).press('Enter')
    const reserve = formatDollars(100_000 + interest)
    const taking = page.getByRole('dialog', { name: `Take out ${reserve}` })
    const confirming = taking.getByRole('list', { name: 'Repayments to confirm' })
    await expect(confirming.getByRole('listitem').first()).toHaveText(
      `R-1${formatDollars(1_200 + interest - SMALL_REPAYMENTS)}`,
    )
    await expect(taking.getByLabel('Own address')).toContainText(address)
    await taking.getByLabel('Reason').fill('All is paid')
    await expectAccessible(page, 'windDownTake', '[role=dialog]')
    await taking.getByRole('button', { name: 'Ask for approval' }).press('Enter')
    await expect(taking).toHaveCount(0)
    await queue.reload()
    await queue.getByRole('button', { name: `Take ${reserve} of the operator’s` }).click()
    const asked = queue.getByRole('region', { name: `Take ${reserve}` })
    await expect(asked.getByRole('heading').first()).toHaveText(
      /you both confirm: 55, \$[\d,.]+ · /,
    )
    await expect(asked.getByRole('heading').first()).toContainText(address)
    const toConfirm = asked.getByRole('list', { name: 'Repayments to confirm' })
    await expect(toConfirm.getByRole('listitem')).toHaveCount(NAMED_REPAYMENTS)
    await expect(toConfirm).toContainText('R-1')
    await expect(asked).toContainText('5 smaller repayments are on the pages of the loans')
    // The list of open changes, where it can be approved too, names them as well.
    const line = queue
      .getByRole('listitem')
      .filter({ has: queue.getByText('Repayments to confirm') })
    await line.getByText('Repayments to confirm').click()
    await expect(line.getByRole('list', { name: 'Repayments to confirm' })).toContainText('R-1')
    await expectAccessible(queue, 'windDownConfirm')
    await decide(queue.getByRole('button', { name: 'Approve', exact: true }))
    // The job of the next minute books it.
    await expect(end).toContainText('the reserve is empty', { timeout: 120_000 })
    await expectAccessible(page, 'windDownEnd')
    expect((await pool.command('ledgerCheck')).code).toBe(0)
    expect((await pool.command('auditCheck')).code).toBe(0)
  } finally {
    await pool.remove()
  }
})
