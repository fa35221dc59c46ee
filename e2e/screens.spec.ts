import { expect, type Page } from '@playwright/test'
import { changeStream } from '@pool/contract/base/changes'
import { deposit } from '@pool/contract/requests/requests'
import { colourViolations, violations } from './axe.ts'
import { test } from './fixtures.ts'
import { busyInvestor } from './prepare.ts'
import { chooseInMenu, settled } from './steps.ts'

/**
 * Every screen, dialog and state, light and dark, wide and narrow: no finding of axe, no sideways
 * scrolling, no complaint of the browser. SCREENSHOTS=directory stores pictures.
 */

type Visitor = 'visitor' | 'newInvestor' | 'investor' | 'superAdmin'
/** A state of a screen: the way to it and the way back. */
type State = {
  readonly name: string
  readonly arrange?: (page: Page) => Promise<void>
  readonly leave?: (page: Page) => Promise<void>
}
/** A page that loads once, with an investor's own lists, and the states to visit in turn. */
type Screen = { readonly path: string; readonly by: Visitor; readonly states: readonly State[] }

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()

const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
const dialog = (name: string, open: (page: Page) => Promise<void>): State => ({
  name,
  arrange: async (page) => {
    await open(page)
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  leave: closeDialog,
})
const filters = (name: string): State => ({
  name,
  arrange: press(/^(Filters|Filtros)$/),
  leave: async (page) => page.keyboard.press('Escape'),
})
const story = (name: string, table: RegExp): State =>
  dialog(name, async (page) => openStory(page, table))

const IDLE = '02:31'

const screens: readonly Screen[] = [
  { path: '/', by: 'visitor', states: [{ name: 'landing' }] },
  {
    path: '/login',
    by: 'visitor',
    states: [
      { name: 'login' },
      { name: 'login-invalid', arrange: press('Sign in') },
      { name: 'login-refused', arrange: async (page) => signInWrongly(page) },
    ],
  },
  {
    path: '/register',
    by: 'visitor',
    states: [{ name: 'register' }, { name: 'register-invalid', arrange: press('Create Account') }],
  },
  {
    path: '/dashboard',
    by: 'newInvestor',
    states: [
      { name: 'dashboard-empty' },
      {
        name: 'account-menu',
        arrange: press(/^Account/),
        leave: (page) => page.keyboard.press('Escape'),
      },
      dialog('shortcuts', (page) => chooseInMenu(page, /^Shortcuts$/)),
    ],
  },
  {
    path: '/dashboard',
    by: 'investor',
    states: [
      { name: 'dashboard' },
      filters('dashboard-filters'),
      {
        name: 'dashboard-hidden-amounts',
        arrange: press('Hide amounts'),
        leave: press('Show amounts'),
      },
      story('story-transaction', /^Recent Transactions/),
      story('story-investment', /^My Investments/),
    ],
  },
  {
    path: '/security',
    by: 'investor',
    states: [
      { name: 'security' },
      dialog('password', press('Change password')),
      dialog('factor', press('Add an authenticator app')),
    ],
  },
  {
    path: '/dashboard?lang=en',
    by: 'investor',
    states: [
      dialog('deposit', press(/^Deposit/)),
      dialog('deposit-address', async (page) => askToDeposit(page)),
      dialog('deposit-not-recorded', async (page) => failToDeposit(page)),
      dialog('withdrawal', press(/^Withdraw/)),
      dialog('investment', async (page) => fillInvestment(page)),
    ],
  },
  {
    path: '/dashboard',
    by: 'investor',
    states: [{ name: 'idle', arrange: async (page) => waitIdle(page) }],
  },
  {
    path: '/admin?users-search={investor}',
    by: 'superAdmin',
    states: [{ name: 'admin-users' }, dialog('admin-pauses', press('Pauses'))],
  },
  {
    path: '/admin?tab=transactions&transactions-search={investor}',
    by: 'superAdmin',
    states: [
      { name: 'admin-transactions' },
      filters('admin-filters'),
      story('admin-story', /^Transactions/),
      dialog('admin-reject', press('Reject Withdrawal')),
    ],
  },
  {
    path: '/admin?tab=investments&investments-search={investor}',
    by: 'superAdmin',
    states: [{ name: 'admin-investments' }],
  },
  {
    path: '/admin?tab=wallets&wallets-network=Polygon',
    by: 'superAdmin',
    states: [
      { name: 'admin-wallets' },
      dialog('admin-add-wallet', async (page) => addWallet(page)),
      dialog('admin-delete-wallet', async (page) => deleteWallet(page)),
    ],
  },
  {
    path: '/admin?tab=transactions&transactions-search={investor}&lang=es',
    by: 'superAdmin',
    states: [{ name: 'admin-es' }, filters('admin-es-filters')],
  },
]

const openStory = async (page: Page, table: RegExp) => {
  await page
    .getByRole('table', { name: table })
    .getByRole('row')
    .nth(1)
    .getByRole('link')
    .filter({ hasNotText: '@' })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('list').first()).toBeVisible()
}

const signInWrongly = async (page: Page) => {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await press('Sign in')(page)
  await expect(page.getByText('Login Error')).toBeVisible()
}

const askToDeposit = async (page: Page) => {
  await press(/^Deposit/)(page)
  const ask = page.getByRole('dialog')
  await ask.getByLabel('Amount').fill('75')
  await ask.getByRole('button', { name: 'Initiate Deposit' }).click()
  await expect(page.getByRole('dialog', { name: 'Deposit Address' })).toBeVisible()
}

const failToDeposit = async (page: Page) => {
  // With or without a wallet in stock. The status is 200, because browsers log every other one.
  await page.route(`**${deposit.path}`, (route) =>
    route.fulfill({
      json: {
        successful: false,
        narration: 'No deposit address is available.',
        body: { code: 'noWalletAvailable' },
      },
    }),
  )
  await askToDeposit(page)
  await expect(page.getByText('This deposit was not recorded')).toBeVisible()
}

const fillInvestment = async (page: Page) => {
  await press(/^Invest/)(page)
  await page.getByRole('dialog').getByLabel('Amount').fill('250')
}

const waitIdle = async (page: Page) => {
  // A stopped clock begins no call, such as that after the first event of the stream.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await answered(page)
  await page.clock.fastForward(IDLE)
  await page.clock.resume()
  await expect(page.getByText('Session Timeout Warning')).toBeVisible()
}

/**
 * Waits for all responses except the stream of changes, because a clock put forward would end the
 * wait.
 */
const answered = async (page: Page) => {
  for (
    let known = 0, all = await page.requests();
    all.length > known;
    all = await page.requests()
  ) {
    known = all.length
    const questions = all.map((request) => ({ request, path: new URL(request.url()).pathname }))
    const ending = questions.filter(
      ({ path }) => path.startsWith('/api/') && path !== changeStream.path,
    )
    await Promise.all(ending.map(({ request }) => request.response()))
  }
}

const addWallet = async (page: Page) => {
  await press('Add Wallet')(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Add Wallet' }).click()
}

const deleteWallet = async (page: Page) => {
  const available = page.getByRole('listitem').filter({ hasText: 'Available' }).first()
  await available.getByRole('button', { name: /^Delete wallet/ }).click()
  await expect(page.getByText('Are you sure you want to delete this wallet?')).toBeVisible()
}

const wide = { width: 1280, height: 900 }
const phone = { width: 375, height: 812 }
const looks = [
  { ...wide, colorScheme: 'light' },
  { ...phone, colorScheme: 'light' },
  { ...wide, colorScheme: 'dark' },
  { ...phone, colorScheme: 'dark' },
] as const

/** The faults of the current state in one scheme at one width. Dark differs in colours alone. */
const faultsOf = async (
  page: Page,
  { isWhole, width, colorScheme }: (typeof looks)[number] & { readonly isWhole: boolean },
) => {
  const find = colorScheme === 'light' ? violations : colourViolations
  const found = await find(page, ...(isWhole ? [] : ['[role="dialog"]']))
  const overflow = (await page.evaluate(() => document.documentElement.scrollWidth)) - width
  // On a phone the bar of both dashboards has two lines in every language.
  const bar = await page
    .locator('header:has([aria-label])')
    .first()
    .evaluate((header) => header.getBoundingClientRect().height)
  return [
    ...found,
    ...(overflow > 0 ? [`${overflow} px too wide`] : []),
    ...(bar > 112 ? [`a bar of ${bar} px`] : []),
  ]
}

/** The first state is tested in all four looks, later ones light and wide, and dark on a phone. */
type Look = { readonly isFirst: boolean; readonly complaints: readonly string[] }

const inspectScreen = async (
  page: Page,
  { name, arrange, leave }: State,
  { isFirst, complaints }: Look,
) => {
  const [first, , , last] = looks
  await page.emulateMedia({ colorScheme: first.colorScheme })
  await page.setViewportSize({ width: first.width, height: first.height })
  await arrange?.(page)
  // The screen behind a dialog has its own test, so the two together are tested once.
  const isAlone = (await page.getByRole('dialog').count()) === 0
  for (const one of isFirst || process.env.SCREENSHOTS ? looks : [first, last]) {
    const { colorScheme, width, height } = one
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    if (process.env.SCREENSHOTS) {
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png`,
        fullPage: isAlone,
      })
    }
    const faults = await faultsOf(page, {
      ...one,
      isWhole: isAlone || (isFirst && one === first),
    })
    expect({ name, colorScheme, width, faults, complaints }).toEqual({
      name,
      colorScheme,
      width,
      faults: [],
      complaints: [],
    })
  }
  await leave?.(page)
}

for (const { path, by, states } of screens) {
  test(`${states.map(({ name }) => name).join(', ')}: accessible and fitting in every look`, async ({
    open,
    people,
    pool,
  }) => {
    test.setTimeout(states.length * 240_000)
    const who = {
      visitor: undefined,
      newInvestor: await pool.person(),
      investor: await busyInvestor(pool),
      superAdmin: people.superAdmin,
    }
    const isIdle = states.some(({ name }) => name === 'idle')
    const page = await open(who[by], undefined, isIdle ? { own: {} } : {})
    const complaints = listen(page)
    if (isIdle) await page.clock.install()
    await page.goto(path.replace('{investor}', who.investor.username))
    await settled(page)
    for (const [index, state] of states.entries())
      await inspectScreen(page, state, { isFirst: index === 0, complaints })
  })
}

/** Collects the page's complaints. A wrong password answers 401, which every browser logs. */
const listen = (page: Page): string[] => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/status of 401/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
