/** The words of the mail about the day since yesterday began, per language. */
import type { Language } from '@pool/contract/base/languages'
import { formatDollars } from '@pool/contract/base/money'
import { dateFromTimestamp } from '@pool/contract/base/timestamp'
import type { PauseName } from '@pool/contract/money/pauses'
import type { Today } from '@pool/contract/reports/today'
import { todayPaths } from '@pool/contract/reports/todayPaths'
import type { MailFacts, MailLine, WrittenMail } from './facts.ts'

type Words = {
  readonly subject: string
  readonly since: (at: string) => string
  readonly attention: string
  readonly quiet: string
  readonly late: string
  readonly breaks: string
  readonly alarms: string
  readonly paused: Readonly<Record<PauseName, string>>
  readonly pausedSince: (what: string, at: string) => string
  readonly money: string
  readonly moneyIn: string
  readonly moneyOut: string
  readonly invested: string
  readonly matured: string
  readonly decisions: string
  readonly undecided: string
  readonly requests: (count: number) => string
  readonly open: string
  readonly chosen: string
}

const english: Words = {
  subject: 'The pool since yesterday',
  since: (at) => `This happened since ${at}. Each line opens its rows.`,
  attention: 'Needs attention',
  quiet: 'No late loan, break, alarm or pause.',
  late: 'Late loans',
  breaks: 'Comparisons with a break',
  alarms: 'Payout alarms',
  paused: { deposits: 'Deposits', withdrawals: 'Withdrawals', investing: 'Investing' },
  pausedSince: (what, at) => `${what} paused since ${at}`,
  money: 'Money',
  moneyIn: 'Deposits confirmed',
  moneyOut: 'Withdrawals approved',
  invested: 'Invested',
  matured: 'Matured',
  decisions: 'Decisions by person',
  undecided: 'Nobody decided on a request.',
  requests: (count) => (count === 1 ? '1 request' : `${count} requests`),
  open: 'Open Today',
  chosen: 'You chose this email on the security page of your account, where you can turn it off.',
}

const spanish: Words = {
  subject: 'El fondo desde ayer',
  since: (at) => `Esto pasó desde el ${at}. Cada línea abre sus filas.`,
  attention: 'Pide atención',
  quiet: 'Ningún préstamo con atraso, descuadre, alarma ni pausa.',
  late: 'Préstamos con atraso',
  breaks: 'Comparaciones con un descuadre',
  alarms: 'Alarmas de pagos',
  paused: {
    deposits: 'Depósitos pausados',
    withdrawals: 'Retiradas pausadas',
    investing: 'Inversiones pausadas',
  },
  pausedSince: (what, at) => `${what} desde el ${at}`,
  money: 'Dinero',
  moneyIn: 'Depósitos confirmados',
  moneyOut: 'Retiradas aprobadas',
  invested: 'Invertido',
  matured: 'Vencido',
  decisions: 'Decisiones por persona',
  undecided: 'Nadie decidió sobre una solicitud.',
  requests: (count) => (count === 1 ? '1 solicitud' : `${count} solicitudes`),
  open: 'Abrir Hoy',
  chosen:
    'Elegiste este correo en la página de seguridad de tu cuenta, donde puedes dejar de recibirlo.',
}

const linesOf = (words: Words, today: Today, { say, pageAt }: MailFacts) => {
  const since = dateFromTimestamp(today.since)
  const paths = todayPaths(since.toISOString().slice(0, 10))
  const line = (text: string, path: string): MailLine => ({ text, url: pageAt(path) })
  const sum = (label: string, { count, amount }: Today['moneyIn'], path: string) =>
    line(`${label}: ${count} · ${formatDollars(amount)}`, path)
  const { late, breaks, alarms, pauses, decisions } = today
  return {
    attention: [
      ...(late.count > 0 ? [sum(words.late, late, paths.late)] : []),
      ...(breaks > 0 ? [line(`${words.breaks}: ${breaks}`, paths.breaks)] : []),
      ...(alarms > 0 ? [line(`${words.alarms}: ${alarms}`, paths.alarms)] : []),
      ...pauses.map(({ name, since: from }) =>
        line(words.pausedSince(words.paused[name], say(dateFromTimestamp(from))), paths.paused),
      ),
    ],
    money: [
      sum(words.moneyIn, today.moneyIn, paths.moneyIn),
      sum(words.moneyOut, today.moneyOut, paths.moneyOut),
      sum(words.invested, today.invested, paths.invested),
      sum(words.matured, today.matured, paths.matured),
    ],
    decisions: decisions.map(({ username, count, amount }) =>
      line(
        `${username}: ${words.requests(count)} · ${formatDollars(amount)}`,
        paths.decided(username),
      ),
    ),
  }
}

const written =
  (words: Words) =>
  (facts: MailFacts): WrittenMail => {
    const { today, say, pageAt } = facts
    if (today === undefined) throw new Error('its day is missing')
    const { attention, money, decisions } = linesOf(words, today, facts)
    return {
      subject: words.subject,
      paragraphs: [
        words.since(say(dateFromTimestamp(today.since))),
        ...(attention.length === 0 ? [words.quiet] : []),
        ...(decisions.length === 0 ? [words.undecided] : []),
      ],
      lists: [
        { heading: words.attention, lines: attention },
        { heading: words.money, lines: money },
        { heading: words.decisions, lines: decisions },
      ].filter(({ lines }) => lines.length > 0),
      action: { label: words.open, url: pageAt('/admin/today') },
      after: [words.chosen],
    }
  }

/** Writes the mail of the morning. */
export const morningWords: Readonly<Record<Language, (facts: MailFacts) => WrittenMail>> = {
  en: written(english),
  es: written(spanish),
}
