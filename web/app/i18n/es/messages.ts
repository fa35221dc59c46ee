/**
 * The sentences of contract/base/messages.ts in Spanish, which replace them in the Spanish build
 * (web/compileMessages.ts).
 */
import type * as english from '@pool/contract/base/messages'
import * as validation from './validation.ts'

/** The same names, and functions of the same values. */
type Translated<Said> = Said extends string
  ? string
  : Said extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof Said]: Translated<Said[Name]> }

export const exceedsBalance: Translated<typeof english.exceedsBalance> = (balance) =>
  `El importe no puede superar tu saldo de ${balance}`

export const unpayableDestination =
  'No es una dirección en la que se pueda pagar. Compruébala carácter por carácter o guarda antes una dirección de retirada.'
export const noPayoutAddress =
  'No has guardado ninguna dirección de retirada. Guarda una antes o indica una dirección.'
export const addressUnowned =
  'Esta dirección no tiene dueño. Las monedas que se le envían se pierden, o las puede tomar cualquiera. Indica una dirección de tu propia cartera.'
export const poolWallet =
  'Es una dirección de depósito del fondo. Indica una dirección de tu propia cartera.'

export const earnsNothing: Translated<typeof english.earnsNothing> = (least) =>
  `Este importe no ganaría intereses en este plan. Invierte al menos ${least}.`

export const belowLeast: Translated<typeof english.belowLeast> = (least) =>
  `Este plan admite desde ${least}. Invierte un importe mayor.`
export const aboveMost: Translated<typeof english.aboveMost> = (most) =>
  `Este plan admite como máximo ${most} de una vez. Invierte un importe menor.`
export const planNearlyFull: Translated<typeof english.planNearlyFull> = (left) =>
  `En este plan solo se pueden invertir ya ${left}. Invierte un importe menor.`
export const planIsClosed: Translated<typeof english.planIsClosed> = {
  closed: 'Este plan está cerrado a nuevas inversiones.',
  full: 'Ya trabaja todo lo que este plan admite. Se abre de nuevo cuando vencen inversiones.',
  reserve:
    'La reserva del fondo no puede cubrir ahora los intereses de otra inversión en este plan.',
  runway:
    'Con esta inversión la reserva libre no duraría tanto como pide este plan. Un importe menor puede caber.',
}

export const badAddresses: Translated<typeof english.badAddresses> = (count, total, network) =>
  `${count} de ${total} direcciones no se pueden añadir en ${network}. No se ha añadido nada.`
export const addressesKnown: Translated<typeof english.addressesKnown> = (network) =>
  `Todas estas direcciones ya están en el fondo en ${network}. No se ha añadido nada.`
export const invalidAddress: Translated<typeof english.invalidAddress> = (network) =>
  `Esta no es una dirección válida de ${network}. Compruébala carácter por carácter.`

export const newPayoutAddress: Translated<typeof english.newPayoutAddress> = (moment) =>
  `El inversor indicó esta dirección por primera vez hace menos de 24 horas. La retirada se puede aprobar a partir de ${moment}.`

export const ambiguousAddress: Translated<typeof english.ambiguousAddress> = (networks) =>
  `Esta dirección es válida en varias redes. Elige una de ellas: ${networks}.`

export const isPaused: Translated<typeof english.isPaused> = {
  deposits: (reason) => `Los depósitos nuevos están en pausa por ahora. El motivo: ${reason}`,
  withdrawals: (reason) => `Las retiradas nuevas están en pausa por ahora. El motivo: ${reason}`,
  investing: (reason) => `Las inversiones nuevas están en pausa por ahora. El motivo: ${reason}`,
}

export const notReady: Translated<typeof english.notReady> = {
  starting: 'El servicio se está iniciando.',
  stopping: 'El servicio se está deteniendo.',
  database: 'La base de datos no responde.',
  migrations: 'La base de datos no está en la versión del servicio.',
  jobs: 'Las tareas en segundo plano no se ejecutan.',
}

const byStatus: Readonly<Record<number, string>> = {
  400: validation.badRequest,
  401: 'No autorizado. Vuelve a iniciar sesión.',
  403: 'Acceso denegado. No tienes permiso para esta acción.',
  404: 'No se encontró el recurso.',
  500: 'Error del servidor. Inténtalo más tarde.',
  502: 'Puerta de enlace incorrecta. Inténtalo más tarde.',
  503: 'Servicio no disponible. Inténtalo más tarde.',
}

export const messageForStatus: Translated<typeof english.messageForStatus> = (status) =>
  byStatus[status] ?? `Error del servidor (${status}). Inténtalo de nuevo.`

export const connection: Translated<typeof english.connection> = {
  network: 'Error de red. Comprueba tu conexión a internet.',
  timeout: 'La solicitud ha tardado demasiado. Inténtalo de nuevo.',
  listTimeout: 'La solicitud ha tardado demasiado: el servidor no responde',
  listNetwork: 'Error de red: puede que el servidor no esté en marcha o que la dirección no exista',
  refused: 'El servidor no está disponible',
  crossOrigin: 'El servidor no acepta solicitudes de este sitio. Ponte en contacto con el soporte.',
}

export const callFailed: Translated<typeof english.callFailed> = {
  login: 'No se pudo iniciar sesión',
  register: 'No se pudo completar el registro',
  balance: 'No se pudo obtener el saldo',
  deposit: 'No se pudo iniciar el depósito',
  withdraw: 'No se pudo iniciar la retirada',
  invest: 'No se pudo realizar la inversión',
  approve: 'No se pudo aprobar la transacción',
  confirm: 'No se pudo confirmar el depósito',
  reject: 'No se pudo rechazar la transacción',
  cancel: 'No se pudo cancelar la solicitud',
  markSent: 'No se pudo marcar la retirada',
  createWallet: 'No se pudo crear la cartera',
  createWallets: 'No se pudieron añadir las direcciones',
  deleteWallet: 'No se pudo eliminar la cartera',
  archiveWallet: 'No se pudo archivar la cartera',
  restoreWallet: 'No se pudo restaurar la cartera',
  wallets: 'No se pudieron obtener las carteras',
  fetchWallets: 'No se pudieron cargar las carteras',
  networks: 'No se pudieron obtener las redes',
  payoutAddress: 'No se pudo obtener la dirección de retirada',
  savePayoutAddress: 'No se pudo guardar la dirección de retirada',
  changePassword: 'No se pudo cambiar la contraseña',
  audit: 'No se pudo obtener el registro de auditoría',
  pause: 'No se pudo pausar',
  resume: 'No se pudo reanudar',
  pauses: 'No se pudo saber qué está en pausa',
  users: 'No se pudieron obtener los usuarios',
  dashboard: 'No se pudieron cargar los datos del panel',
}

export const screenFailed: Translated<typeof english.screenFailed> = {
  login: 'No se pudo iniciar sesión. Comprueba tus datos e inténtalo de nuevo.',
  register: 'No se pudo completar el registro. Comprueba tus datos e inténtalo de nuevo.',
}

export const sessionMessages: Translated<typeof english.sessionMessages> = {
  authenticationRequired: 'Se requiere autenticación. Inicia sesión primero.',
  userInformationMissing: 'No se encontró la información del usuario. Vuelve a iniciar sesión.',
  userIdMissing: 'No se encontró el ID del usuario. Vuelve a iniciar sesión.',
  notAuthenticated: 'Usuario no autenticado',
  authenticationFailed: 'La autenticación ha fallado. Vuelve a iniciar sesión.',
  adminRequired: 'No autorizado. Asegúrate de haber iniciado sesión como administrador.',
}

export const succeeded: Translated<typeof english.succeeded> = {
  register: '¡Cuenta creada correctamente! Inicia sesión con tus datos.',
  walletCreated: '¡Cartera creada correctamente!',
  walletsCreated: '¡Carteras creadas correctamente!',
  walletDeleted: '¡Cartera eliminada correctamente!',
  walletArchived: '¡Cartera archivada correctamente!',
  walletRestored: '¡Cartera restaurada correctamente!',
  mailResent: 'El correo se está enviando de nuevo.',
  firstApproval:
    'Tu aprobación ha quedado registrada. Otro administrador debe aprobarla también antes de que se mueva dinero.',
  addressCopied: '¡Dirección copiada al portapapeles!',
  payoutAddressSaved: 'Dirección de retirada guardada.',
  passwordChanged: 'Contraseña cambiada. Solo tienes la sesión abierta aquí.',
}
