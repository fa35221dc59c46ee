import { expect } from '@playwright/test'
import { mailTemplates } from '@pool/contract/accounts/mails'
import { sampleMail } from '../server/testing/mails.ts'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { DESK, PHONE } from './widths.ts'

/** Every mail as its reader sees it. Its colours and its frame are the same in all languages. */

for (const [language, colorScheme] of [
  ['en', 'light'],
  ['es', 'dark'],
] as const)
  test(`every mail in '${language}' is legible when ${colorScheme}`, async ({ open }) => {
    const page = await open(undefined)
    await page.emulateMedia({ colorScheme })
    for (const template of mailTemplates)
      await test.step(template, async () => {
        const { subject, html } = sampleMail(template, language)
        await page.setContent(html)
        await expect(page).toHaveTitle(subject)
        // A mail is no page, so it needs no heading of one.
        expect(await violations(page, 'body')).toEqual([])
        for (const size of [DESK, PHONE]) {
          await page.setViewportSize(size)
          if (process.env.SCREENSHOTS)
            await page.screenshot({
              path: `${process.env.SCREENSHOTS}/mail-${template}-${language}-${size.width}.png`,
              fullPage: true,
            })
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
          ).toBeLessThanOrEqual(0)
        }
      })
  })
