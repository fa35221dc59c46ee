/** The words of mails about money, per language and kind of notice. */
import type { Language } from '@pool/contract/base/languages'
import type { MailedKind } from '@pool/contract/reports/notices'
import type { MailFacts, WrittenMail } from './facts.ts'

/** The subject, and the sentence that tells what happened. */
type Wording = readonly [subject: string, sentence: (facts: MailFacts) => string]
type Kinds = Readonly<Record<MailedKind, Wording>>

const because = (label: string, reason: string | undefined): string =>
  reason === undefined ? '' : ` ${label}: ${reason}`

const english: Kinds = {
  'deposit.asked': [
    'Deposit requested',
    ({ amount, at }) => `You asked to deposit ${amount} on ${at}.`,
  ],
  'deposit.unannounced': [
    'Coins without a request',
    ({ amount, at }) =>
      `Coins worth ${amount} came to your address. No deposit request waited for them. We saw them on ${at} and credit them once they are checked.`,
  ],
  'deposit.confirmed': [
    'Deposit confirmed',
    ({ amount, at }) => `Your deposit of ${amount} arrived. It was added to your balance on ${at}.`,
  ],
  'deposit.rejected': [
    'Deposit rejected',
    ({ amount, at, reason }) =>
      `Your deposit of ${amount} was rejected on ${at}.${because('The reason', reason)}`,
  ],
  'deposit.expired': [
    'Deposit expired',
    ({ amount, at }) =>
      `Your request to deposit ${amount} expired on ${at}, because nothing had arrived.`,
  ],
  'deposit.reversed': [
    'Deposit taken back',
    ({ amount, at }) =>
      `The network took back the coins of your deposit of ${amount} after it was credited. We saw it on ${at}. The amount is taken from your balance, now or when there is enough. Withdrawals wait until then. If the coins come back, they are credited again.`,
  ],
  'deposit.collected': [
    'Taken from your balance',
    ({ amount, at }) =>
      `${amount} was taken from your balance on ${at}, for a deposit that its network took back.`,
  ],
  'deposit.writtenOff': [
    'Nothing owed any more',
    ({ amount, at }) =>
      `On ${at} the pool gave up what you still owed for your deposit of ${amount}, which its network took back. You owe nothing more for it.`,
  ],
  'withdrawal.asked': [
    'Withdrawal requested',
    ({ amount, at }) =>
      `A withdrawal of ${amount} was requested on ${at}. The amount is held until it is decided.`,
  ],
  'withdrawal.approved': [
    'Withdrawal approved',
    ({ amount, at }) =>
      `Your withdrawal of ${amount} was approved on ${at}. It is sent to your address next.`,
  ],
  'withdrawal.rejected': [
    'Withdrawal rejected',
    ({ amount, at, reason }) =>
      `Your withdrawal of ${amount} was rejected on ${at}, and the amount is back in your balance.${because('The reason', reason)}`,
  ],
  'withdrawal.sent': [
    'Withdrawal sent',
    ({ amount, at }) => `Your withdrawal of ${amount} was sent to your address on ${at}.`,
  ],
  'withdrawal.completed': [
    'Withdrawal completed',
    ({ amount, at }) => `Your withdrawal of ${amount} was completed on ${at}.`,
  ],
  'withdrawal.returned': [
    'Withdrawal given back',
    ({ amount, at, reason }) =>
      `Your withdrawal of ${amount} was not paid. On ${at} the amount went back to your balance.${because('The reason', reason)}`,
  ],
  'investment.opened': [
    'Investment opened',
    ({ amount, interest, at }) =>
      `You invested ${amount} on ${at}. At maturity it pays ${interest} of interest.`,
  ],
  'investment.matured': [
    'Investment matured',
    ({ amount, interest, at }) =>
      `Your investment matured on ${at} and paid ${amount}, of which ${interest} is interest.`,
  ],
  'loss.borne': [
    'Your part of a loss',
    ({ amount, at }) =>
      `A loan was lost. On ${at} all invested principal bore the same share of it, and ${amount} was taken from your investments. Their interest stays as promised. What comes back of the loan goes first to those who bore the loss.`,
  ],
  'loss.returned': [
    'A part of a loss came back',
    ({ amount, at }) =>
      `Money came back of a loan whose loss you had borne in part. On ${at} your share of it, ${amount}, was added to your balance.`,
  ],
}

const spanish: Kinds = {
  'deposit.asked': [
    'Depósito solicitado',
    ({ amount, at }) => `Pediste depositar ${amount} el ${at}.`,
  ],
  'deposit.unannounced': [
    'Monedas sin solicitud',
    ({ amount, at }) =>
      `Llegaron monedas por valor de ${amount} a tu dirección sin que las esperara ninguna solicitud. Las vimos el ${at} y se abonarán cuando se hayan comprobado.`,
  ],
  'deposit.confirmed': [
    'Depósito confirmado',
    ({ amount, at }) => `Tu depósito de ${amount} ha llegado. Se sumó a tu saldo el ${at}.`,
  ],
  'deposit.rejected': [
    'Depósito rechazado',
    ({ amount, at, reason }) =>
      `Tu depósito de ${amount} se rechazó el ${at}.${because('El motivo', reason)}`,
  ],
  'deposit.expired': [
    'Depósito caducado',
    ({ amount, at }) =>
      `Tu solicitud de depositar ${amount} caducó el ${at}, porque no había llegado nada.`,
  ],
  'deposit.reversed': [
    'Depósito anulado por su red',
    ({ amount, at }) =>
      `La red anuló el pago de tu depósito de ${amount} después de que se abonara. Lo vimos el ${at}. El importe se toma de tu saldo, ahora o cuando alcance, y las retiradas esperan hasta entonces. Si las monedas vuelven, se abonan de nuevo.`,
  ],
  'deposit.collected': [
    'Tomado de tu saldo',
    ({ amount, at }) =>
      `El ${at} se tomaron ${amount} de tu saldo por un depósito que su red anuló.`,
  ],
  'deposit.writtenOff': [
    'Ya no debes nada',
    ({ amount, at }) =>
      `El ${at} el fondo renunció a lo que aún debías por tu depósito de ${amount}, que su red anuló. Ya no debes nada por él.`,
  ],
  'withdrawal.asked': [
    'Retirada solicitada',
    ({ amount, at }) =>
      `Se pidió una retirada de ${amount} el ${at}. El importe queda retenido hasta que se decida.`,
  ],
  'withdrawal.approved': [
    'Retirada aprobada',
    ({ amount, at }) =>
      `Tu retirada de ${amount} se aprobó el ${at}. Ahora se enviará a tu dirección.`,
  ],
  'withdrawal.rejected': [
    'Retirada rechazada',
    ({ amount, at, reason }) =>
      `Tu retirada de ${amount} se rechazó el ${at} y el importe vuelve a estar en tu saldo.${because('El motivo', reason)}`,
  ],
  'withdrawal.sent': [
    'Retirada enviada',
    ({ amount, at }) => `Tu retirada de ${amount} se envió a tu dirección el ${at}.`,
  ],
  'withdrawal.completed': [
    'Retirada completada',
    ({ amount, at }) => `Tu retirada de ${amount} se completó el ${at}.`,
  ],
  'withdrawal.returned': [
    'Retirada devuelta',
    ({ amount, at, reason }) =>
      `Tu retirada de ${amount} no se pagó. El ${at} el importe volvió a tu saldo.${because('El motivo', reason)}`,
  ],
  'investment.opened': [
    'Inversión abierta',
    ({ amount, interest, at }) =>
      `Invertiste ${amount} el ${at}. Al vencer paga ${interest} de intereses.`,
  ],
  'investment.matured': [
    'Inversión vencida',
    ({ amount, interest, at }) =>
      `Tu inversión venció el ${at} y pagó ${amount}, de los que ${interest} son intereses.`,
  ],
  'loss.borne': [
    'Tu parte de una pérdida',
    ({ amount, at }) =>
      `Se perdió un préstamo. El ${at} todo el principal invertido asumió la misma proporción, y se tomaron ${amount} de tus inversiones. Sus intereses siguen como se prometieron. Lo que se recupere del préstamo va primero a quienes asumieron la pérdida.`,
  ],
  'loss.returned': [
    'Se recuperó parte de una pérdida',
    ({ amount, at }) =>
      `Se recuperó dinero de un préstamo cuya pérdida asumiste en parte. El ${at} se sumó a tu saldo tu parte: ${amount}.`,
  ],
}

type Around = {
  readonly kinds: Kinds
  readonly balance: (facts: MailFacts) => string
  readonly object: (facts: MailFacts) => string
  readonly chosen: string
}

const around: Readonly<Record<Language, Around>> = {
  en: {
    kinds: english,
    balance: ({ balance }) => `Your available balance right after that was ${balance}.`,
    object: ({ product, support }) =>
      `If this is wrong, or it was not you, write to ${support} at once and name your account at ${product}.`,
    chosen: 'You choose which of these emails you get on the security page of your account.',
  },
  es: {
    kinds: spanish,
    balance: ({ balance }) => `Tu saldo disponible justo después era de ${balance}.`,
    object: ({ product, support }) =>
      `Si hay un error, o no has sido tú, escribe enseguida a ${support} e indica tu cuenta de ${product}.`,
    chosen: 'En la página de seguridad de tu cuenta eliges cuáles de estos correos recibes.',
  },
}

const written =
  (language: Language) =>
  (facts: MailFacts): WrittenMail => {
    const { kinds, balance, object, chosen } = around[language]
    if (facts.kind === undefined) throw new Error('its kind is missing')
    const [subject, sentence] = kinds[facts.kind]
    return { subject, paragraphs: [sentence(facts), balance(facts), object(facts), chosen] }
  }

/** Writes a mail about money. */
export const moneyWords: Readonly<Record<Language, (facts: MailFacts) => WrittenMail>> = {
  en: written('en'),
  es: written('es'),
}
