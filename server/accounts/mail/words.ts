/** The words of every mail, per language. A subject has at most 60 characters. */
import type { MailTemplate } from '@pool/contract/accounts/mails'
import type { Language } from '@pool/contract/base/languages'
import type { FactorChange, MailFacts, WrittenMail } from './facts.ts'
import { keyWords } from './keyWords.ts'
import { moneyWords } from './moneyWords.ts'
import { morningWords } from './morningWords.ts'
import { walletWords } from './walletWords.ts'
import { windDownWords } from './windDownWords.ts'

type Words = {
  readonly greeting: (name: string | undefined) => string
  readonly footer: (facts: MailFacts) => string
  readonly factors: Readonly<Record<FactorChange, string>>
  readonly device: (browser: string | undefined, system: string | undefined) => string
  /** The code of a link, as some mail gateways drop all of a link from `#` on. */
  readonly code: (code: string) => string
  /** The button that freezes. Nothing in a mail without such a link. */
  readonly freezing: (
    facts: Pick<MailFacts, 'link' | 'until'>,
  ) => Pick<WrittenMail, 'action' | 'after'>
  readonly mails: Readonly<Record<MailTemplate, (facts: MailFacts) => WrittenMail>>
}

const english: Words = {
  greeting: (name) => (name === undefined ? 'Hello,' : `Hello ${name},`),
  footer: ({ product, support }) =>
    `${product} sent this email about your account. Questions: ${support}`,
  factors: {
    totpAdded: 'An authenticator app was added',
    passkeyAdded: 'A passkey was added',
    renamed: 'A second factor was renamed',
    removed: 'A second factor was removed',
    codesRenewed: 'New recovery codes were made, and the old ones no longer work',
    codeUsed: 'A recovery code was used in place of a second factor',
    reset: 'All second factors and recovery codes were removed',
    resetAsked: 'A super admin asked to remove all second factors',
    resetApproved: 'The removal of all second factors was approved',
    resetStopped: 'The removal of all second factors was stopped',
  },
  device: (browser, system) =>
    browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'an unknown device'),
  code: (code) => `Code, if the page asks for one: ${code}`,
  freezing: ({ link, until }) =>
    link === ''
      ? {}
      : {
          action: { label: 'Freeze my account', url: link },
          after: [`The link works once, until ${until}.`],
        },
  mails: {
    passwordReset: ({ product, link, until }) => ({
      subject: 'Choose a new password',
      paragraphs: [`You can now choose a new password for your account at ${product}.`],
      action: { label: 'Choose a new password', url: link },
      after: [
        `The link works once, until ${until}.`,
        'If you did not ask for it, you need not do anything. Your password stays as it is.',
      ],
    }),
    invite: ({ product, link, until }) => ({
      subject: 'You are invited',
      paragraphs: [
        `You are invited to join the staff of ${product}. Choose a password to open your account.`,
      ],
      action: { label: 'Open my account', url: link },
      after: [
        `The link works once, until ${until}.`,
        'If you do not expect an invite, you need not do anything. No account is opened.',
      ],
    }),
    passwordChanged: ({ product, at, restsUntil, support, ...freezing }) => ({
      subject: 'Your password was changed',
      paragraphs: [
        `The password of your account at ${product} was changed on ${at}. Every other device was signed out.`,
        ...(restsUntil === undefined
          ? []
          : [`To keep your money safe, withdrawals can be requested again from ${restsUntil}.`]),
        'If this was not you, freeze your account at once. Then choose a new password.',
        `Questions: write to ${support}.`,
      ],
      ...english.freezing(freezing),
    }),
    factorsChanged: ({ product, at, change, support, ...freezing }) => ({
      subject: 'Your second factors were changed or used',
      paragraphs: [
        `${change ? english.factors[change] : ''} in your account at ${product} on ${at}.`,
        'If this was not you, freeze your account at once. Then choose a new password.',
        `Questions: write to ${support}.`,
      ],
      ...english.freezing(freezing),
    }),
    factorReset: ({ product, at, change, restsUntil, support, ...freezing }) => ({
      subject: 'A reset of your second factors',
      paragraphs: [
        `${change ? english.factors[change] : ''} in your account at ${product} on ${at}.`,
        ...(restsUntil === undefined
          ? []
          : [
              `From ${restsUntil} on, your password alone signs in, and withdrawals are on hold for 24 hours.`,
            ]),
        change === 'resetStopped'
          ? 'Your second factors stay as they are.'
          : 'If you lost them and asked for this, you need not do anything. If not, stop it: freeze your account, or sign in with a second factor or a recovery code.',
        `Questions: write to ${support}.`,
      ],
      ...english.freezing(freezing),
    }),
    factorRefused: ({ product, at, ip, support, ...freezing }) => ({
      subject: 'Your password was used without your second factor',
      paragraphs: [
        `Somebody entered the password of your account at ${product} on ${at}, but not your second factor. The IP address was ${ip}. Nobody was signed in.`,
        'If this was you, you need not do anything.',
        'If it was not you, your password is known to somebody else. Freeze your account at once, and choose a new password.',
        `Questions: write to ${support}.`,
      ],
      ...english.freezing(freezing),
    }),
    newDevice: ({ product, at, device, ip, link, until }) => ({
      subject: 'A sign-in from a new device',
      paragraphs: [
        `Somebody signed in to your account at ${product} on ${at}, from a device that was not used with it before: ${device}, IP address ${ip}.`,
        'If this was you, you need not do anything.',
        'If it was not you, freeze your account at once. Every device is signed out. No money can be withdrawn until you lift the freeze.',
      ],
      ...english.freezing({ link, until }),
    }),
    emailConfirm: ({ product, link, until }) => ({
      subject: 'Confirm your email address',
      paragraphs: [
        `An account at ${product} was opened with this email address. Please confirm that it is yours.`,
      ],
      action: { label: 'Confirm my email address', url: link },
      after: [
        `The link works once, until ${until}.`,
        'If you did not open an account, you need not do anything.',
      ],
    }),
    emailChange: ({ product, link, until }) => ({
      subject: 'Confirm your new email address',
      paragraphs: [
        `Your account at ${product} gets this email address once you confirm it. Until then it keeps the old one.`,
        'Every device is signed out then. You sign in with the new address, and withdrawals are on hold for 24 hours.',
      ],
      action: { label: 'Confirm my new email address', url: link },
      after: [
        `The link works once, until ${until}.`,
        'If you did not ask for it, you need not do anything.',
      ],
    }),
    emailTaken: ({ product }) => ({
      subject: 'This email address has an account already',
      paragraphs: [
        `Somebody asked to use this email address for another account at ${product}. It belongs to your account, so nothing was changed.`,
        'If this was you, choose another address for the other account. If it was not you, you need not do anything.',
      ],
    }),
    emailChangeAsked: ({ product, at, email, link, until }) => ({
      subject: 'A change of your email address was asked for',
      paragraphs: [
        `A change of the email address of your account at ${product} to ${email} was asked for on ${at}. The address changes once it is confirmed there.`,
        'If this was you, you need not do anything.',
        'If it was not you, freeze your account at once. Every device is signed out, and the address stays as it is. Then choose a new password.',
      ],
      ...english.freezing({ link, until }),
    }),
    emailChanged: ({ product, at, email, restsUntil, link, until }) => ({
      subject: 'Your email address was changed',
      paragraphs: [
        `The email address of your account at ${product} was changed to ${email} on ${at}. Every device was signed out.`,
        ...(restsUntil === undefined
          ? []
          : [`To keep your money safe, withdrawals can be requested again from ${restsUntil}.`]),
        'If this was not you, freeze your account at once. It gets this address back, and no money can be withdrawn until you lift the freeze.',
      ],
      ...english.freezing({ link, until }),
    }),
    accountClosed: ({ product, at, support }) => ({
      subject: 'Your account is closed',
      paragraphs: [
        `Your account at ${product} was closed on ${at}. No money was left in it.`,
        'Your name, email address, password, second factors and payout addresses were removed. Records of money and of the security of the account stay, as the books need them.',
        'Please send no more coins to your old deposit addresses.',
        `If this was not you, write to ${support} at once.`,
      ],
    }),
    accountFrozen: ({ product, at, support }) => ({
      subject: 'Your account is frozen',
      paragraphs: [
        `Your account at ${product} was frozen on ${at} by a link that we had emailed to you. Every device was signed out. Nobody can move money or change the account until you lift the freeze.`,
        'To lift the freeze, sign in with your second factor. If you have none, choose a new password: open the sign-in page and press "Forgot your password?".',
        `Questions about your money: write to ${support}.`,
      ],
    }),
    lossAnnounced: ({ product, amount, restsUntil }) => ({
      subject: 'A loss will be shared',
      paragraphs: [
        `A loan of ${product} was lost, and ${amount} of it was investors’ principal. Two people decided that all investments bear it.`,
        `From ${restsUntil ?? ''} on, the principal that is invested then bears the same share of it. What matures before is paid whole. Promised interest and your balance are not touched, and investing and withdrawals stay paused until then.`,
        'The operator can still bear the loss instead. Then nothing is taken, and the pauses end.',
        'What comes back of the loan later goes first to those who bore the loss.',
      ],
    }),
    ...walletWords.en,
    ...keyWords.en,
    ...windDownWords.en,
    moneyNotice: (facts) => moneyWords.en(facts),
    morning: (facts) => morningWords.en(facts),
  },
}

const spanish: Words = {
  greeting: (name) => (name === undefined ? 'Hola:' : `Hola, ${name}:`),
  footer: ({ product, support }) =>
    `${product} envía este correo por tu cuenta. Preguntas: ${support}`,
  factors: {
    totpAdded: 'Se añadió una aplicación de autenticación',
    passkeyAdded: 'Se añadió una llave de acceso',
    renamed: 'Se cambió el nombre de un segundo factor',
    removed: 'Se eliminó un segundo factor',
    codesRenewed: 'Se crearon códigos de recuperación nuevos y los anteriores ya no funcionan',
    codeUsed: 'Se usó un código de recuperación en lugar de un segundo factor',
    reset: 'Se eliminaron todos los segundos factores y los códigos de recuperación',
    resetAsked: 'Un superadministrador pidió eliminar todos los segundos factores',
    resetApproved: 'Se aprobó eliminar todos los segundos factores',
    resetStopped: 'Se detuvo la eliminación de todos los segundos factores',
  },
  device: (browser, system) =>
    browser && system
      ? `${browser} en ${system}`
      : (browser ?? system ?? 'un dispositivo desconocido'),
  code: (code) => `Código, si la página lo pide: ${code}`,
  freezing: ({ link, until }) =>
    link === ''
      ? {}
      : {
          action: { label: 'Congelar mi cuenta', url: link },
          after: [`El enlace funciona una vez, hasta el ${until}.`],
        },
  mails: {
    passwordReset: ({ product, link, until }) => ({
      subject: 'Elige una contraseña nueva',
      paragraphs: [`Ya puedes elegir una contraseña nueva para tu cuenta de ${product}.`],
      action: { label: 'Elegir una contraseña nueva', url: link },
      after: [
        `El enlace funciona una vez, hasta el ${until}.`,
        'Si no lo has pedido tú, no tienes que hacer nada. Tu contraseña sigue siendo la misma.',
      ],
    }),
    invite: ({ product, link, until }) => ({
      subject: 'Tienes una invitación',
      paragraphs: [
        `Te invitan a formar parte del personal de ${product}. Elige una contraseña para abrir tu cuenta.`,
      ],
      action: { label: 'Abrir mi cuenta', url: link },
      after: [
        `El enlace funciona una vez, hasta el ${until}.`,
        'Si no esperas una invitación, no tienes que hacer nada. No se abre ninguna cuenta.',
      ],
    }),
    passwordChanged: ({ product, at, restsUntil, support, ...freezing }) => ({
      subject: 'Tu contraseña ha cambiado',
      paragraphs: [
        `La contraseña de tu cuenta de ${product} se cambió el ${at}. Se cerró la sesión en los demás dispositivos.`,
        ...(restsUntil === undefined
          ? []
          : [`Para proteger tu dinero, podrás volver a pedir retiradas desde el ${restsUntil}.`]),
        'Si no has sido tú, congela tu cuenta enseguida. Después, elige una contraseña nueva.',
        `Si tienes preguntas, escribe a ${support}.`,
      ],
      ...spanish.freezing(freezing),
    }),
    factorsChanged: ({ product, at, change, support, ...freezing }) => ({
      subject: 'Tus segundos factores se han cambiado o usado',
      paragraphs: [
        `${change ? spanish.factors[change] : ''} en tu cuenta de ${product} el ${at}.`,
        'Si no has sido tú, congela tu cuenta enseguida. Después, elige una contraseña nueva.',
        `Si tienes preguntas, escribe a ${support}.`,
      ],
      ...spanish.freezing(freezing),
    }),
    factorReset: ({ product, at, change, restsUntil, support, ...freezing }) => ({
      subject: 'Eliminación de tus segundos factores',
      paragraphs: [
        `${change ? spanish.factors[change] : ''} en tu cuenta de ${product} el ${at}.`,
        ...(restsUntil === undefined
          ? []
          : [
              `Desde el ${restsUntil} bastará tu contraseña para iniciar sesión, y las retiradas quedarán en pausa 24 horas.`,
            ]),
        change === 'resetStopped'
          ? 'Tus segundos factores se quedan como están.'
          : 'Si los has perdido y lo has pedido, no tienes que hacer nada. Si no, detenlo: congela tu cuenta, o inicia sesión con un segundo factor o un código de recuperación.',
        `Si tienes preguntas, escribe a ${support}.`,
      ],
      ...spanish.freezing(freezing),
    }),
    factorRefused: ({ product, at, ip, support, ...freezing }) => ({
      subject: 'Se usó tu contraseña sin tu segundo factor',
      paragraphs: [
        `El ${at} alguien escribió la contraseña de tu cuenta de ${product}, pero no tu segundo factor. La dirección IP era ${ip}. No se inició ninguna sesión.`,
        'Si has sido tú, no tienes que hacer nada.',
        'Si no has sido tú, otra persona conoce tu contraseña. Congela tu cuenta enseguida y elige una contraseña nueva.',
        `Si tienes preguntas, escribe a ${support}.`,
      ],
      ...spanish.freezing(freezing),
    }),
    newDevice: ({ product, at, device, ip, link, until }) => ({
      subject: 'Inicio de sesión desde un dispositivo nuevo',
      paragraphs: [
        `Alguien inició sesión en tu cuenta de ${product} el ${at}, desde un dispositivo que no se había usado antes con ella: ${device}, dirección IP ${ip}.`,
        'Si has sido tú, no tienes que hacer nada.',
        'Si no has sido tú, congela tu cuenta enseguida. Se cierra la sesión en todos los dispositivos. No se puede retirar dinero hasta que la descongeles.',
      ],
      ...spanish.freezing({ link, until }),
    }),
    emailConfirm: ({ product, link, until }) => ({
      subject: 'Confirma tu correo electrónico',
      paragraphs: [
        `Se ha abierto una cuenta en ${product} con este correo electrónico. Confirma que es tuyo.`,
      ],
      action: { label: 'Confirmar mi correo electrónico', url: link },
      after: [
        `El enlace funciona una vez, hasta el ${until}.`,
        'Si no has abierto ninguna cuenta, no tienes que hacer nada.',
      ],
    }),
    emailChange: ({ product, link, until }) => ({
      subject: 'Confirma tu nuevo correo electrónico',
      paragraphs: [
        `Tu cuenta de ${product} tendrá este correo electrónico cuando lo confirmes. Hasta entonces conserva el anterior.`,
        'Entonces se cierra la sesión en todos los dispositivos. Inicias sesión con el correo nuevo y las retiradas quedan bloqueadas 24 horas.',
      ],
      action: { label: 'Confirmar mi nuevo correo', url: link },
      after: [
        `El enlace funciona una vez, hasta el ${until}.`,
        'Si no lo has pedido tú, no tienes que hacer nada.',
      ],
    }),
    emailTaken: ({ product }) => ({
      subject: 'Este correo electrónico ya tiene una cuenta',
      paragraphs: [
        `Alguien ha pedido usar este correo electrónico para otra cuenta de ${product}. Es el de tu cuenta, así que no ha cambiado nada.`,
        'Si has sido tú, elige otro correo para la otra cuenta. Si no has sido tú, no tienes que hacer nada.',
      ],
    }),
    emailChangeAsked: ({ product, at, email, link, until }) => ({
      subject: 'Se ha pedido cambiar tu correo electrónico',
      paragraphs: [
        `El ${at} se pidió cambiar el correo electrónico de tu cuenta de ${product} a ${email}. Cambiará cuando se confirme allí.`,
        'Si has sido tú, no tienes que hacer nada.',
        'Si no has sido tú, congela tu cuenta enseguida. Se cierra la sesión en todos los dispositivos y el correo se queda como está. Después, elige una contraseña nueva.',
      ],
      ...spanish.freezing({ link, until }),
    }),
    emailChanged: ({ product, at, email, restsUntil, link, until }) => ({
      subject: 'Tu correo electrónico ha cambiado',
      paragraphs: [
        `El correo electrónico de tu cuenta de ${product} se cambió a ${email} el ${at}. Se cerró la sesión en todos los dispositivos.`,
        ...(restsUntil === undefined
          ? []
          : [`Para proteger tu dinero, podrás volver a pedir retiradas desde el ${restsUntil}.`]),
        'Si no has sido tú, congela tu cuenta enseguida. Recuperará este correo y no se podrá retirar dinero hasta que la descongeles.',
      ],
      ...spanish.freezing({ link, until }),
    }),
    accountClosed: ({ product, at, support }) => ({
      subject: 'Tu cuenta está cerrada',
      paragraphs: [
        `Tu cuenta en ${product} se cerró el ${at}. No quedaba dinero en ella.`,
        'Se han borrado tu nombre, correo electrónico, contraseña, segundos factores y direcciones de cobro. Los registros del dinero y de la seguridad de la cuenta se conservan, porque la contabilidad los necesita.',
        'No envíes más monedas a tus antiguas direcciones de depósito.',
        `Si no has sido tú, escribe a ${support} cuanto antes.`,
      ],
    }),
    accountFrozen: ({ product, at, support }) => ({
      subject: 'Tu cuenta está congelada',
      paragraphs: [
        `Tu cuenta de ${product} se congeló el ${at} con un enlace que te habíamos enviado. Se cerró la sesión en todos los dispositivos. Nadie puede mover dinero ni cambiar la cuenta hasta que la descongeles.`,
        'Para descongelarla, inicia sesión con tu segundo factor. Si no lo tienes, elige una contraseña nueva: abre la página de inicio de sesión y pulsa "¿Has olvidado tu contraseña?".',
        `Si tienes preguntas sobre tu dinero, escribe a ${support}.`,
      ],
    }),
    lossAnnounced: ({ product, amount, restsUntil }) => ({
      subject: 'Se repartirá una pérdida',
      paragraphs: [
        `Se perdió un préstamo de ${product}, y ${amount} de él eran principal de los inversores. Dos personas decidieron que la asuman todas las inversiones.`,
        `Desde el ${restsUntil ?? ''}, el principal que esté invertido en ese momento asume la misma proporción. Lo que venza antes se paga entero. Los intereses prometidos y tu saldo no se tocan, y las inversiones y las retiradas siguen en pausa hasta entonces.`,
        'El operador aún puede asumir la pérdida en su lugar. Entonces no se toma nada y las pausas terminan.',
        'Lo que se recupere después del préstamo va primero a quienes asumieron la pérdida.',
      ],
    }),
    ...walletWords.es,
    ...keyWords.es,
    ...windDownWords.es,
    moneyNotice: (facts) => moneyWords.es(facts),
    morning: (facts) => morningWords.es(facts),
  },
}

export const words: Readonly<Record<Language, Words>> = { en: english, es: spanish }
