import { expect, test } from '@playwright/test'
import { languages } from '@pool/contract/languages'
import { mailTemplates } from '@pool/contract/mails'
import { sampleMail } from '../server/testing/mails.ts'
import { looksGood } from './steps.ts'

/** Every mail as its reader sees it. */

for (const width of [375, 1280])
  for (const language of languages)
    test(`every mail in '${language}' is legible at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 812 })
      for (const template of mailTemplates) {
        const { subject, html } = sampleMail(template, language)
        await page.setContent(html)
        await expect(page).toHaveTitle(subject)
        // A mail is no page, so it needs no heading of one.
        await looksGood(page, `mail-${template}-${language}`, 'body')
      }
    })
