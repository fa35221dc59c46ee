/** The words of mails about deposit addresses, per language. */
import type { Language } from '@pool/contract/base/languages'
import type { MailFacts, WrittenMail } from './facts.ts'

type Words = Readonly<
  Record<'depositAddressChanged' | 'proposalRests', (facts: MailFacts) => WrittenMail>
>

export const walletWords: Readonly<Record<Language, Words>> = {
  en: {
    depositAddressChanged: ({ product, at, address, archived, link, until }) => ({
      subject: 'Your deposit address was changed',
      paragraphs: [
        archived
          ? `Staff of ${product} archived your deposit address ${address} on ${at}. Your next deposit shows another one. Please send no more coins to the old one.`
          : `Staff of ${product} restored your deposit address ${address} on ${at}. Deposits show it again.`,
        'If you are in doubt, write to us before you send coins. If somebody else may use your account, freeze it at once. Every device is signed out, and no money can be withdrawn until you lift the freeze.',
      ],
      action: { label: 'Freeze my account', url: link },
      after: [`The link works once, until ${until}.`],
    }),
    proposalRests: ({ product, at, asked, email, restsUntil, support }) => ({
      subject: 'A change of the pool takes effect in 24 hours',
      paragraphs: [
        `${email} asked for this at ${product} on ${at}: ${asked}.`,
        `No other member of staff can approve it. So it takes effect from ${restsUntil}, unless a member of staff turns it down on the page of wallets before.`,
        `If nobody asked for it, turn it down, change your password and write to ${support}.`,
      ],
    }),
  },
  es: {
    depositAddressChanged: ({ product, at, address, archived, link, until }) => ({
      subject: 'Tu dirección de depósito ha cambiado',
      paragraphs: [
        archived
          ? `El personal de ${product} archivó tu dirección de depósito ${address} el ${at}. Tu próximo depósito mostrará otra. No envíes más monedas a la anterior.`
          : `El personal de ${product} restauró tu dirección de depósito ${address} el ${at}. Los depósitos vuelven a mostrarla.`,
        'Si tienes dudas, escríbenos antes de enviar monedas. Si otra persona puede estar usando tu cuenta, congélala enseguida. Se cierra la sesión en todos los dispositivos y no se podrá retirar dinero hasta que la descongeles.',
      ],
      action: { label: 'Congelar mi cuenta', url: link },
      after: [`El enlace funciona una vez, hasta el ${until}.`],
    }),
    proposalRests: ({ product, at, asked, email, restsUntil, support }) => ({
      subject: 'Un cambio del fondo tendrá efecto dentro de 24 horas',
      paragraphs: [
        `${email} pidió esto en ${product} el ${at}: ${asked}.`,
        `Nadie más del personal puede aprobarlo. Por eso tendrá efecto desde el ${restsUntil}, salvo que alguien del personal lo rechace antes en la página de carteras.`,
        `Si nadie lo ha pedido, recházalo, cambia tu contraseña y escribe a ${support}.`,
      ],
    }),
  },
}
