import {
  ambiguousAddress,
  callFailed,
  connection,
  DEFAULT_DESTINATION,
  defaultReason,
  earnsNothing,
  exceedsBalance,
  invalidAddress,
  isPaused,
  messageForStatus,
  newPayee,
  screenFailed,
  sessionMessages,
  succeeded,
  validation,
} from '@pool/contract/messages'
import { OPEN_DEPOSITS_LIMIT } from '@pool/contract/money'
import { type RefusalCode, refusal } from '@pool/contract/refusals'

/**
 * The English sentences of the contract, which the server also speaks, and what they are in
 * Spanish. `{name}` stands for what varies.
 */
type Told = readonly (readonly [english: string, spanish: string])[]

const paired = <Sentences extends Readonly<Record<string, string>>>(
  english: Sentences,
  spanish: Readonly<Record<keyof Sentences, string>>,
): Told => Object.keys(english).map((key) => [english[key] ?? '', spanish[key] ?? ''])

const ofValidation = paired(validation, {
  emailRequired: 'El correo electrónico es obligatorio',
  emailInvalid: 'Introduce un correo electrónico válido',
  passwordRequired: 'La contraseña es obligatoria',
  passwordMinimum: 'La contraseña debe tener al menos 6 caracteres',
  passwordMaximum: 'La contraseña debe tener como máximo 256 caracteres',
  passwordCommon:
    'Esta contraseña es demasiado fácil de adivinar. Elige una que no esté en las listas de contraseñas comunes y robadas.',
  passwordPersonal:
    'Esta contraseña es demasiado fácil de adivinar. Elige una que no contenga tu nombre, tu correo electrónico ni el nombre de este sitio.',
  passwordWord:
    'Esta contraseña es demasiado fácil de adivinar: es una sola palabra o un nombre. Añade al menos otra palabra.',
  passwordRegular:
    'Esta contraseña es demasiado fácil de adivinar: es una fila de teclas, una secuencia o una repetición. Elige algo menos regular.',
  passwordDate:
    'Esta contraseña es demasiado fácil de adivinar: es una fecha. Añade al menos una palabra.',
  confirmPasswordRequired: 'Confirma tu contraseña',
  passwordsMustMatch: 'Las contraseñas deben coincidir',
  firstNameRequired: 'El nombre es obligatorio',
  lastNameRequired: 'El apellido es obligatorio',
  nameMaximum: 'Los nombres deben tener como máximo 100 caracteres',
  nameCharacters: 'Este nombre contiene caracteres que no se ven. Escríbelo en lugar de pegarlo.',
  textMaximum: 'El texto debe tener como máximo 500 caracteres',
  textCharacters: 'El texto no debe contener caracteres de control',
  amountRequired: 'El importe es obligatorio',
  amountNumber: 'El importe debe ser un número',
  amountPositive: 'El importe debe ser positivo',
  amountDecimals: 'El importe debe tener como máximo dos decimales',
  amountMaximum: 'El importe debe ser como máximo de $10,000,000.00',
  withdrawalMinimum: 'El importe mínimo de retirada es $10.00',
  durationRequired: 'La duración es obligatoria',
  durationInvalid: 'Selecciona una duración válida',
  fillAllFields: 'Rellena todos los campos',
  roleNotAllowed: 'El registro solo crea cuentas ordinarias',
  cursorInvalid: 'Esta página de la lista ya no existe. Vuelve a la primera.',
  filterInvalid: 'Elige uno de los filtros disponibles',
  limitInvalid: 'El límite debe ser un número entero de 0 a 1.000',
  momentInvalid: 'Introduce una fecha válida',
  orderInvalid: 'El orden debe ser asc o desc',
  searchMaximum: 'La búsqueda debe tener como máximo 200 caracteres',
  sortInvalid: 'Esta lista no se puede ordenar así',
  reasonRequired: 'Indica un motivo',
  switchUnknown: 'Indica deposits, withdrawals o investing',
  badRequest: 'Solicitud incorrecta. Revisa los datos introducidos.',
})

const ofStatuses: Told = [
  [messageForStatus(401), 'No autorizado. Vuelve a iniciar sesión.'],
  [messageForStatus(403), 'Acceso denegado. No tienes permiso para esta acción.'],
  [messageForStatus(404), 'No se encontró el recurso.'],
  [messageForStatus(500), 'Error del servidor. Inténtalo más tarde.'],
  [messageForStatus(502), 'Puerta de enlace incorrecta. Inténtalo más tarde.'],
  [messageForStatus(503), 'Servicio no disponible. Inténtalo más tarde.'],
  [
    messageForStatus(599).replace('599', '{status}'),
    'Error del servidor ({status}). Inténtalo de nuevo.',
  ],
]

const ofConnection = paired(connection, {
  network: 'Error de red. Comprueba tu conexión a internet.',
  timeout: 'La solicitud ha tardado demasiado. Inténtalo de nuevo.',
  listTimeout: 'La solicitud ha tardado demasiado: el servidor no responde',
  listNetwork: 'Error de red: puede que el servidor no esté en marcha o que la dirección no exista',
  refused: 'El servidor no está disponible',
  crossOrigin: 'El servidor no acepta solicitudes de este sitio. Ponte en contacto con el soporte.',
})

const ofCalls = paired(callFailed, {
  login: 'No se pudo iniciar sesión',
  register: 'No se pudo completar el registro',
  balance: 'No se pudo obtener el saldo',
  deposit: 'No se pudo iniciar el depósito',
  withdraw: 'No se pudo iniciar la retirada',
  invest: 'No se pudo realizar la inversión',
  approve: 'No se pudo aprobar la transacción',
  confirm: 'No se pudo confirmar el depósito',
  reject: 'No se pudo rechazar la transacción',
  createWallet: 'No se pudo crear la cartera',
  deleteWallet: 'No se pudo eliminar la cartera',
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
})

const ofScreens: Told = [
  ...paired(screenFailed, {
    login: 'No se pudo iniciar sesión. Comprueba tus datos e inténtalo de nuevo.',
    register: 'No se pudo completar el registro. Comprueba tus datos e inténtalo de nuevo.',
  }),
  ...paired(sessionMessages, {
    authenticationRequired: 'Se requiere autenticación. Inicia sesión primero.',
    userInformationMissing: 'No se encontró la información del usuario. Vuelve a iniciar sesión.',
    userIdMissing: 'No se encontró el identificador del usuario. Vuelve a iniciar sesión.',
    notAuthenticated: 'Usuario no autenticado',
    authenticationFailed: 'La autenticación ha fallado. Vuelve a iniciar sesión.',
    adminRequired: 'No autorizado. Asegúrate de haber iniciado sesión como administrador.',
  }),
  ...paired(succeeded, {
    register: '¡Cuenta creada correctamente! Inicia sesión con tus datos.',
    walletCreated: '¡Cartera creada correctamente!',
    walletDeleted: '¡Cartera eliminada correctamente!',
    firstApproval:
      'Tu aprobación ha quedado registrada. Otro administrador debe aprobarla también antes de que se mueva dinero.',
    addressCopied: '¡Dirección copiada al portapapeles!',
    payoutAddressSaved: 'Dirección de retirada guardada.',
    passwordChanged: 'Contraseña cambiada. Solo tienes la sesión abierta aquí.',
  }),
  ...paired(defaultReason, {
    reject: 'Transacción rechazada por el administrador',
    rejectApproval: 'Aprobación rechazada por el administrador',
  }),
  [DEFAULT_DESTINATION, 'Dirección predeterminada'],
]

/**
 * Refusals whose sentence is another one's, or varies with more than a word, are told above or
 * below.
 */
const refusalsInSpanish: Readonly<
  Record<
    Exclude<
      RefusalCode,
      | 'validation'
      | 'earnsNothing'
      | 'insufficientFunds'
      | 'alreadyDecided'
      | 'payeeTooNew'
      | 'tooManySignIns'
      | 'tooManyRegistrations'
      | 'tooManyNewWallets'
      | 'walletsInDemand'
      | 'paused'
      | 'notReady'
    >,
    string
  >
> = {
  malformedJson: 'La solicitud no es JSON válido. Revisa los datos introducidos.',
  unsupportedMediaType: 'Las solicitudes deben enviarse como application/json.',
  bodyTooLarge: 'La solicitud es demasiado grande.',
  headersTooLarge: 'La dirección o las cabeceras de la solicitud son demasiado largas.',
  requestTimeout: 'La solicitud ha tardado demasiado en llegar.',
  notHttp: 'La solicitud no es HTTP válido.',
  httpsRequired: 'A este servicio solo se accede por https. Usa su dirección https.',
  routeNotFound: 'No se encontró el recurso.',
  tooManyRequests: 'Demasiados intentos. Espera un minuto e inténtalo de nuevo.',
  internal: 'Error del servidor. Inténtalo más tarde.',
  unavailable: 'Servicio no disponible. Inténtalo más tarde.',
  busy: 'El servicio está muy ocupado. No se ha registrado nada; inténtalo de nuevo en un momento.',
  outcomeUnknown:
    'Se perdió la conexión mientras se registraba tu solicitud. Consulta tus transacciones antes de intentarlo de nuevo.',
  unauthenticated: 'No autorizado. Vuelve a iniciar sesión.',
  invalidCredentials: 'Correo electrónico o contraseña incorrectos.',
  wrongPassword: 'La contraseña actual no es correcta.',
  suspended: 'Esta cuenta está suspendida. Ponte en contacto con el soporte.',
  forbidden: 'Acceso denegado. No tienes permiso para esta acción.',
  ownTransaction: 'No puedes decidir sobre tu propia transacción. Debe hacerlo otro administrador.',
  emailTaken: 'Ya existe una cuenta con este correo electrónico. Inicia sesión.',
  userNotFound: 'Usuario no encontrado.',
  reserveExhausted:
    'La reserva del fondo no puede cubrir ahora los intereses de esta inversión. Prueba con un importe menor o vuelve más tarde.',
  keyReused: 'Esta Idempotency-Key ya se usó para otra solicitud.',
  transactionNotFound: 'Transacción no encontrada.',
  investmentNotFound: 'Inversión no encontrada.',
  notMatured: 'Esta inversión aún no ha vencido o ya se ha pagado.',
  destinationUnresolved:
    'Esta retirada no dice adónde pagar: su destino no es una dirección válida y no hay ninguna dirección de retirada en uso. No se ha pagado nada.',
  networkUnknown:
    'Esta retirada no dice en qué red pagar y su dirección es válida en varias. Recházala para que su inversor pueda indicar una.',
  notADeposit: 'Solo se puede confirmar un depósito.',
  notAWithdrawal: 'Solo se puede aprobar o rechazar una retirada.',
  approvedAlready: 'Ya has aprobado esta retirada. También debe aprobarla otro administrador.',
  evidenceRequired:
    'Introduce el identificador de la transacción en la cadena: sin él no se confirma un depósito.',
  evidenceInvalid: 'No es el identificador de una transacción de la red de este depósito.',
  evidenceDiffers:
    'Quien aprobó primero indicó otra transacción de la cadena. Comprueba cuál pagó este depósito.',
  payeeChanged:
    'La dirección a la que se paga ha cambiado desde que la viste. Comprueba la nueva y aprueba de nuevo.',
  payeeNotShown: 'Indica la dirección que viste: una retirada solo se aprueba con ella.',
  evidenceUsed: 'Esta transacción de la cadena ya se usó para confirmar otro depósito.',
  ownerMismatch: 'Esta transacción pertenece a otro usuario. Recarga e inténtalo de nuevo.',
  noWalletAvailable:
    'Ahora mismo no hay ninguna dirección de depósito disponible. No se ha registrado nada; inténtalo más tarde o ponte en contacto con el soporte.',
  tooManyOpenDeposits: `Ya tienes ${OPEN_DEPOSITS_LIMIT} depósitos pendientes de confirmación. No se ha registrado nada; inténtalo de nuevo cuando se confirme alguno.`,
  walletNotFound: 'Cartera no encontrada.',
  walletExists: 'Esta dirección ya se ha añadido.',
  walletAssigned:
    'Esta cartera está asignada a un inversor que todavía puede pagar en ella, así que no se puede eliminar.',
  unknownNetwork: 'Elige una de las redes disponibles.',
}

const ofRefusals: Told = [
  ...Object.entries(refusalsInSpanish).map(
    ([code, spanish]) =>
      [refusal(code as keyof typeof refusalsInSpanish).message, spanish] as const,
  ),
  [
    refusal('alreadyDecided', { status: '{status}' }).message,
    'Esta transacción ya se había decidido ({status}).',
  ],
  [
    refusal('tooManySignIns', { minutes: '{minutes}' }).message,
    'Demasiados intentos. Inténtalo de nuevo dentro de {minutes} min.',
  ],
  [
    refusal('tooManyRegistrations', { minutes: '{minutes}' }).message,
    'Se han pedido muchas cuentas por tu conexión a internet. No se ha registrado nada; inténtalo de nuevo dentro de {minutes} min.',
  ],
  [
    refusal('tooManyNewWallets', { hours: '{hours}' }).message,
    'Hoy se han dado muchas direcciones de depósito por tu conexión a internet. No se ha registrado nada; inténtalo de nuevo dentro de {hours} h o por otra conexión.',
  ],
  [
    refusal('walletsInDemand', { minutes: '{minutes}' }).message,
    'Las direcciones de depósito tienen una demanda inusual. No se ha registrado nada; inténtalo de nuevo dentro de {minutes} min.',
  ],
  [
    invalidAddress('{network}'),
    'Esta no es una dirección válida de {network}. Compruébala carácter por carácter.',
  ],
  [
    ambiguousAddress('{networks}'),
    'Esta dirección es válida en varias redes. Elige una de ellas: {networks}.',
  ],
  [
    newPayee('{moment}'),
    'El inversor indicó esta dirección por primera vez hace menos de 24 horas. La retirada se puede aprobar a partir de {moment}.',
  ],
  [
    isPaused.deposits('{reason}'),
    'Los depósitos nuevos están en pausa por ahora. El motivo: {reason}',
  ],
  [
    isPaused.withdrawals('{reason}'),
    'Las retiradas nuevas están en pausa por ahora. El motivo: {reason}',
  ],
  [
    isPaused.investing('{reason}'),
    'Las inversiones nuevas están en pausa por ahora. El motivo: {reason}',
  ],
  [
    earnsNothing('{least}'),
    'Este importe no ganaría intereses en este plan. Invierte al menos {least}.',
  ],
  [exceedsBalance('{balance}'), 'El importe no puede superar tu saldo de {balance}'],
]

/** Every sentence of the contract in Spanish. */
export const contractInSpanish = (): Told => [
  ...ofValidation,
  ...ofStatuses,
  ...ofConnection,
  ...ofCalls,
  ...ofScreens,
  ...ofRefusals,
]
