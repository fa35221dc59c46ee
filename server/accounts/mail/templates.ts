/** Turns a mail's parameters into subject, text and HTML. */
import { LINK_PATHS, type MailTemplate } from '@pool/contract/accounts/mails'
import { proposalKindNames, proposalKinds } from '@pool/contract/agreements/proposals'
import type { Language } from '@pool/contract/base/languages'
import { formatDollars } from '@pool/contract/base/money'
import { type MailedKind, mailedKinds } from '@pool/contract/reports/notices'
import { readToday } from '@pool/contract/reports/today'
import { z } from 'zod'
import { linkSchema } from '../links/tokens.ts'
import { factorChanges, type MailFacts, type WrittenMail } from './facts.ts'
import { words } from './words.ts'

const moment = z.iso.datetime()
/** A link that freezes. Mails that were written by nodes of 1.0.0 have none. */
const freezing = { link: linkSchema.optional(), until: moment.optional() }

/** The parameters of each mail, as the outbox stores them. None is a secret. */
export const parameters = {
  passwordReset: z.object({ firstName: z.string(), link: linkSchema, until: moment }),
  invite: z.object({ firstName: z.string(), link: linkSchema, until: moment }),
  passwordChanged: z.object({
    firstName: z.string(),
    at: moment,
    restsUntil: moment.nullable(),
    ...freezing,
  }),
  factorsChanged: z.object({
    firstName: z.string(),
    at: moment,
    change: z.enum(factorChanges),
    ...freezing,
  }),
  factorReset: z.object({
    firstName: z.string(),
    at: moment,
    change: z.enum(factorChanges),
    restsUntil: moment.nullable(),
    ...freezing,
  }),
  factorRefused: z.object({
    firstName: z.string(),
    at: moment,
    ip: z.string(),
    link: linkSchema,
    until: moment,
  }),
  newDevice: z.object({
    firstName: z.string(),
    at: moment,
    browser: z.string().nullable(),
    system: z.string().nullable(),
    ip: z.string(),
    link: linkSchema,
    until: moment,
  }),
  accountFrozen: z.object({ firstName: z.string(), at: moment }),
  accountClosed: z.object({ firstName: z.string(), at: moment }),
  lossAnnounced: z.object({ firstName: z.string(), amount: z.number(), restsUntil: moment }),
  windDownBegun: z.object({ firstName: z.string(), restsUntil: moment }),
  readingKeyMade: z.object({
    firstName: z.string(),
    at: moment,
    days: z.number(),
    link: linkSchema,
    until: moment,
  }),
  readingKeysEnded: z.object({ firstName: z.string(), at: moment, keys: z.number() }),
  emailConfirm: z.object({ firstName: z.string(), link: linkSchema, until: moment }),
  emailChange: z.object({ firstName: z.string(), link: linkSchema, until: moment }),
  emailTaken: z.object({ firstName: z.string() }),
  emailChangeAsked: z.object({
    firstName: z.string(),
    at: moment,
    email: z.string(),
    link: linkSchema,
    until: moment,
  }),
  emailChanged: z.object({
    firstName: z.string(),
    at: moment,
    email: z.string(),
    restsUntil: moment.nullable(),
    link: linkSchema,
    until: moment,
  }),
  depositAddressChanged: z.object({
    firstName: z.string(),
    at: moment,
    address: z.string(),
    archived: z.boolean(),
    link: linkSchema,
    until: moment,
  }),
  proposalRests: z.object({
    firstName: z.string(),
    at: moment,
    proposal: z.enum(proposalKindNames),
    facts: z.record(z.string(), z.unknown()),
    email: z.string(),
    restsUntil: moment,
  }),
  /** Dollars. `balance` is the available one right after the moment. */
  moneyNotice: z.object({
    firstName: z.string(),
    at: moment,
    kind: z.enum(mailedKinds as [MailedKind, ...MailedKind[]]),
    amount: z.number(),
    interest: z.number().nullable(),
    reason: z.string().nullable(),
    balance: z.number(),
  }),
  morning: z.object({ firstName: z.string(), today: readToday.body }),
} as const satisfies Readonly<Record<MailTemplate, z.ZodObject>>

/** A mail by its template, with the parameters of that template. */
export type Template = {
  [Name in MailTemplate]: {
    readonly template: Name
    readonly parameters: z.infer<(typeof parameters)[Name]>
  }
}[MailTemplate]

export type Rendered = { readonly subject: string; readonly text: string; readonly html: string }

type LinkPath = (typeof LINK_PATHS)[keyof typeof LINK_PATHS]

/** The values of this product. `linkTo` writes the URL of a link. */
export type Surroundings = {
  readonly productName: string
  readonly supportEmail: string
  readonly linkTo: (path: LinkPath, link: z.infer<typeof linkSchema>) => string
  /** Writes the URL of a page. */
  readonly pageAt: (path: string) => string
}

/** The parameters of all templates together, of which each mail has some. */
type AnyParameters = Partial<
  z.infer<typeof parameters.passwordReset> &
    z.infer<typeof parameters.passwordChanged> &
    z.infer<typeof parameters.factorsChanged> &
    z.infer<typeof parameters.newDevice> &
    z.infer<typeof parameters.emailChanged> &
    z.infer<typeof parameters.depositAddressChanged> &
    z.infer<typeof parameters.proposalRests> &
    z.infer<typeof parameters.moneyNotice> &
    z.infer<typeof parameters.readingKeyMade> &
    z.infer<typeof parameters.readingKeysEnded> &
    z.infer<typeof parameters.morning>
>

/** Renders a mail. Throws for parameters that its template does not know. */
export const renderMail = (
  { template, parameters: given }: { template: MailTemplate; parameters: unknown },
  language: Language,
  { productName, supportEmail, linkTo, pageAt }: Surroundings,
): Rendered => {
  const { firstName, link, until, at, restsUntil, change, ...rest }: AnyParameters =
    parameters[template].parse(given)
  const { greeting, footer, code, device, mails } = words[language]
  const path = (LINK_PATHS as Readonly<Partial<Record<MailTemplate, LinkPath>>>)[template]
  const say = (text: string | null | undefined) =>
    text ? momentIn(language, new Date(text)) : undefined
  const facts: MailFacts = {
    product: productName,
    support: supportEmail,
    link: path && link ? linkTo(path, link) : '',
    until: say(until) ?? '',
    at: say(at) ?? '',
    restsUntil: say(restsUntil),
    change,
    device: device(rest.browser ?? undefined, rest.system ?? undefined),
    ip: rest.ip ?? '',
    email: rest.email ?? '',
    address: rest.address ?? '',
    archived: rest.archived ?? false,
    asked: askedIn(language, rest),
    kind: rest.kind,
    amount: formatDollars(rest.amount ?? 0),
    interest: formatDollars(rest.interest ?? 0),
    balance: formatDollars(rest.balance ?? 0),
    reason: rest.reason ?? undefined,
    days: rest.days ?? 0,
    keys: rest.keys ?? 0,
    today: rest.today,
    say: (moment) => momentIn(language, moment),
    pageAt,
  }
  const written = mails[template](facts)
  const frame = { greeting: greeting(greetable(firstName)), footer: footer(facts), code }
  return {
    subject: written.subject,
    text: textOf(written, frame),
    html: htmlOf(written, frame, language),
  }
}

/**
 * A name that cannot pass for a link or a message. A stranger may have registered the address, and
 * must not write to its owner.
 */
const greetable = (name: string | undefined): string | undefined =>
  name !== undefined && /^[\p{L}\p{M}'’ -]{1,40}$/u.test(name) ? name : undefined

/** A proposal in words, with its facts. */
const askedIn = (language: Language, { proposal, facts = {} }: AnyParameters): string =>
  proposal === undefined
    ? ''
    : proposalKinds[proposal][language].one.replaceAll(/\{(\w+)\}/g, (_, fact: string) =>
        String(facts[fact] ?? ''),
      )

/** UTC, since a mail knows no time zone of its reader. */
const momentIn = (language: Language, at: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

type Frame = {
  readonly greeting: string
  readonly footer: string
  readonly code: (code: string) => string
}

/** The token of a link stands behind its `#`. */
const codeOf = (url: string): string | undefined => url.split('#')[1]

const textOf = (
  { paragraphs, lists = [], action, after = [] }: WrittenMail,
  { greeting, footer, code }: Frame,
) => {
  const token = action && codeOf(action.url)
  const parts = [
    greeting,
    ...paragraphs,
    ...lists.flatMap(({ heading, lines }) => [
      heading,
      ...lines.map(({ text, url }) => `${text}:\n${url}`),
    ]),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(token ? [code(token)] : []),
    ...after,
    `--\n${footer}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Escapes a text for markup and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Colours of both schemes. Mail programs without dark styles show the light ones. */
const STYLES = `:root{color-scheme:light dark}
body{margin:0;padding:24px 16px;background:#f6f7f5;color:#1c2420;font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif}
main{max-width:34rem;margin:0 auto;padding:28px 24px;background:#fff;border:1px solid #dfe4e0;border-radius:12px}
p{margin:0 0 16px;overflow-wrap:anywhere}
h2{margin:24px 0 8px;font-size:16px}
.line{margin:0 0 8px}
.line a{color:inherit}
.action{display:inline-block;padding:12px 20px;border-radius:8px;background:#14604a;color:#fff;font-weight:600;text-decoration:none}
.small{font-size:14px;color:#55605a}
.small a{color:inherit}
footer{max-width:34rem;margin:16px auto 0;font-size:13px;color:#55605a}
@media (prefers-color-scheme:dark){body{background:#111614;color:#e8eeea}main{background:#1a211e;border-color:#313a35}.action{background:#7fd6b4;color:#0b1f17}.small,footer{color:#a9b5ae}}`

const htmlOf = (
  { subject, paragraphs, lists = [], action, after = [] }: WrittenMail,
  { greeting, footer, code }: Frame,
  language: Language,
): string => {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`
  const hrefTo = (url: string) =>
    `href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer"`
  const list = ({ heading, lines }: NonNullable<WrittenMail['lists']>[number]) => [
    `<h2>${escapeHtml(heading)}</h2>`,
    ...lines.map(
      ({ text, url }) => `<p class="line"><a ${hrefTo(url)}>${escapeHtml(text)}</a></p>`,
    ),
  ]
  const link = ({ label, url }: NonNullable<WrittenMail['action']>) => {
    const href = hrefTo(url)
    const token = codeOf(url)
    return [
      `<p><a class="action" ${href}>${escapeHtml(label)}</a></p>`,
      `<p class="small"><a ${href}>${escapeHtml(url)}</a></p>`,
      ...(token ? [`<p class="small">${escapeHtml(code(token))}</p>`] : []),
    ]
  }
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
${STYLES}
</style>
</head>
<body>
<main>
${[paragraph(greeting), ...paragraphs.map(paragraph), ...lists.flatMap(list), ...(action ? link(action) : []), ...after.map(paragraph)].join('\n')}
</main>
<footer>${paragraph(footer)}</footer>
</body>
</html>
`
}
