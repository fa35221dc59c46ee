import type { MailTemplate } from '@pool/contract/accounts/mails'
import type { Language } from '@pool/contract/base/languages'
import { renderMail, type Template } from '../accounts/mail/templates.ts'

export const LINK_ID = '01900000-0000-7000-8000-000000000000'

/** Parameters of each kind of mail. */
export const sampleParameters = {
  passwordReset: {
    firstName: 'Ana María',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-01-31T12:30:00.000Z',
  },
  invite: {
    firstName: 'Ana María',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-03T12:00:00.000Z',
  },
  passwordChanged: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    restsUntil: '2026-02-01T12:00:00.000Z',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  factorsChanged: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    change: 'passkeyAdded',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  factorReset: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    change: 'resetApproved',
    restsUntil: '2026-02-01T12:00:00.000Z',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  factorRefused: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    ip: '203.0.113.9',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  newDevice: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    browser: 'Firefox',
    system: null,
    ip: '203.0.113.9',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  readingKeyMade: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    days: 30,
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  readingKeysEnded: { firstName: 'Ana María', at: '2026-01-31T12:00:00.000Z', keys: 2 },
  accountFrozen: { firstName: 'Ana María', at: '2026-01-31T12:00:00.000Z' },
  lossAnnounced: {
    firstName: 'Ana María',
    amount: 600,
    restsUntil: '2026-02-02T12:00:00.000Z',
  },
  windDownBegun: { firstName: 'Ana María', restsUntil: '2026-02-12T12:00:00.000Z' },
  accountClosed: { firstName: 'Ana María', at: '2026-01-31T12:00:00.000Z' },
  emailConfirm: {
    firstName: 'Ana María',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-01T12:00:00.000Z',
  },
  emailChange: {
    firstName: 'Ana María',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-01T12:00:00.000Z',
  },
  emailTaken: { firstName: 'Ana María' },
  emailChangeAsked: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    email: 'ana@example.com',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  emailChanged: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    email: 'ana@example.com',
    restsUntil: '2026-02-01T12:00:00.000Z',
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  depositAddressChanged: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    archived: true,
    link: { id: LINK_ID, keyId: 'abcdef01' },
    until: '2026-02-07T12:00:00.000Z',
  },
  proposalRests: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    proposal: 'ADD_WALLETS',
    facts: { networkName: 'Bitcoin', count: 2, first: 'bc1qfirst', last: 'bc1qlast' },
    email: 'admin@example.com',
    restsUntil: '2026-02-01T12:00:00.000Z',
  },
  moneyNotice: {
    firstName: 'Ana María',
    at: '2026-01-31T12:00:00.000Z',
    kind: 'withdrawal.rejected',
    amount: 1_234.5,
    interest: null,
    reason: 'The address is on another network.',
    balance: 20,
  },
  morning: {
    firstName: 'Ana María',
    today: {
      since: [2026, 1, 30, 0, 0, 0, 0],
      moneyIn: { count: 3, amount: 1_234.5 },
      moneyOut: { count: 1, amount: 40 },
      invested: { count: 2, amount: 600 },
      matured: { count: 1, amount: 107 },
      late: { count: 2, amount: 5_000 },
      decisions: [{ username: 'admin@example.com', count: 4, amount: 1_274.5 }],
      breaks: 1,
      alarms: 0,
      pauses: [{ name: 'withdrawals', since: [2026, 1, 30, 9, 30, 0, 0] }],
    },
  },
} satisfies { [Name in Template['template']]: Extract<Template, { template: Name }>['parameters'] }

export const surroundings = (productName = 'Peer Lending Pool') => ({
  productName,
  supportEmail: 'support@example.com',
  pageAt: (path: string) => `https://pool.example.com${path}`,
  linkTo: (path: string, { id }: { id: string }) => `https://pool.example.com${path}#${id}&"`,
})

/** A mail with sample parameters, as its reader gets it. */
export const sampleMail = (template: MailTemplate, language: Language) =>
  renderMail({ template, parameters: sampleParameters[template] }, language, surroundings())
