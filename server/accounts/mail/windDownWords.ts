/** The words of the mail about a pool that winds down, per language. */
import type { Language } from '@pool/contract/base/languages'
import type { MailFacts, WrittenMail } from './facts.ts'

type Words = Readonly<Record<'windDownBegun', (facts: MailFacts) => WrittenMail>>

export const windDownWords: Readonly<Record<Language, Words>> = {
  en: {
    windDownBegun: ({ product, restsUntil, support }) => ({
      subject: 'The pool is winding down',
      paragraphs: [
        `${product} winds down. Two people decided it. No new deposits, investments or loans are made.`,
        `Your investments mature as promised. The last of all matures on ${restsUntil ?? ''}.`,
        'Please withdraw your balance. While the pool is winding down, any sum can be withdrawn, to the last cent. Approved withdrawals are paid first, then the others, the oldest first.',
        'The capital of the operator leaves last. A balance that is left for 90 days after the last maturity stays yours, and its coins are kept for you.',
        `Please send no more coins to your deposit addresses. Questions: write to ${support}.`,
      ],
    }),
  },
  es: {
    windDownBegun: ({ product, restsUntil, support }) => ({
      subject: 'El fondo se liquida',
      paragraphs: [
        `${product} se liquida. Lo decidieron dos personas. No se hacen más depósitos, inversiones ni préstamos.`,
        `Tus inversiones vencen como se prometió. La última de todas vence el ${restsUntil ?? ''}.`,
        'Retira tu saldo, por favor. Mientras el fondo se liquida se puede retirar cualquier importe, hasta el último centavo. Primero se pagan las retiradas aprobadas y después las demás, de la más antigua a la más nueva.',
        'El capital del operador sale al final. Un saldo que quede 90 días después del último vencimiento sigue siendo tuyo, y sus monedas se guardan para ti.',
        `No envíes más monedas a tus direcciones de depósito. Preguntas: escribe a ${support}.`,
      ],
    }),
  },
}
