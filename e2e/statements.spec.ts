import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { filesIn } from '../server/testing/archives.ts'
import { test } from './fixtures.ts'
import { busyInvestor } from './prepare.ts'
import { expectAccessible, openPage } from './steps.ts'

/** Statements of an investor, and the page that checks them for everybody. */

const YEAR = String(new Date().getUTCFullYear())

const downloaded = async (page: Page, form: string): Promise<Buffer> => {
  const saved = page.waitForEvent('download')
  const name = `Download the statement of Year ${YEAR} as ${form}`
  await page.getByRole('button', { name }).click()
  return readFile(await (await saved).path())
}

const judged = async (page: Page, files: { readonly name: string; readonly buffer: Buffer }[]) => {
  await page
    .getByLabel('Choose files')
    .setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })))
  return page.getByRole('status').getByRole('heading', { level: 2 })
}

test('a statement is downloaded and checked by a stranger', async ({ open, pool }) => {
  const page = await open(await busyInvestor(pool), '/dashboard')
  await openPage(page, /^Statements/)
  await expect(page).toHaveURL('/statements')
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('in progress')
  await expectAccessible(page, 'statements')
  const archive = await downloaded(page, 'JSON')
  await expect(page.getByRole('status')).toHaveText(/The archive is saved/)
  const pdf = await downloaded(page, 'PDF')
  await page.getByRole('main').getByRole('link', { name: 'Check a file' }).click()
  await expect(page).toHaveURL('/verify')

  const stranger = await open(undefined, '/verify')
  await expect(await judged(stranger, [{ name: 'a.zip', buffer: archive }])).toHaveText('Genuine')
  await expect(stranger.getByRole('status')).toContainText('may lack what was under way')
  await expectAccessible(stranger, 'verify-genuine')

  const files = Object.entries(filesIn(archive))
  const [[name, statement] = ['', Buffer.alloc(0)], [, signature] = ['', Buffer.alloc(0)]] = files
  const beside = { name: 'signature.json', buffer: signature }
  await test.step('a changed amount is refused', async () => {
    const changed = Buffer.from(statement)
    const place = changed.indexOf('"total"') + 10
    changed[place] = (changed[place] ?? 0) === 0x39 ? 0x38 : 0x39
    const files = [{ name, buffer: changed }, beside]
    await expect(await judged(stranger, files)).toHaveText('Not genuine')
    await expectAccessible(stranger, 'verify-changed')
  })
  await test.step('a changed name is refused', async () => {
    const renamed = name.replace(YEAR, '2019')
    const files = [{ name: renamed, buffer: statement }, beside]
    await expect(await judged(stranger, files)).toHaveText('Not genuine under this name')
  })
  await test.step('a PDF is genuine too, and a changed byte is refused', async () => {
    await expect(await judged(stranger, [{ name: 'c.zip', buffer: pdf }])).toHaveText('Genuine')
    const [[name, file] = ['', Buffer.alloc(0)], [, signature] = ['', Buffer.alloc(0)]] =
      Object.entries(filesIn(pdf))
    expect(name).toMatch(/-en\.pdf$/)
    const changed = Buffer.from(file)
    changed[500] = (changed[500] ?? 0) ^ 1
    const files = [
      { name, buffer: changed },
      { name: 'signature.json', buffer: signature },
    ]
    await expect(await judged(stranger, files)).toHaveText('Not genuine')
  })
  await test.step('a file without a signature says what is missing', async () => {
    const files = [{ name, buffer: statement }]
    await expect(await judged(stranger, files)).toHaveText('No signature')
    await judged(stranger, [{ name: 'b.zip', buffer: archive.subarray(0, 60) }])
    await expect(stranger.getByRole('status')).toHaveText(/could not be read/)
  })
})

test('staff download the statement of the pool', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/statements')
  const archive = await downloaded(page, 'CSV')
  expect(Object.keys(filesIn(archive))[0]).toMatch(/^pool-statement-\d{4}-until-.*\.csv$/)
  await expect(page.getByRole('button', { name: 'Ghostfolio' })).toHaveCount(0)
  await expectAccessible(page, 'statements-of-the-pool')
})
