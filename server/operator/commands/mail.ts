import { dateFromTimestamp } from '@pool/contract/base/timestamp'
import { listForOperator, readMailOf } from '../../accounts/mail/queries.ts'
import { resendMail } from '../../accounts/mail/resend.ts'
import type { Config } from '../../base/configuration/config.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { type Opened, operator, runCommand, type Work } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run mail -- list          the newest mails, after the dead letters
  npm run mail -- show ID       the text of a mail, and every attempt to send it
  npm run mail -- resend ID     sends a mail again, also one that was given up`

const list: Work = async (product, config) => {
  const mails = await listForOperator({ ...product, config })
  for (const { id, createdAt, status, attempts, recipient, subject } of mails) {
    const at = dateFromTimestamp(createdAt).toISOString()
    print(`${id}  ${at}  ${status}  ${attempts} attempts  ${recipient}  ${subject}`)
  }
  if (mails.length === 0) print('There are no mails.')
}

const show =
  (id: string): Work =>
  async (product, config) => {
    const mail = await readMailOf({ ...product, config }, id)
    if (!mail) throw new Error(`There is no mail ${id}.`)
    print(`To:      ${mail.recipient}`)
    print(`Subject: ${mail.subject}`)
    print(`Status:  ${mail.status} after ${mail.attempts} attempts`)
    for (const { attempted_at, outcome, answer } of mail.deliveries)
      print(`         ${attempted_at.toISOString()} ${outcome}: ${answer}`)
    print(`\n${mail.text}`)
  }

const resend =
  (id: string): Work =>
  async (product: Opened, config: Config) => {
    await resendMail({ ...product, config }, { id, by: operator(), seesStaff: true })
    print(`Mail ${id} is being sent again.`)
  }

const verbs: Readonly<Record<string, (id: string) => Work>> = { show, resend }

await runCommand(() => {
  const [verb = '', id = '', ...rest] = argumentsOf(usage).words
  if (verb === 'list' && id === '') return list
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!work || rest.length > 0 || !/^[0-9a-f-]{36}$/.test(id)) throw new UsageError(usage)
  return work(id)
})
