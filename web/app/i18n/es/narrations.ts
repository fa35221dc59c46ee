/** The server's sentences in Spanish: refusals by their code, and success. */

import { MOST_FACTORS } from '@pool/contract/accounts/factors'
import {
  formatDollars,
  OPEN_DEPOSITS_LIMIT,
  OPEN_WITHDRAWALS_LIMIT,
} from '@pool/contract/base/money'
import { sentenceOfBadAddresses } from '@pool/contract/base/refusalSentences'
import type { RefusalTexts } from '@pool/contract/base/refusals'
import { dateFromTimestamp } from '@pool/contract/base/timestamp'
import type { FeeShared } from '@pool/contract/chain/feeRefusals'
import { BREAK_REASON, LOSS_REASON, WIND_DOWN_REASON } from '@pool/contract/money/pauses'
import { dateFormat } from '../format.ts'
import { statusName } from '../named.ts'
import { loanRefusals } from './loanRefusals.ts'
import {
  aboveMost,
  addressesKnown,
  addressUnowned,
  ambiguousAddress,
  badAddresses,
  belowLeast,
  earnsNothing,
  exceedsBalance,
  invalidAddress,
  isPaused,
  messageForStatus,
  newPayoutAddress,
  noPayoutAddress,
  notReady,
  planIsClosed,
  planNearlyFull,
  poolWallet,
  succeeded,
  unpayableDestination,
} from './messages.ts'
import * as validation from './validation.ts'

const feeShared = ({ fee, borne, share }: FeeShared): string =>
  `La comisión de la red es ahora de unos ${formatDollars(fee)}. El fondo paga ${formatDollars(borne)} y tú pagas ${formatDollars(share)}`

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

const rules = { ...validation }

export const refusals: RefusalTexts = {
  ...loanRefusals,
  validation: ({ rule }) => (rule === undefined ? undefined : rules[rule]),
  invalidAddress: ({ network }) => invalidAddress(network),
  ambiguousAddress: ({ networks }) => ambiguousAddress(networks.join(', ')),
  unpayableDestination: () => unpayableDestination,
  noPayoutAddress: () => noPayoutAddress,
  addressUnowned: () => addressUnowned,
  poolWallet: () => poolWallet,
  malformedJson: 'La solicitud no es JSON válido. Revisa los datos introducidos.',
  unsupportedMediaType: 'Las solicitudes deben enviarse como application/json.',
  bodyTooLarge: 'La solicitud es demasiado grande.',
  headersTooLarge: 'La URL o las cabeceras de la solicitud son demasiado largas.',
  requestTimeout: 'La solicitud ha tardado demasiado en llegar.',
  notHttp: 'La solicitud no es HTTP válido.',
  httpsRequired: 'A este servicio solo se accede por https. Usa su dirección https.',
  routeNotFound: messageForStatus(404),
  tooManyRequests: 'Demasiados intentos. Espera un minuto e inténtalo de nuevo.',
  tooManyMoneyCalls: ({ seconds }) =>
    `Han llegado muchas solicitudes de dinero en poco tiempo. No se ha registrado nada; inténtalo de nuevo en ${seconds} s.`,
  tooManyReadingCalls: ({ seconds }) =>
    `Esta clave lee muy a menudo. Inténtalo de nuevo en ${seconds} s.`,
  readingKeyOnly:
    'Una clave de lectura lee las transacciones, las inversiones, el saldo y los extractos propios, y no hace nada más.',
  readingKeyNotFound: 'Esta clave ya no vale.',
  tooManyReadingKeys: 'Ya tienes diez claves. Anula una primero.',
  tooManySignIns: ({ minutes }) =>
    `Demasiados intentos. Inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyRegistrations: ({ minutes }) =>
    `Se han pedido muchas cuentas por tu conexión a internet. No se ha registrado nada; inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyResets: ({ minutes }) =>
    `Ya se han pedido varios correos. Búscalos en tu buzón o inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyEmailLinks: ({ minutes }) =>
    `Ya se han pedido varios correos. Búscalos en tu buzón o inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyExports: ({ minutes }) =>
    `Ya se han pedido tus datos varias veces. Usa el archivo que tienes o inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyStatements: ({ minutes }) =>
    `Has pedido muchos extractos. Inténtalo de nuevo dentro de ${minutes} min.`,
  statementArchived:
    'Los movimientos de ese tiempo están en el archivo del operador. Elige un mes o un año posterior.',
  statementNotFound: 'No hay extracto de ese tiempo. Elige otro mes u otro año.',
  windingDown: 'El fondo se liquida. No se acepta ni se presta dinero nuevo.',
  notWindingDown: 'El fondo no se liquida.',
  windDownNeedsTwo:
    'Esto requiere dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  windDownGoesOn: 'Ya ha salido capital del operador, así que la liquidación sigue.',
  capitalLeavesLast: ({ owed }) =>
    `El capital del operador sale al final. Antes hay que pagar o resolver ${formatDollars(owed)}.`,
  repaymentsChanged:
    'Se registraron o anularon pagos de préstamos después de que miraste. Míralos otra vez y pídelo de nuevo.',
  internal: messageForStatus(500),
  unavailable: messageForStatus(503),
  busy: 'El servicio está muy ocupado. No se ha registrado nada; inténtalo de nuevo en un momento.',
  outcomeUnknown:
    'Se perdió la conexión mientras se registraba tu solicitud. Consulta tus transacciones antes de intentarlo de nuevo.',
  notReady: ({ why }) => notReady[why],
  paused: ({ name, reason }) =>
    isPaused[name](
      reason === BREAK_REASON
        ? 'Una comprobación encontró que las monedas de una red no coinciden con nuestros libros. Las retiradas esperan hasta que alguien lo revise.'
        : reason === LOSS_REASON
          ? 'Se perdió un préstamo y aún no se ha decidido quién asume la pérdida. Las inversiones y las retiradas esperan hasta entonces.'
          : reason === WIND_DOWN_REASON
            ? 'El fondo se liquida. No se acepta dinero nuevo. Las inversiones vencen como se prometió y todo saldo se puede retirar, hasta el último centavo.'
            : reason,
    ),
  unauthenticated: messageForStatus(401),
  invalidCredentials: 'Correo electrónico o contraseña incorrectos.',
  wrongPassword: 'La contraseña actual no es correcta.',
  factorRequired: () => 'Confirma con tu segundo factor que eres tú.',
  factorNeeded: () => 'Confirma con tu segundo factor que eres tú.',
  factorWrong: 'Este código no es correcto o ya se ha usado.',
  enrolmentEnded: 'El tiempo para añadir esta aplicación ha terminado. Empieza de nuevo.',
  passkeyRefused: 'No se ha aceptado esta llave de acceso. Inténtalo de nuevo o usa otro modo.',
  tooManyGuesses: ({ minutes }) =>
    `Se han probado demasiados códigos. Usa un código de recuperación o una llave de acceso, o inténtalo de nuevo dentro de ${minutes} min.`,
  enrolFactor: 'Añade antes un segundo factor a tu cuenta.',
  lastFactor: 'Es tu único segundo factor y el personal necesita uno. Añade antes otro.',
  factorNotFound: 'Segundo factor no encontrado.',
  passkeyKnown: 'Esta llave de acceso ya se ha añadido.',
  tooManyFactors: `Ya tienes ${MOST_FACTORS} segundos factores. Elimina antes uno.`,
  freezeLinkInvalid:
    'Este enlace ya se ha usado o tiene más de 7 días. Elige una contraseña nueva, que cierra la sesión en todos los dispositivos.',
  accountFrozen:
    'Tu cuenta está congelada. Para descongelarla, inicia sesión con tu segundo factor. Si no lo tienes, elige una contraseña nueva: "¿Has olvidado tu contraseña?" en la página de inicio de sesión.',
  accountClosed: 'Esta cuenta está cerrada.',
  staffCannotClose:
    'El personal no puede cerrar su cuenta. Pide primero que se revoquen tus roles de personal.',
  accountNotEmpty:
    'Hay dinero en tu cuenta. Retíralo primero y espera a que venzan tus inversiones.',
  depositArrived:
    'Las monedas de este depósito ya están aquí, así que no se puede cancelar. Espera a que se comprueben.',
  requestsOpen:
    'Hay un depósito o una retirada en camino. Espera a que se complete o cancélalo donde puedas.',
  emailLinkInvalid:
    'Este enlace ya se ha usado, se ha sustituido por otro más nuevo o tiene más de 24 horas. Pide uno nuevo en la página Seguridad.',
  emailTakenMeanwhile:
    'Entre tanto, otra cuenta tiene este correo electrónico. Tu cuenta conserva el anterior.',
  emailConfirmed: 'Tu correo electrónico ya está confirmado.',
  emailUnchanged: 'Este ya es tu correo electrónico.',
  emailUnconfirmed:
    'Confirma tu correo electrónico antes de retirar dinero. Abre el enlace de nuestro correo o pide uno nuevo en la página Seguridad.',
  sessionNotFound: 'Esta sesión ya se ha cerrado.',
  ownerFrozen:
    'El titular de esta cuenta la ha congelado porque quizá entró otra persona. La retirada se puede aprobar cuando la descongele, o rechazar ahora.',
  samePerson:
    'Contáis como una sola persona: una de las dos dio acceso a la otra en solitario hace menos de 24 horas. Debe aprobarlo otra persona del personal, o hay que esperar hasta entonces.',
  ownerSuspended:
    'El titular de esta cuenta está suspendido. La retirada se puede aprobar cuando la cuenta se reactive, o rechazar ahora.',
  ownerOwes:
    'La red anuló un depósito de esta cuenta o lo está confirmando de nuevo. La retirada se puede aprobar cuando se resuelva, o rechazar ahora.',
  resetLinkInvalid: 'Este enlace ya se ha usado o tiene más de 30 minutos. Pide uno nuevo.',
  suspended: 'Esta cuenta está suspendida. Ponte en contacto con el soporte.',
  forbidden: messageForStatus(403),
  ownTransaction: 'No puedes decidir sobre tu propia transacción. Debe hacerlo otro administrador.',
  emailTaken: 'Ya existe una cuenta con este correo electrónico. Inicia sesión.',
  ownFactorReset: 'Sobre tus segundos factores deciden otros superadministradores.',
  ownProposal: 'Lo has pedido tú. Debe aprobarlo otro superadministrador.',
  inviteeKnown: 'Esta dirección tiene una cuenta. Dale el rol en su página.',
  inviteOpen: 'Esta dirección tiene una invitación abierta. Retírala antes o espera a que caduque.',
  inviteInvalid: 'Esta invitación se usó, se retiró o ha caducado. Pide otra.',
  proposalAsked: 'Ya se había pedido y espera a una segunda persona.',
  proposalClosed: 'Esta solicitud ya no está abierta.',
  proposalNeedless: 'Ya es así. No se ha cambiado nada.',
  auditorOnly: 'Los auditores no tienen otro rol del personal. Revoca uno antes.',
  lastSuperAdmin: 'Es el último superadministrador. Nombra antes a otro.',
  userNotFound: 'Usuario no encontrado.',
  insufficientFunds: ({ balance }) => exceedsBalance(formatDollars(balance)),
  networkFeeChanged: (shared) =>
    shared.share === 0
      ? 'El fondo paga ahora la comisión de la red de este pago y tú no pagas nada de ella. No se ha registrado nada. Vuelve a pedirlo sin ella.'
      : `${feeShared(shared)}, del importe. No se ha registrado nada. Vuelve a pedirlo para aceptarlo.`,
  networkFeeAboveAmount: (shared) =>
    `${feeShared(shared)}, que es todo el importe. No se ha registrado nada. Pide más, otra red o más tarde.`,
  withdrawalsRest: ({ until }) =>
    `Tu contraseña o tu correo electrónico se cambió con un enlace enviado por correo, o se restablecieron tus segundos factores. Para proteger tu dinero, podrás volver a pedir retiradas a partir de ${moment().format(dateFromTimestamp(until))}.`,
  earnsNothing: ({ least }) => earnsNothing(formatDollars(least)),
  belowLeast: ({ least }) => belowLeast(formatDollars(least)),
  aboveMost: ({ most }) => aboveMost(formatDollars(most)),
  planNearlyFull: ({ left }) => planNearlyFull(formatDollars(left)),
  planClosed: ({ reason }) => planIsClosed[reason],
  planChanged: 'Este plan ha cambiado. Vuelve a mirar sus condiciones.',
  planNeedsTwo:
    'Un plan requiere dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  planMomentPast: 'El momento desde el que contaría ya pasó. Pide uno posterior.',
  planMomentTaken: 'Otra versión de este plan empieza en ese momento. Elige otro.',
  claimOpen:
    'La red anuló un depósito tuyo después de abonarlo, y aún se debe una parte. Las retiradas y las inversiones esperan hasta que se salde: vuelve a depositar el importe o contacta con el soporte.',
  depositUnsure:
    'La red de un depósito tuyo está confirmando de nuevo sus monedas. Las retiradas y las inversiones esperan hasta entonces.',
  claimSettled: 'Esta deuda ha cambiado. Vuelve a mirarla.',
  claimNeedsTwo:
    'Cancelar una deuda requiere dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  coinsShort: ({ coins }) =>
    `Según sus libros, el fondo tiene monedas por ${formatDollars(coins)}, que es menos. No se ha anotado nada. Anota antes las monedas que llegaron.`,
  capitalNeedsTwo:
    'El capital entra con dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  capitalNotSeen: ({ network }) =>
    `Un nodo sigue ${network}. Envía las monedas a una dirección propia del fondo y elige el pago cuando esté confirmado.`,
  capitalUnknown:
    'Ningún pago confirmado a una dirección propia del fondo es como dices. Vuelve a mirar la lista.',
  capitalCountsAs: ({ amount }) =>
    `Estas monedas cuentan como ${formatDollars(amount)}. No se ha anotado nada.`,
  transactionBooked: 'Esta transacción ya está anotada. Nada se ha anotado dos veces.',
  reserveShort: 'La reserva del fondo no puede cubrir tanto ahora. No se ha cancelado nada.',
  reserveExhausted:
    'La reserva del fondo no puede cubrir ahora los intereses de esta inversión. Prueba con un importe menor o vuelve más tarde.',
  custodyNeedsTwo:
    'Esto requiere dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  blockReadable: 'Ahora no hay ningún bloque ilegible en esta red. No se omite nada.',
  blockNotNext:
    'Solo se puede omitir el bloque que no se pudo leer, el que sigue al último leído. Vuelve a mirar la red.',
  skipRange:
    'Una omisión termina en su primer bloque o más arriba, tiene 100 bloques como máximo y acaba por debajo del bloque más nuevo.',
  skipUncompared:
    'Ninguna comparación encontraría un pago en un bloque omitido de esta red, así que allí no se omite ninguno.',
  skipWaits:
    'Ya se acordó una omisión en esta red. El producto omitirá los bloques en su próxima consulta del nodo.',
  alarmNeedsTwo:
    'Las monedas que salieron sin lote las resuelven dos superadministradores. Uno lo pide en "Redes".',
  alarmChanged: 'Esta alarma ha cambiado. Vuelve a mirarla y pídelo otra vez.',
  addressOurs: 'Esta dirección ya es del fondo.',
  addressOfInvestor:
    'A un inversor se le paga en esta dirección, así que no es del fondo. Mira las retiradas que la nombran.',
  addressNotOwn:
    'Dos superadministradores no han declarado propia esta dirección. Decláralo antes en "Conciliación".',
  pausedByBreak:
    'Las monedas de una red no coinciden con los libros, así que las retiradas están en pausa. Dos superadministradores pueden reanudarlas: mira "Conciliación".',
  breakChanged:
    'La diferencia ha cambiado o no pausa las retiradas. Mira la última comparación y vuelve a pedirlo.',
  feeSettled: 'Esta comisión ya se anotó, o sus monedas han vuelto.',
  keyReused: 'Esta Idempotency-Key ya se usó para otra solicitud.',
  transactionNotFound: 'Transacción no encontrada.',
  alreadyDecided: ({ status }) => `Esta transacción ya está ${statusName(status).toLowerCase()}.`,
  notToSend: ({ status }) =>
    `Solo se puede marcar como enviada una retirada aprobada. Esta está ${statusName(status).toLowerCase()}.`,
  notToComplete: ({ status }) =>
    `Solo se puede marcar como completada una retirada enviada. Esta está ${statusName(status).toLowerCase()}.`,
  notToReturn: ({ status }) =>
    `Solo se puede devolver una retirada aprobada o enviada. Esta está ${statusName(status).toLowerCase()}.`,
  batchImpossible: () => 'Este lote no se puede hacer ahora.',
  batchClosed: () => 'El estado de este lote ya no permite eso. Míralo otra vez.',
  batchLeavesOut: ({ count }) =>
    `Este lote no puede pagar ${count} de estas retiradas. Mira otra vez la vista previa.`,
  batchNotFound: 'Este lote no consta.',
  batchOnChain:
    'Una transacción de este lote ya está en la red, así que no se puede abandonar. Si cada beneficiario recibió otro importe, una persona resuelve esas alarmas y después otra abandona el lote.',
  batchDiffers: 'Este no es el resumen del archivo de este lote. Míralo otra vez.',
  batchBusy: 'Este lote se está cambiando en este momento. Míralo otra vez.',
  restMayCome:
    'El archivo de este lote aún podría pagar el resto. Espera a que se confirme lo que ha pagado.',
  signedUnreadable:
    'Esto no es una transacción firmada. Pega una PSBT firmada o las cifras de una transacción.',
  signedUnfinished: 'Faltan firmas. Firma antes el archivo con todas las claves.',
  signedDiffers:
    'La transacción firmada no es la de este lote, así que no se envió. Mira qué difiere.',
  signedNotTaken:
    'Se aceptan archivos firmados de Bitcoin y de pagos en redes EVM. Quien firma envía este.',
  signedOther:
    'Ya se dio al nodo otro archivo firmado de este lote. Devuelve ese otra vez, o espera: dos pagarían dos veces.',
  signedRefused: ({ words }) => `El nodo rechazó la transacción: ${words}`,
  ownBatch: 'Hiciste este lote tú. Debe aprobarlo otra persona del personal.',
  inBatch: 'Esta retirada está en un lote que aún no está en la red. Abandona antes el lote.',
  returnNeedsTwo:
    'Devolver una retirada requiere dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  networkDiffers: 'La dirección de esta retirada no es de esa red.',
  investmentNotFound: 'Inversión no encontrada.',
  notMatured: 'Esta inversión aún no ha vencido o ya se ha pagado.',
  destinationUnresolved:
    'Esta retirada no tiene ninguna dirección en la que pagar: su destino no es una dirección válida y no hay ninguna dirección de retirada en uso. No se ha pagado nada.',
  networkUnknown:
    'Esta retirada no indica ninguna red y su dirección es válida en varias. Recházala para que el inversor pueda indicar una.',
  payeeIsPoolWallet:
    'Esta retirada se pagaría en una dirección de depósito del propio fondo. Recházala para que el inversor pueda indicar otra.',
  payeeTooNew: ({ from }) => newPayoutAddress(moment().format(dateFromTimestamp(from))),
  notADeposit: 'Solo se puede confirmar un depósito.',
  notAWithdrawal: 'Solo se puede aprobar o rechazar una retirada.',
  approvedAlready: 'Ya has aprobado esta transacción. También debe aprobarla otro administrador.',
  evidenceRequired:
    'Un depósito solo se confirma con su transacción en la cadena. Introduce su ID.',
  evidenceInvalid: 'No es el ID de una transacción de esta red.',
  evidenceDiffers:
    'Quien aprobó primero indicó otra transacción de la cadena. Comprueba cuál pagó este depósito.',
  evidenceUnseen: ({ network }) =>
    `El nodo de ${network} no muestra ningún pago así en la dirección de este depósito. Comprueba el ID o espera al nodo.`,
  evidenceUnconfirmed:
    'Este pago aún tiene muy pocas confirmaciones. Espera a que su red lo confirme.',
  evidenceUnpriced: ({ coin }) =>
    `No hay ningún precio vigente de ${coin}, así que este pago no tiene valor en dólares. Fija antes un precio.`,
  evidenceCountsAs: ({ amount }) =>
    `Este pago vale ${formatDollars(amount)}. Confirma ese importe.`,
  amountDiffers: ({ amount }) =>
    `Quien aprobó primero recibió ${formatDollars(amount)}. Comprueba el pago. Después indica el mismo importe o rechaza el depósito.`,
  payeeChanged:
    'La dirección a la que se paga ha cambiado desde que la viste. Comprueba la nueva y aprueba de nuevo.',
  payeeNotShown: 'Una retirada solo se aprueba con la dirección que viste. Indícala.',
  evidenceUsed:
    'Esta transacción ya confirmó otro depósito en esta dirección. Si pagó dos veces, añade la salida, como ID:1.',
  evidenceOutputUsed: 'Esta salida de la transacción ya confirmó otro depósito.',
  evidencePaid:
    'Esta transacción ya pagó otra retirada a esta dirección. Si también pagó esta, añade la salida, como ID:1.',
  evidenceOutputPaid: 'Esta salida ya pagó una retirada a otra dirección.',
  ownerMismatch: 'Esta transacción pertenece a otro usuario. Recarga e inténtalo de nuevo.',
  noWalletAvailable:
    'Ahora mismo no hay ninguna dirección de depósito disponible. No se ha registrado nada; inténtalo más tarde o ponte en contacto con el soporte.',
  noWalletOnNetwork: ({ network }) =>
    `Ahora mismo no hay ninguna dirección de depósito de ${network}. No se ha registrado nada; elige otra red.`,
  tooManyNewWallets: ({ hours }) =>
    `Hoy se han dado muchas direcciones de depósito por tu conexión a internet. No se ha registrado nada; inténtalo de nuevo dentro de ${hours} h o por otra conexión.`,
  walletsInDemand: ({ minutes }) =>
    `Las direcciones de depósito tienen una demanda inusual. No se ha registrado nada; inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyOpenDeposits: `Ya tienes ${OPEN_DEPOSITS_LIMIT} depósitos pendientes de confirmación. No se ha registrado nada; inténtalo de nuevo cuando se confirme alguno.`,
  tooManyOpenWithdrawals: `Ya tienes ${OPEN_WITHDRAWALS_LIMIT} retiradas pendientes de envío. No se ha registrado nada; inténtalo de nuevo cuando se envíe alguna, o cancela una.`,
  walletNotFound: 'Cartera no encontrada.',
  unseenNotFound: 'Esta llegada no está registrada.',
  unseenSettled: 'Otra persona del personal ya resolvió esta llegada.',
  alarmNotFound: 'Esta alarma no está registrada.',
  alarmSettled: 'Otra persona del personal ya resolvió esta alarma.',
  walletExists: 'Esta dirección ya se ha añadido.',
  badAddresses: (details) =>
    sentenceOfBadAddresses(details, { bad: badAddresses, known: addressesKnown }, 'es'),
  ownerHasWallet: ({ network }) =>
    `Esta dirección es de un inversor que ya tiene otra dirección en ${network}.`,
  badKey: () => 'Esta clave no se puede usar. Cópiala otra vez de la cartera.',
  networkHasKey: ({ network }) => `${network} ya tiene una clave. Termínala primero.`,
  keyAsked: 'Ya se pidió y espera a otra persona del personal. Recházalo primero en "En espera".',
  rateAsked:
    'Un precio de esta moneda ya espera a otra persona del personal. Recházalo primero en la página de precios.',
  coinNotTaken: ({ coin, network }) => `${network} no admite ${coin}. Elige otra moneda.`,
  rateNeedsTwo:
    'Un precio necesita dos personas, y nadie más del personal puede aprobarlo. Pide a un superadministrador que dé el rol a otra persona.',
  tapeNotFound: 'No hay ningún archivo de ese día.',
  proofNotFound: 'No hay ninguna entrada de esta cuenta para ese día.',
  keyNotFound: 'Esta clave no existe o se anuló.',
  walletNotAssigned:
    'Solo se puede archivar una cartera asignada. Una disponible se puede eliminar.',
  walletWaits: 'Esta dirección espera a otra persona del personal. Recházala en "En espera".',
  walletAssigned:
    'Esta cartera está asignada a un inversor que todavía puede pagar en ella, así que no se puede eliminar.',
  mailNotFound: 'Correo no encontrado.',
  mailExpired: 'El enlace de este correo ha caducado. Hay que pedir uno nuevo.',
  noMailServer: 'Este entorno de pruebas guarda sus correos. Define SMTP_URL para enviarlos.',
  unknownNetwork: 'Elige una de las redes disponibles.',
}

export const firstApproval: string | undefined = succeeded.firstApproval
