/**
 * The sentences of contract/base/validation.ts in Spanish, which replace them in the Spanish build
 * (web/compileMessages.ts).
 */

export const emailRequired = 'El correo electrónico es obligatorio'
export const emailInvalid = 'Introduce un correo electrónico válido'
export const passwordRequired = 'La contraseña es obligatoria'
export const passwordMinimum = 'La contraseña debe tener al menos 6 caracteres'
export const passwordMaximum = 'La contraseña debe tener como máximo 256 caracteres'
export const passwordCommon =
  'Esta contraseña es demasiado fácil de adivinar. Elige una que no esté en las listas de contraseñas comunes y robadas.'
export const passwordPersonal =
  'Esta contraseña es demasiado fácil de adivinar. Elige una que no contenga tu nombre, tu correo electrónico ni el nombre de este sitio.'
export const passwordWord =
  'Esta contraseña es demasiado fácil de adivinar: es una sola palabra o un nombre. Añade al menos otra palabra.'
export const passwordRegular =
  'Esta contraseña es demasiado fácil de adivinar: es una fila de teclas, una secuencia o una repetición. Elige algo menos regular.'
export const passwordDate =
  'Esta contraseña es demasiado fácil de adivinar: es una fecha. Añade al menos una palabra.'
export const confirmPasswordRequired = 'Confirma tu contraseña'
export const passwordsMustMatch = 'Las contraseñas deben coincidir'
export const countryInvalid = 'Introduce un país de dos letras, como US'
export const firstNameRequired = 'El nombre es obligatorio'
export const lastNameRequired = 'El apellido es obligatorio'
export const nameMaximum = 'Los nombres deben tener como máximo 100 caracteres'
export const nameCharacters =
  'Este nombre contiene caracteres que no se ven. Escríbelo en lugar de pegarlo.'
export const labelMaximum = 'Una etiqueta debe tener como máximo 40 caracteres'
export const textMaximum = 'El texto debe tener como máximo 500 caracteres'
export const textCharacters = 'El texto no debe contener caracteres de control'
export const amountRequired = 'El importe es obligatorio'
export const amountNumber = 'El importe debe ser un número'
export const amountPositive = 'El importe debe ser positivo'
export const amountDecimals = 'El importe debe tener como máximo dos decimales'
export const amountMaximum = 'El importe debe ser como máximo de $10,000,000.00'
export const withdrawalMinimum = 'El importe mínimo de retirada es $10.00'
export const durationRequired = 'La duración es obligatoria'
export const durationInvalid = 'Selecciona una duración válida'
export const fillAllFields = 'Rellena todos los campos'
export const roleNotAllowed = 'El registro solo crea cuentas ordinarias'
export const cursorInvalid = 'Esta página de la lista ya no existe. Vuelve a la primera.'
export const filterInvalid = 'Elige uno de los filtros disponibles'
export const limitInvalid = 'El límite debe ser un número entero de 0 a 1.000'
export const momentInvalid = 'Introduce una fecha válida'
export const orderInvalid = 'El orden debe ser asc o desc'
export const searchMaximum = 'La búsqueda debe tener como máximo 200 caracteres'
export const tooManyToSort =
  'Solo las listas de hasta 100.000 filas se pueden ordenar así. Elige menos, por ejemplo por fecha.'
export const tooManyToFilter =
  'Solo las listas de hasta 100.000 filas se pueden filtrar por importe o red. Elige menos, por ejemplo por fecha.'
export const loanRate =
  'La tasa anual debe estar entre 0 y 100 por ciento, con dos decimales como máximo'
export const loanInstalments = 'El número de cuotas debe estar entre 1 y 600'
export const loanDueDay = 'El día de pago debe estar entre 1 y 31'
export const linkInvalid = 'Escribe un enlace que empiece por https:// y no lleve contraseña'
export const digestInvalid = 'Escribe un SHA-256: 64 cifras hexadecimales'
export const updateMaximum = 'Una novedad tiene 2.000 caracteres como máximo'
export const dayFuture = 'Elige un día que no esté en el futuro'
export const blocksNamed = 'Indica los números del primer y del último bloque'
export const coinsDecimal = 'Indica las monedas como un número distinto de cero, por ejemplo 0.25'
export const planDays = 'Un plan dura de 1 a 1825 días enteros'
export const planRate =
  'El interés de todo el plazo es mayor que 0 % y como máximo 100 %, con dos decimales'
export const planRunway = 'La duración mínima de la reserva es de 1 a 3650 días enteros'
export const planBounds =
  'El máximo y lo que puede trabajar a la vez no pueden ser menores que el mínimo'
export const planMoment = 'Indica un momento dentro de un año'
export const rateDecimal = 'Indica los dólares como un número mayor que cero, por ejemplo 64123.45'
export const amountUnclear = 'Indica dólares con un máximo de dos decimales, como 1000 o 9.99'
export const sortInvalid = 'Esta lista no se puede ordenar así'
export const reasonRequired = 'Indica un motivo'
export const idInvalid = 'Indica un ID válido'
export const percentInvalid = 'Indica un porcentaje entero de 0 a 100'
export const addressesRequired = 'Indica al menos una dirección'
export const addressesMaximum = 'Se pueden añadir como máximo 10.000 direcciones a la vez'
export const idempotencyKeyInvalid =
  'La Idempotency-Key debe tener de 1 a 200 caracteres imprimibles'
export const pauseUnknown = 'Indica deposits, withdrawals o investing'
export const badRequest = 'Solicitud incorrecta. Revisa los datos introducidos.'
