/** The words of mails about read-only keys, per language. */
import type { Language } from '@pool/contract/base/languages'
import type { MailFacts, WrittenMail } from './facts.ts'

type Words = Readonly<
  Record<'readingKeyMade' | 'readingKeysEnded', (facts: MailFacts) => WrittenMail>
>

export const keyWords: Readonly<Record<Language, Words>> = {
  en: {
    readingKeyMade: ({ product, at, days, link, until }) => ({
      subject: 'A read-only key was made',
      paragraphs: [
        `A read-only key was made in your account at ${product} on ${at}. With it, a program reads your balance, transactions, investments and statements for ${days === 1 ? '1 day' : `${days} days`}. It moves no money.`,
        'If this was you, you need not do anything. You can revoke the key on the security page.',
        'If it was not you, freeze your account at once. The key ends with that, and every device is signed out.',
      ],
      action: { label: 'Freeze my account', url: link },
      after: [`The link works once, until ${until}.`],
    }),
    readingKeysEnded: ({ product, at, keys, support }) => ({
      subject: 'Your read-only keys were revoked',
      paragraphs: [
        `${keys === 1 ? '1 read-only key was' : `${keys} read-only keys were`} revoked in your account at ${product} on ${at}. Programs that used one read nothing from now on.`,
        'If you still need a program, make a new key on the security page.',
        `Questions: write to ${support}.`,
      ],
    }),
  },
  es: {
    readingKeyMade: ({ product, at, days, link, until }) => ({
      subject: 'Se ha creado una clave de solo lectura',
      paragraphs: [
        `Se creó una clave de solo lectura en tu cuenta de ${product} el ${at}. Con ella, un programa lee tu saldo, tus movimientos, tus inversiones y tus extractos durante ${days === 1 ? '1 día' : `${days} días`}. No mueve dinero.`,
        'Si fuiste tú, no tienes que hacer nada. Puedes anular la clave en la página de seguridad.',
        'Si no fuiste tú, congela tu cuenta enseguida. Con eso la clave deja de valer y se cierra la sesión en todos los dispositivos.',
      ],
      action: { label: 'Congelar mi cuenta', url: link },
      after: [`El enlace funciona una vez, hasta el ${until}.`],
    }),
    readingKeysEnded: ({ product, at, keys, support }) => ({
      subject: 'Tus claves de solo lectura ya no valen',
      paragraphs: [
        `${keys === 1 ? 'Se anuló 1 clave de solo lectura' : `Se anularon ${keys} claves de solo lectura`} en tu cuenta de ${product} el ${at}. Los programas que las usaban ya no leen nada.`,
        'Si aún necesitas un programa, crea una clave nueva en la página de seguridad.',
        `Preguntas: escribe a ${support}.`,
      ],
    }),
  },
}
