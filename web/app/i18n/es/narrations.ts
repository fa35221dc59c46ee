/** The server's sentences in Spanish: refusals by their code, and success. */
import { formatDollars, OPEN_DEPOSITS_LIMIT } from '@pool/contract/money'
import type { RefusalTexts } from '@pool/contract/refusals'
import { dateFromTimestamp } from '@pool/contract/timestamp'
import { dateFormat } from '../format.ts'
import { statusName } from '../named.ts'
import {
  ambiguousAddress,
  earnsNothing,
  exceedsBalance,
  invalidAddress,
  isPaused,
  messageForStatus,
  newPayoutAddress,
  notReady,
  succeeded,
  validation,
} from './messages.ts'

const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

export const refusals: RefusalTexts = {
  validation: ({ rule }) => (rule === undefined ? undefined : validation[rule]),
  invalidAddress: ({ network }) => invalidAddress(network),
  ambiguousAddress: ({ networks }) => ambiguousAddress(networks.join(', ')),
  malformedJson: 'La solicitud no es JSON válido. Revisa los datos introducidos.',
  unsupportedMediaType: 'Las solicitudes deben enviarse como application/json.',
  bodyTooLarge: 'La solicitud es demasiado grande.',
  headersTooLarge: 'La URL o las cabeceras de la solicitud son demasiado largas.',
  requestTimeout: 'La solicitud ha tardado demasiado en llegar.',
  notHttp: 'La solicitud no es HTTP válido.',
  httpsRequired: 'A este servicio solo se accede por https. Usa su dirección https.',
  routeNotFound: messageForStatus(404),
  tooManyRequests: 'Demasiados intentos. Espera un minuto e inténtalo de nuevo.',
  tooManySignIns: ({ minutes }) =>
    `Demasiados intentos. Inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyRegistrations: ({ minutes }) =>
    `Se han pedido muchas cuentas por tu conexión a internet. No se ha registrado nada; inténtalo de nuevo dentro de ${minutes} min.`,
  internal: messageForStatus(500),
  unavailable: messageForStatus(503),
  busy: 'El servicio está muy ocupado. No se ha registrado nada; inténtalo de nuevo en un momento.',
  outcomeUnknown:
    'Se perdió la conexión mientras se registraba tu solicitud. Consulta tus transacciones antes de intentarlo de nuevo.',
  notReady: ({ why }) => notReady[why],
  paused: ({ name, reason }) => isPaused[name](reason),
  unauthenticated: messageForStatus(401),
  invalidCredentials: 'Correo electrónico o contraseña incorrectos.',
  wrongPassword: 'La contraseña actual no es correcta.',
  suspended: 'Esta cuenta está suspendida. Ponte en contacto con el soporte.',
  forbidden: messageForStatus(403),
  ownTransaction: 'No puedes decidir sobre tu propia transacción. Debe hacerlo otro administrador.',
  emailTaken: 'Ya existe una cuenta con este correo electrónico. Inicia sesión.',
  userNotFound: 'Usuario no encontrado.',
  insufficientFunds: ({ balance }) => exceedsBalance(formatDollars(balance)),
  earnsNothing: ({ least }) => earnsNothing(formatDollars(least)),
  reserveExhausted:
    'La reserva del fondo no puede cubrir ahora los intereses de esta inversión. Prueba con un importe menor o vuelve más tarde.',
  keyReused: 'Esta Idempotency-Key ya se usó para otra solicitud.',
  transactionNotFound: 'Transacción no encontrada.',
  alreadyDecided: ({ status }) => `Esta transacción ya está ${statusName(status).toLowerCase()}.`,
  investmentNotFound: 'Inversión no encontrada.',
  notMatured: 'Esta inversión aún no ha vencido o ya se ha pagado.',
  destinationUnresolved:
    'Esta retirada no tiene ninguna dirección en la que pagar: su destino no es una dirección válida y no hay ninguna dirección de retirada en uso. No se ha pagado nada.',
  networkUnknown:
    'Esta retirada no indica ninguna red y su dirección es válida en varias. Recházala para que el inversor pueda indicar una.',
  payeeTooNew: ({ from }) => newPayoutAddress(moment().format(dateFromTimestamp(from))),
  notADeposit: 'Solo se puede confirmar un depósito.',
  notAWithdrawal: 'Solo se puede aprobar o rechazar una retirada.',
  approvedAlready: 'Ya has aprobado esta transacción. También debe aprobarla otro administrador.',
  evidenceRequired:
    'Un depósito solo se confirma con su transacción en la cadena. Introduce su identificador.',
  evidenceInvalid: 'No es el identificador de una transacción de la red de este depósito.',
  evidenceDiffers:
    'Quien aprobó primero indicó otra transacción de la cadena. Comprueba cuál pagó este depósito.',
  payeeChanged:
    'La dirección a la que se paga ha cambiado desde que la viste. Comprueba la nueva y aprueba de nuevo.',
  payeeNotShown: 'Una retirada solo se aprueba con la dirección que viste. Indícala.',
  evidenceUsed: 'Esta transacción de la cadena ya se usó para confirmar otro depósito.',
  ownerMismatch: 'Esta transacción pertenece a otro usuario. Recarga e inténtalo de nuevo.',
  noWalletAvailable:
    'Ahora mismo no hay ninguna dirección de depósito disponible. No se ha registrado nada; inténtalo más tarde o ponte en contacto con el soporte.',
  tooManyNewWallets: ({ hours }) =>
    `Hoy se han dado muchas direcciones de depósito por tu conexión a internet. No se ha registrado nada; inténtalo de nuevo dentro de ${hours} h o por otra conexión.`,
  walletsInDemand: ({ minutes }) =>
    `Las direcciones de depósito tienen una demanda inusual. No se ha registrado nada; inténtalo de nuevo dentro de ${minutes} min.`,
  tooManyOpenDeposits: `Ya tienes ${OPEN_DEPOSITS_LIMIT} depósitos pendientes de confirmación. No se ha registrado nada; inténtalo de nuevo cuando se confirme alguno.`,
  walletNotFound: 'Cartera no encontrada.',
  walletExists: 'Esta dirección ya se ha añadido.',
  walletAssigned:
    'Esta cartera está asignada a un inversor que todavía puede pagar en ella, así que no se puede eliminar.',
  unknownNetwork: 'Elige una de las redes disponibles.',
}

export const firstApproval: string | undefined = succeeded.firstApproval
