/** The refusals about loans in Spanish. */

import { formatDollars } from '@pool/contract/base/money'
import type { LoanStatus } from '@pool/contract/lending/loans'
import type { TermsProblem } from '@pool/contract/lending/loanTerms'
import type { TakesTwo } from '@pool/contract/money/limits'

const termsSentences: Readonly<Record<TermsProblem, string>> = {
  dateFar: 'Las fechas de un préstamo deben estar entre los años 2000 y 2099.',
  firstBefore: 'La primera cuota debe vencer después del desembolso.',
  firstLate: 'La primera cuota debe vencer en los 366 días siguientes al desembolso.',
  dueDayApart: 'La primera cuota debe vencer el día de pago de su mes.',
  tooMany: 'Cada cuota necesita al menos un centavo. Elige menos cuotas.',
  lastLarge:
    'Redondeada a centavos, la última cuota sería más del doble que las demás. Elige menos cuotas.',
  takenOverApart: 'Un préstamo se asume entre su desembolso y hoy.',
}

const states: Readonly<Record<LoanStatus, string>> = {
  APPLIED: 'solicitado',
  APPROVED: 'aprobado',
  SENDING: 'por enviar en un lote',
  ACTIVE: 'activo',
  WITHDRAWN: 'retirado',
  DECLINED: 'rechazado',
  DEFAULTED: 'en impago',
  WRITTEN_OFF: 'dado por perdido',
  REPAID: 'devuelto',
}
const isStatus = (status: string): status is LoanStatus => status in states

export const loanRefusals = {
  badTerms: ({ problem }: { problem: TermsProblem }) => termsSentences[problem],
  borrowerNotFound: 'Prestatario no encontrado.',
  relatedUnnamed:
    'Un prestatario del personal debe indicarse con el correo de su cuenta, para que nunca decida sobre un préstamo propio.',
  loanNotFound: 'Préstamo no encontrado.',
  collateralNotFound: 'Garantía no encontrada.',
  documentNotFound: 'Documento no encontrado.',
  recordWithdrawn: 'Esto ya se retiró.',
  loanIs: ({ status }: { status: string }) =>
    `No es posible: el préstamo está ${isStatus(status) ? states[status] : status}.`,
  ownLoan: 'No puedes decidir sobre tu propio préstamo. Debe hacerlo otra persona del personal.',
  loanNeedsTwo:
    'Un préstamo necesita dos personas y no hay otra del personal que pueda aprobarlo. Pide a un superadministrador que dé el rol a otra persona.',
  completionNeedsTwo:
    'Esto necesita dos personas y no hay otra del personal que pueda aprobarlo. Pide a un superadministrador que dé el rol a otra persona.',
  takesTwo: ({ why }: { why: TakesTwo }) => {
    if (why === 'oldDay') return 'Una fecha valor de hace más de tres días necesita dos personas.'
    return why === 'unseen'
      ? 'El producto lo completa cuando su nodo muestra el pago. Antes necesita dos personas.'
      : 'Supera lo que una persona decide sola en 24 horas, así que necesita dos personas.'
  },
  lendingNeedsSuperAdmin:
    'Con este préstamo se presta en 24 horas más de lo que deciden los administradores. Uno de los dos debe ser superadministrador, o espera hasta mañana.',
  loanReserveShort: ({ free }: { free: number }) =>
    `La reserva libre solo tiene ${formatDollars(free)}. Los préstamos se pagan únicamente con ella, así que este debe esperar.`,
  loanConcentrated: ({ most }: { most: number }) =>
    `Un prestatario puede deber una parte del capital del operador, y todas las partes vinculadas juntas la misma. Para este quedan ${formatDollars(most)}.`,
  principalNotLent:
    'Este fondo no presta principal de los inversores. Su operador tendría que permitirlo (LEND_PRINCIPAL).',
  ladderShort: ({ on, short }: { on: string; short: number }) =>
    `El ${on} a las monedas y cuotas les faltarían ${formatDollars(short)} para cubrir lo que se debe a los inversores hasta entonces. Un préstamo menor o más corto puede caber.`,
  fundingTooMuch: 'El principal de los inversores no puede financiar más que todo el préstamo.',
  lossOpen: 'Hay una pérdida abierta. No se presta nada hasta decidir quién la asume.',
  lossChanged: 'La pérdida abierta es ahora otra. Mírala de nuevo.',
  lossAnnounced:
    'Repartir esta pérdida ya está acordado y anunciado. El capital del operador aún puede asumirla en su lugar.',
  lossTooLarge: ({ invested }: { invested: number }) =>
    `Solo hay ${formatDollars(invested)} invertidos, menos que la pérdida. Tiene que asumirla el capital del operador.`,
  lossNeedsTwo:
    'Terminar una pérdida requiere dos superadministradores y solo hay uno. Da antes el rol a otra persona.',
  pausedByLoss:
    'Una pérdida abierta mantiene esta pausa. Termina cuando dos superadministradores acuerdan quién la asume.',
  accountStays:
    'Este prestatario tiene préstamos, así que la cuenta se queda: su titular nunca decide sobre ellos.',
  relationStays:
    'Este prestatario tiene préstamos, así que la relación queda: los préstamos de partes vinculadas cuentan juntos.',
  loanWaits: 'Un paso de este préstamo espera a una segunda persona. Decide antes sobre él.',
  disbursedWhen:
    'El día del desembolso no puede estar en el futuro y debe ser de 1 a 366 días antes de la primera cuota.',
  disbursedBefore: ({ on }: { on: string }) =>
    `Dos personas aprobaron este préstamo el ${on}, y ninguno se paga antes. Un préstamo que ya corría entra por una importación, con el día en que se asumió.`,
  takenOverBefore: ({ on }: { on: string }) =>
    `Este préstamo se asumió el ${on}, así que se había pagado para entonces.`,
  loanByBatch: 'Un nodo sigue esta red, así que un lote paga el préstamo. Envíelo a una dirección.',
  loanByHand:
    'Ningún nodo sigue esta red, así que ningún lote puede pagar el préstamo. Páguelo a mano y nombre la transacción.',
  loanFileOut:
    'Un archivo de un lote anterior en otra red aún podría pagar este préstamo. Gasta una de sus monedas, o usa su número, para anularlo. Un CSV nunca se anula.',
  loanInBatch:
    'Este préstamo está en un lote, o la cadena muestra que se pagó. Abandone antes el lote.',
  loanEvidenceUsed: 'Esta transacción ya pagó otro préstamo.',
  repaidTooMuch: ({ most }: { most: number }) =>
    `Hasta la próxima cuota se deben ${formatDollars(most)}. Todavía no se puede registrar más.`,
  repaidWhen: 'Un pago llega entre el desembolso y hoy.',
  payoffIs: ({ amount }: { amount: number }) =>
    `Ese día ${formatDollars(amount)} termina el préstamo, con intereses por días.`,
  payoffWhen: 'El pago que termina un préstamo no puede llegar antes que otro pago anterior.',
  recoveredTooMuch: ({ most }: { most: number }) =>
    `De lo dado por perdido quedan ${formatDollars(most)} por recuperar. No se puede registrar más.`,
  recoveredWhen: 'Una recuperación llega entre el impago y hoy.',
  repaymentBefore:
    'El préstamo tiene condiciones nuevas desde este pago, y cuentan con él. No se puede anular.',
  loanOwes: ({ amount }: { amount: number }) =>
    `El préstamo debe ahora ${formatDollars(amount)}. Compruébalo y vuelve a pedirlo.`,
  notRefinanced:
    'Un préstamo refinancia otro del mismo prestatario que aún debe algo y no está refinanciado.',
  referenceUsed: 'Ya se registró un pago con esta referencia.',
  repaymentNotFound: 'Pago no encontrado.',
  nothingToPlace: 'No hay ninguna cuota abierta antes de otra pagada. No se ha cambiado nada.',
  repaymentReversed: 'Este pago ya se anuló.',
}
