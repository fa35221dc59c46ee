import { expect, type Page } from '@playwright/test'
import { answer, EMAIL, no, of, ok, serve, TOKEN, USER_ID } from './answers.ts'
import { button, NOTHING_STORED, stored, test } from './browser.ts'

const email = (page: Page) => page.getByLabel('Email')
const password = (page: Page) => page.getByLabel('Password', { exact: true })

const signIn = async (page: Page) => {
  await email(page).fill(EMAIL)
  await password(page).fill('a quiet password')
  await button(page, 'Sign in').click()
}

const user = { userId: USER_ID, username: EMAIL }
const roles = (...types: readonly string[]) => ({ roles: types.map((type) => ({ type })) })
const logins = [
  [
    'a string, with all roles',
    { token: TOKEN, ...user, ...roles('USER', 'ADMIN', 'SUPER_ADMIN') },
    'SUPER_ADMIN',
  ],
  [
    'an object with access, userId and username, and is an admin',
    { token: { access: TOKEN, ...user }, ...roles('ADMIN', 'USER') },
    'admin',
  ],
  ['access, and is a user', { access: TOKEN, ...user, ...roles('USER') }, 'client'],
  ['accessToken, without roles', { accessToken: TOKEN, ...user }, 'client'],
] as const

for (const [shape, body, role] of logins) {
  test(`a token as ${shape} signs in and stores the session`, async ({ page }) => {
    const calls = await serve(page, { login: ok(body) })
    await page.goto('/login')
    await signIn(page)
    await expect(page).toHaveURL('/dashboard')
    const heading = role === 'client' ? 'Dashboard' : 'Admin Dashboard'
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    expect(await stored(page)).toEqual([TOKEN, EMAIL, USER_ID, role])
    expect(of(calls, 'login')).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/public/users/login',
        payload: { username: EMAIL, password: 'a quiet password' },
      },
    ])
    expect(of(calls, 'login')[0]?.headers).not.toHaveProperty('authorization')
    await expect
      .poll(() => of(calls, 'listTransactions')[0]?.headers.authorization)
      .toBe(`Bearer ${TOKEN}`)
  })
}

test("a failed login shows the server's or the screen's sentence", async ({ page }) => {
  const told = [
    [no(401, 'Invalid email or password.'), 'Invalid email or password.'],
    [answer(400, { message: 'From message' }), 'From message'],
    [no(401), 'Unauthorized. Please login again.'],
    [answer(200, { successful: false }), 'Login failed'],
    [ok({ userId: USER_ID }), 'Login failed. Please check your credentials and try again.'],
    [ok(null), 'Login failed. Please check your credentials and try again.'],
    [ok({ token: TOKEN, username: EMAIL }), 'User ID not found. Please login again.'],
  ] as const
  await serve(page, { login: (_, before) => told[before]?.[0] ?? 'refused', health: 'refused' })
  await page.goto('/login')
  for (const [, sentence] of [...told, [null, 'Backend server not available']]) {
    await signIn(page)
    const box = page.getByRole('alert').filter({ hasText: 'Login Error' })
    await expect(box.getByText(String(sentence), { exact: true })).toBeVisible()
  }
  await expect(page).toHaveURL('/login')
  expect(await stored(page)).toEqual(NOTHING_STORED)
})

test('the sign-in page checks its fields before sending', async ({ page }) => {
  const calls = await serve(page)
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Welcome to Peer Lending Pool' })).toBeVisible()
  await expect(page.getByText('Sign in to your account')).toBeVisible()
  await button(page, 'Sign in').click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await email(page).fill('ada@')
  await password(page).fill('12345')
  await button(page, 'Sign in').click()
  await expect(page.getByText('Please enter a valid email')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  expect(of(calls, 'login')).toEqual([])
})

test('the sign-in button shows progress and sends once', async ({ page }) => {
  const calls = await serve(page, { login: 'silence' })
  await page.goto('/login')
  await signIn(page)
  await expect(button(page, 'Signing in...')).toBeDisabled()
  await password(page).press('Enter')
  await expect.poll(() => of(calls, 'login')).toHaveLength(1)
  // A second call would be sent before this one.
  await page.evaluate(() => fetch('/robots.txt'))
  expect(of(calls, 'login')).toHaveLength(1)
})

test('passwords can be shown and hidden', async ({ page }) => {
  await page.goto('/login')
  await password(page).fill('a quiet password')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await button(page, /show or hide/i).click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await button(page, /show or hide/i).click()
  await expect(password(page)).toHaveAttribute('type', 'password')

  await page.goto('/register')
  await expect(button(page, /show or hide/i)).toHaveCount(2)
  await button(page, /show or hide/i)
    .last()
    .click()
  await expect(page.getByLabel('Confirm password')).toHaveAttribute('type', 'text')
  await expect(password(page)).toHaveAttribute('type', 'password')
})

const register = async (page: Page, differs: Readonly<Record<string, string>> = {}) => {
  const typed = {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Email: EMAIL,
    Password: 'a quiet password',
    'Confirm password': 'a quiet password',
    ...differs,
  }
  for (const [label, text] of Object.entries(typed))
    await page.getByLabel(label, { exact: true }).fill(text)
  await button(page, 'Create Account').click()
}

test('registering sends the exact fields and leads to login', async ({ page }) => {
  const calls = await serve(page)
  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'Join Peer Lending Pool' })).toBeVisible()
  await expect(page.getByText('Create your account to start investing')).toBeVisible()
  await register(page)
  await expect(page).toHaveURL('/login')
  await expect(
    page.getByText('Account created successfully! Please login with your credentials.'),
  ).toBeVisible()
  await expect(email(page)).toHaveValue(EMAIL)
  expect(await stored(page)).toEqual(NOTHING_STORED)
  expect(calls.map(({ name }) => name)).toEqual(['register'])
  expect(calls).toMatchObject([
    { method: 'POST', path: '/api/v1/public/users/register/user', query: { role: 'USER' } },
  ])
  expect(calls[0]?.payload).toEqual({
    username: EMAIL,
    password: 'a quiet password',
    country: 'US',
    detail: { firstName: 'Ada', lastName: 'Lovelace', email: EMAIL },
  })
})

test('the sign-up page checks its fields before sending', async ({ page }) => {
  const calls = await serve(page)
  await page.goto('/register')
  await button(page, 'Create Account').click()
  for (const sentence of [
    'First name is required',
    'Last name is required',
    'Email is required',
    'Password is required',
    'Please confirm your password',
  ])
    await expect(page.getByText(sentence)).toBeVisible()
  await register(page, { Email: 'nobody', Password: '12345', 'Confirm password': '123456' })
  for (const sentence of [
    'Please enter a valid email',
    'Password must be at least 6 characters',
    'Passwords must match',
  ])
    await expect(page.getByText(sentence)).toBeVisible()
  expect(calls).toEqual([])
})

test('a failed registration shows a box, and the button progress', async ({ page }) => {
  const told = [
    [
      no(409, 'An account with this email already exists. Please sign in instead.'),
      'An account with this email already exists. Please sign in instead.',
    ],
    [no(400), 'Bad request. Please check your input.'],
    [answer(200, { successful: false }), 'Registration failed'],
  ] as const
  await serve(page, { register: (_, before) => told[before]?.[0] ?? 'silence' })
  await page.goto('/register')
  for (const [, sentence] of told) {
    await register(page)
    const box = page.getByRole('alert').filter({ hasText: 'Registration Error' })
    await expect(box.getByText(sentence, { exact: true })).toBeVisible()
  }
  await register(page)
  await expect(button(page, 'Creating account...')).toBeDisabled()
})

test.describe('with a session in storage', () => {
  test.use({ role: 'client' })

  test('the stored user is restored although the look-up fails', async ({ page }) => {
    const failures = [no(500), no(404), 'refused', 'silence'] as const
    const calls = await serve(page, {
      currentUser: (_, before) => failures[before] ?? 'silence',
      balance: ok(123.45),
    })
    for (const [index] of failures.entries()) {
      await page.goto('/dashboard')
      await expect(page.getByRole('banner')).toContainText(EMAIL)
      await expect(page.getByRole('region', { name: 'Account Balance' })).toContainText('$123.45')
      await expect.poll(() => of(calls, 'currentUser').length).toBe(index + 1)
    }
    expect(await stored(page)).toEqual([TOKEN, EMAIL, USER_ID, 'client'])
    expect(of(calls, 'currentUser')).toMatchObject(
      failures.map(() => ({ method: 'GET', path: '/api/v1/user', query: { username: EMAIL } })),
    )
  })

  test('a session needs a stored token, username and userId', async ({ page }) => {
    await serve(page)
    for (const [key, value] of [
      ['token', TOKEN],
      ['username', EMAIL],
      ['userId', USER_ID],
    ] as const) {
      await page.goto('/')
      await page.evaluate((missing) => localStorage.removeItem(missing), key)
      await page.goto('/dashboard')
      await expect(page).toHaveURL('/')
      await page.evaluate((entry) => localStorage.setItem(...entry), [key, value] as [
        string,
        string,
      ])
    }
  })

  test("a session without a stored role is a client's", async ({ page }) => {
    await serve(page)
    await page.goto('/')
    await page.evaluate(() => localStorage.removeItem('userRole'))
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
  })
})
