import { expect, type Locator, type Page } from '@playwright/test'
import { CONFIGURATION_ELEMENT } from '@pool/contract/base/configuration'
import { defaultPlans } from '@pool/contract/money/plans'
import { answer, no, of, ok, serve, transaction, wallet } from './answers.ts'
import { button, configured, listen, openDialog, test } from './browser.ts'

const unsaid = answer(200, { successful: false })

/** Presses the dialog's submit and expects `sentence`. */
const refuses = async (dialog: Locator, sentence: string) => {
  await dialog.locator('[type=submit]').click()
  await expect(dialog.getByText(sentence, { exact: true })).toBeVisible()
}

/** Types amounts in turn and expects a sentence for each. */
const refusesAmounts = async (dialog: Locator, amounts: Readonly<Record<string, string>>) => {
  for (const [typed, sentence] of Object.entries(amounts)) {
    await dialog.getByLabel('Amount').fill(typed)
    await refuses(dialog, sentence)
  }
}

test.describe('of an investor', () => {
  test.use({ role: 'client' })

  test('the deposit dialog checks the amount and shows its progress', async ({ page }) => {
    const calls = await serve(page, { deposit: 'silence' })
    await page.goto('/dashboard')
    const dialog = await openDialog(page, 'Deposit')
    await refuses(dialog, 'Amount is required')
    await refusesAmounts(dialog, {
      '0': 'Amount must be positive',
      '-5': 'Amount must be positive',
    })
    // The minimum is an instruction, not a rule (docs/product.md 5.5).
    await dialog.getByLabel('Amount').fill('5')
    await dialog.getByLabel('Amount').press('ArrowUp')
    await expect(dialog.getByLabel('Amount')).toHaveValue('5.01')
    await dialog.getByLabel('Description (optional)').fill(' Savings ')
    await button(dialog, 'Initiate Deposit').click()
    await expect(button(dialog, 'Processing...')).toBeDisabled()
    await expect(button(dialog, 'Cancel')).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await expect
      .poll(() => of(calls, 'deposit').map(({ payload }) => payload))
      .toMatchObject([{ amount: 5.01, description: 'Savings' }])
  })

  test('a cancelled dialog sends nothing and opens empty again', async ({ page }) => {
    const calls = await serve(page)
    await page.goto('/dashboard')
    for (const action of ['Deposit', 'Withdraw', 'Invest'] as const) {
      const dialog = await openDialog(page, action)
      await dialog.getByLabel('Amount').fill('12')
      await button(dialog, 'Cancel').click()
      await expect(dialog).toBeHidden()
      await openDialog(page, action)
      await expect(dialog.getByLabel('Amount')).toHaveValue('')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
    expect(calls.filter(({ name }) => ['deposit', 'withdraw', 'invest'].includes(name))).toEqual([])
  })

  test('the withdrawal dialog shows the balance and checks the amount', async ({ page }) => {
    const calls = await serve(page, {
      balance: ok(100.5),
      withdraw: (_, before) => [no(409, 'Not today'), unsaid][before] ?? 'silence',
    })
    await page.goto('/dashboard')
    const dialog = await openDialog(page, 'Withdraw')
    await expect(dialog).toContainText('$100.50')
    await expect(dialog).toContainText('Minimum withdrawal amount: $10.00')
    await refuses(dialog, 'Amount is required')
    await test.step('an amount above the balance is said while typing', async () => {
      await dialog.getByLabel('Amount').fill('100.51')
      await expect(dialog).toContainText('Amount cannot exceed your balance of $100.50')
    })
    await refusesAmounts(dialog, {
      '0': 'Amount must be positive',
      '9.99': 'Minimum withdrawal amount is $10.00',
      '100.51': 'Amount cannot exceed your balance of $100.50',
    })
    expect(of(calls, 'withdraw')).toEqual([])
    await dialog.getByLabel('Amount').fill('100.50')
    await refuses(dialog, 'Not today')
    await refuses(dialog, 'Failed to initiate withdrawal')
    await button(dialog, 'Initiate Withdrawal').click()
    await expect(button(dialog, 'Processing...')).toBeDisabled()
  })

  test('a withdrawal goes to address, description or Default Address', async ({ page }) => {
    const calls = await serve(page)
    await page.goto('/dashboard')
    for (const [address, description] of [
      ['bc1q-mine', 'Rent'],
      ['', 'Rent'],
      ['', ''],
    ] as const) {
      const dialog = await openDialog(page, 'Withdraw')
      await dialog.getByLabel('Amount').fill('20')
      await dialog.getByLabel('Destination address (optional)').fill(address)
      await dialog.getByLabel('Description (optional)').fill(description)
      await button(dialog, 'Initiate Withdrawal').click()
      await expect(dialog).toBeHidden()
    }
    expect(of(calls, 'withdraw').map(({ payload }) => payload)).toMatchObject([
      { destinationAddress: 'bc1q-mine', description: 'Rent' },
      { destinationAddress: 'Rent' },
      { destinationAddress: 'Default Address' },
    ])
  })

  test('live mode asks for the network of an ambiguous address', async ({ page }) => {
    const sentence =
      'This address is valid on several networks. Please choose one of them: Ethereum, Polygon.'
    const refusal = answer(400, {
      successful: false,
      narration: sentence,
      body: { code: 'validation', field: 'networkName' },
    })
    const calls = await serve(page, { withdraw: (_, before) => (before === 0 ? refusal : ok({})) })
    await configured(page, { poolMode: 'live' })
    await page.goto('/dashboard')
    const dialog = await openDialog(page, 'Withdraw')
    await dialog.getByLabel('Amount').fill('20')
    await dialog
      .getByLabel('Destination address (optional)')
      .fill('0x52908400098527886e0f7030069857d2e4169ee7')
    await expect(dialog).toContainText('can be approved 24 hours after you first named it')
    await button(dialog, 'Initiate Withdrawal').click()
    const network = dialog.getByLabel('Network (optional)')
    await expect(network).toHaveAccessibleDescription(new RegExp(sentence))
    await network.selectOption('Polygon')
    await button(dialog, 'Initiate Withdrawal').click()
    await expect(dialog).toBeHidden()
    expect(
      of(calls, 'withdraw').map(({ payload }) => (payload as { networkName?: string }).networkName),
    ).toEqual([undefined, 'Polygon'])
  })

  test('the investment dialog offers three plans and checks its fields', async ({ page }) => {
    const calls = await serve(page, {
      balance: ok(100),
      invest: (_, before) => [no(409, 'No reserve'), unsaid][before] ?? 'silence',
    })
    await page.goto('/dashboard')
    const dialog = await openDialog(page, 'Invest')
    await expect(dialog).toContainText('$100.00')
    const duration = dialog.getByLabel('Duration')
    await expect(duration.locator('option')).toHaveText([
      /./,
      '1 day - 4%',
      '5 days - 5%',
      '12 days - 7%',
    ])
    await refuses(dialog, 'Amount is required')
    await expect(dialog.getByText('Duration is required')).toBeVisible()
    await refusesAmounts(dialog, {
      '0': 'Amount must be positive',
      '100.01': 'Amount cannot exceed your balance of $100.00',
    })
    // No option offers it, but a page can be tampered with.
    await duration.evaluate((select: HTMLSelectElement) => select.add(new Option('7 days', '7')))
    await duration.selectOption('7')
    await refuses(dialog, 'Please select a valid duration')
    expect(of(calls, 'invest')).toEqual([])
    await dialog.getByLabel('Amount').fill('100')
    await duration.selectOption('5 days - 5%')
    await refuses(dialog, 'No reserve')
    await refuses(dialog, 'Failed to make investment')
    await button(dialog, 'Make Investment').click()
    await expect(button(dialog, 'Processing...')).toBeDisabled()
    expect(of(calls, 'invest').map(({ payload }) => payload)).toMatchObject(
      [1, 2, 3].map(() => ({ amount: 100, durationDays: 5 })),
    )

    const block = JSON.parse((await page.locator(`#${CONFIGURATION_ELEMENT}`).textContent()) ?? '')
    expect(JSON.parse(block.plans)).toEqual(defaultPlans)
    const longer = { durationDays: 90, rateBasisPoints: 1_200 }
    await configured(page, { plans: JSON.stringify([defaultPlans[0], longer]) })
    await page.goto('/dashboard')
    await openDialog(page, 'Invest')
    await expect(duration.locator('option')).toHaveText([/./, '1 day - 4%', '90 days - 12%'])
    await expect(dialog.getByRole('listitem')).toHaveText([/^1 day - 4%/, /^90 days - 12%/])
  })
})

test.describe('of an admin', () => {
  test.use({ role: 'admin' })

  const openWallets = async (page: Page) => {
    await page.goto('/admin')
    await page.getByRole('tab', { name: /^Wallets/ }).click()
  }
  const openAddWallet = async (page: Page) => {
    await openWallets(page)
    await button(page, 'Add Wallet').click()
    return page.getByRole('dialog', { name: 'Add New Wallet' })
  }

  test('adding a wallet requires all fields and confirms', async ({ page }) => {
    const calls = await serve(page, {
      createWallet: (_, before) =>
        [no(409, 'This address has already been added.'), unsaid, ok(wallet())][before] ??
        'silence',
    })
    const dialog = await openAddWallet(page)
    await refuses(dialog, 'Please fill in all fields')
    await dialog.getByLabel('Network').selectOption('Solana (SOL)')
    await dialog.getByLabel('Wallet address').fill('   ')
    await refuses(dialog, 'Please fill in all fields')
    expect(of(calls, 'createWallet')).toEqual([])
    await dialog.getByLabel('Wallet address').fill(' So1anaAddress ')
    await refuses(dialog, 'This address has already been added.')
    await refuses(dialog, 'Failed to create wallet')
    await button(dialog, 'Add Wallet').click()
    await expect(page.getByText('Wallet created successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(of(calls, 'createWallet').at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/v1/public/wallets/create',
    })
    expect(of(calls, 'createWallet').at(-1)?.payload).toEqual({
      address: 'So1anaAddress',
      networkName: 'Solana',
    })

    await button(page, 'Add Wallet').click()
    await dialog.getByLabel('Network').selectOption('Solana (SOL)')
    await dialog.getByLabel('Wallet address').fill('another')
    await button(dialog, 'Add Wallet').click()
    await expect(button(dialog, 'Adding...')).toBeDisabled()
  })

  test("the dialog offers the server's networks", async ({ page }) => {
    await serve(page, {
      listNetworks: ok([
        { name: 'Litecoin', symbol: 'LTC', displayName: 'Litecoin (LTC)' },
        { name: 'Tron' },
      ]),
    })
    const dialog = await openAddWallet(page)
    await expect(dialog.getByLabel('Network').locator('option')).toHaveText([
      /./,
      'Litecoin (LTC)',
      'Tron',
    ])
  })

  for (const [what, reply] of [
    ['fails', no(500)],
    ['names none', ok([])],
  ] as const) {
    test(`five networks are offered when their list ${what}`, async ({ page }) => {
      await serve(page, { listNetworks: reply })
      const dialog = await openAddWallet(page)
      await expect(dialog.getByLabel('Network').locator('option')).toHaveText([
        /./,
        'Bitcoin (BTC)',
        'Ethereum (ETH)',
        'Binance Smart Chain (BSC)',
        'Polygon (MATIC)',
        'Solana (SOL)',
      ])
    })
  }

  test('deleting a wallet asks, shows a refusal, and confirms', async ({ page }) => {
    const calls = await serve(page, {
      listWallets: ok([wallet()]),
      deleteWallet: (_, before) =>
        [no(409, 'Assigned.'), unsaid][before] ?? ok({ id: wallet().id }),
    })
    await openWallets(page)
    await button(page, /^Delete wallet/).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Are you sure you want to delete this wallet?')
    await button(dialog, 'Cancel').click()
    await expect(dialog).toBeHidden()
    expect(of(calls, 'deleteWallet')).toEqual([])
    await button(page, /^Delete wallet/).click()
    await refuses(dialog, 'Assigned.')
    await refuses(dialog, 'Failed to delete wallet')
    await button(dialog, 'Delete').click()
    await expect(page.getByText('Wallet deleted successfully!')).toBeVisible()
    expect(of(calls, 'deleteWallet').at(-1)).toMatchObject({
      method: 'DELETE',
      path: `/api/v1/public/wallets/${wallet().id}`,
      payload: null,
    })
  })

  test('a failed load of wallets says so and offers Retry', async ({ page }) => {
    const logged = listen(page)
    let reply = no(500, 'The reason')
    await serve(page, { listWallets: () => reply })
    await openWallets(page)
    await expect(page.getByRole('alert')).toContainText('Failed to fetch wallets')
    expect(logged.some((text) => text.includes('The reason'))).toBe(true)
    reply = ok([wallet()])
    await button(page, 'Retry').click()
    await expect(page.getByText('Wallets (1)').last()).toBeVisible()
  })

  test('rejecting asks for a reason and can be cancelled', async ({ page }) => {
    const calls = await serve(page, {
      listTransactions: ok([transaction({ type: 'withdrawal' })]),
      reject: 'silence',
    })
    await page.goto('/admin')
    await button(page, 'Reject Withdrawal').click()
    const dialog = page.getByRole('dialog', { name: 'Reject Transaction' })
    await expect(
      dialog.getByLabel('Please provide a reason for rejecting this transaction:'),
    ).toHaveAttribute('placeholder', 'Enter rejection reason...')
    await button(dialog, 'Cancel').click()
    await expect(dialog).toBeHidden()
    expect(of(calls, 'reject')).toEqual([])
    await button(page, 'Reject Withdrawal').click()
    await dialog.getByRole('textbox').fill('  Wrong network ')
    await button(dialog, 'Reject').click()
    await expect
      .poll(() => of(calls, 'reject').map(({ payload }) => payload))
      .toEqual([{ reason: 'Wrong network' }])
    await expect(dialog.locator('[type=submit]')).toBeDisabled()
  })
})
