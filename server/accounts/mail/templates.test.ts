import { mailTemplates } from '@pool/contract/accounts/mails'
import { languages } from '@pool/contract/base/languages'
import { mailedKinds } from '@pool/contract/reports/notices'
import { describe, expect, test } from 'vitest'
import { LINK_ID, sampleMail, sampleParameters, surroundings } from '../../testing/mails.ts'
import { escapeHtml, renderMail } from './templates.ts'

const HOSTILE = `<script>alert("1")</script> & 'co'`
const cases = mailTemplates.flatMap((template) =>
  languages.map((language) => ({ template, language })),
)

describe.each(cases)('the mail $template in $language', ({ template, language }) => {
  const render = (parameters: object = sampleParameters[template], productName?: string) =>
    renderMail({ template, parameters }, language, surroundings(productName))

  test('has a short subject and says it all twice', () => {
    const { subject, text, html } = render()
    expect(subject.length).toBeGreaterThan(5)
    expect(subject.length).toBeLessThanOrEqual(60)
    expect(html).toContain(`<title>${escapeHtml(subject)}</title>`)
    expect(html).toContain(`<html lang="${language}">`)
    for (const line of text.split('\n').filter((each) => !/^(--)?$/.test(each)))
      expect(html).toContain(escapeHtml(line.replace(/:$/, '')))
    expect(text).toContain('Ana María')
    expect(text).toContain('Peer Lending Pool')
    expect(text).toContain('support@example.com')
    expect(text).not.toMatch(/undefined|null|\{|\}/)
  })

  test('escapes what people and the operator wrote', () => {
    const { html, text } = render({ ...sampleParameters[template], firstName: HOSTILE }, HOSTILE)
    expect(html).not.toContain('<script')
    expect(html).not.toContain(`"1"`)
    expect(html).toContain('&#60;script&#62;')
    // Text is text, but a hostile name is left out.
    expect(text.split('\n')[0]).not.toContain('script')
  })

  test('is legible in the dark and loads nothing', () => {
    const { html } = render()
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme:dark)')
    expect(html).not.toMatch(/<(img|script|table|link|iframe|form|input)\b|url\(|@import|\bon\w+=/i)
  })
})

test.each(languages)('a link is shown and linked in %s', (language) => {
  const { text, html } = renderMail(
    { template: 'passwordReset', parameters: sampleParameters.passwordReset },
    language,
    surroundings(),
  )
  expect(text).toContain(`https://pool.example.com/reset#${LINK_ID}&"`)
  expect(html).toContain(`href="https://pool.example.com/reset#${LINK_ID}&#38;&#34;"`)
  // Its code stands alone, for a gateway that cuts links.
  for (const part of [text, html]) expect(part).toMatch(new RegExp(`: ${LINK_ID}&`))
  expect(text).toMatch(
    language === 'en' ? /January 31, 2026 at 12:30 PM UTC/ : /31 de enero de 2026 a las 12:30 UTC/,
  )
})

test('a changed password tells of the rest', () => {
  const render = (restsUntil: string | null) =>
    renderMail(
      {
        template: 'passwordChanged',
        parameters: { ...sampleParameters.passwordChanged, restsUntil },
      },
      'en',
      surroundings(),
    ).text
  expect(render(sampleParameters.passwordChanged.restsUntil)).toContain('February 1, 2026')
  expect(render(null)).not.toContain('withdrawals')
})

test.each([
  'Visit evil.example now',
  'https://evil.example',
  'A'.repeat(41),
  'evil@example.com',
  '',
])('the name %j is no greeting', (firstName) => {
  const { text } = renderMail(
    { template: 'passwordReset', parameters: { ...sampleParameters.passwordReset, firstName } },
    'en',
    surroundings(),
  )
  expect(text).toMatch(/^Hello,\n/)
})

test.each(mailedKinds.flatMap((kind) => languages.map((language) => ({ kind, language }))))(
  'a mail of $kind in $language is whole',
  ({ kind, language }) => {
    const parameters = { ...sampleParameters.moneyNotice, kind, interest: 7, reason: HOSTILE }
    const { subject, text, html } = renderMail(
      { template: 'moneyNotice', parameters },
      language,
      surroundings(),
    )
    expect(subject.length).toBeLessThanOrEqual(60)
    for (const fact of ['$1,234.50', '$20.00', 'support@example.com', '2026'])
      expect(text).toContain(fact)
    expect(text.includes('$7.00')).toBe(kind.startsWith('investment.'))
    expect(text.includes(HOSTILE)).toBe(/\.rejected$|^withdrawal\.returned$/.test(kind))
    expect(text).not.toMatch(/undefined|null/)
    expect(html).not.toContain('<script')
  },
)

test.each(languages)('lines of the morning lead to rows in %s', (language) => {
  const { text, html } = sampleMail('morning', language)
  for (const path of [
    '/admin?tab=loans&loans-bucket=',
    '/admin/reconciliation',
    '/admin/audit?audit-action=switch.paused',
    '/admin/audit?audit-action=deposit.confirmed&audit-from=2026-01-30',
    '/admin/audit?audit-search=admin%40example.com',
    '/admin/today',
  ]) {
    expect(text).toContain(`https://pool.example.com${path}`)
    expect(html).toContain(`href="https://pool.example.com${escapeHtml(path)}`)
  }
  for (const fact of ['3 · $1,234.50', '2 · $5,000.00', '$1,274.50']) expect(text).toContain(fact)
  // No payout alarm was raised.
  expect(text).not.toContain('/admin/networks')
})

test('parameters of another template are refused', () => {
  expect(() =>
    renderMail(
      { template: 'passwordReset', parameters: sampleParameters.accountFrozen },
      'en',
      surroundings(),
    ),
  ).toThrow()
})
