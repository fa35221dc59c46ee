/** The names of the ledger's accounts and movements on the wire. */
import { z } from 'zod'
import type { Language } from '../base/languages.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'

/** An investor's accounts: the spendable balance, withdrawals held, and principal at work. */
export const investorAccounts = ['available', 'held', 'invested'] as const

/**
 * The pool's accounts: coins, the free reserve, committed interest, debts, approved withdrawals,
 * coins of borrowers, the capital that works there, open losses, capital for batches.
 */
export const poolAccounts = [
  'custody',
  'reserve',
  'committed',
  'claims',
  'outgoing',
  'loans',
  'deployed',
  'loss',
  'sending',
] as const

export const accountKinds = [...investorAccounts, ...poolAccounts] as const
export type AccountKind = (typeof accountKinds)[number]

/** Each movement, and its name in statements. Their order is that of the wire. */
export const movementWords = {
  deposit_requested: { en: 'Deposit requested', es: 'Depósito solicitado' },
  deposit_confirmed: { en: 'Deposit', es: 'Depósito' },
  deposit_rejected: { en: 'Deposit rejected', es: 'Depósito rechazado' },
  withdrawal_held: { en: 'Withdrawal requested', es: 'Retirada solicitada' },
  withdrawal_approved: { en: 'Withdrawal approved', es: 'Retirada aprobada' },
  withdrawal_completed: { en: 'Withdrawal completed', es: 'Retirada completada' },
  withdrawal_returned: { en: 'Withdrawal returned', es: 'Retirada devuelta' },
  withdrawal_released: { en: 'Withdrawal released', es: 'Retirada liberada' },
  investment_opened: { en: 'Investment opened', es: 'Inversión abierta' },
  investment_matured: { en: 'Investment paid out', es: 'Inversión pagada' },
  capital_contributed: { en: 'Capital put in', es: 'Capital aportado' },
  capital_withdrawn: { en: 'Capital taken out', es: 'Capital retirado' },
  deposit_reversed: { en: 'Deposit taken back', es: 'Depósito anulado' },
  claim_collected: { en: 'Debt collected', es: 'Deuda cobrada' },
  claim_written_off: { en: 'Debt written off', es: 'Deuda condonada' },
  loan_disbursed: { en: 'Loan paid out', es: 'Préstamo desembolsado' },
  loan_reserved: { en: 'Loan reserved', es: 'Préstamo reservado' },
  loan_sent: { en: 'Loan sent', es: 'Préstamo enviado' },
  loan_released: { en: 'Loan freed', es: 'Préstamo liberado' },
  loan_repaid: { en: 'Loan repaid', es: 'Préstamo reembolsado' },
  loan_repayment_reversed: { en: 'Loan repayment taken back', es: 'Reembolso de préstamo anulado' },
  loan_defaulted: { en: 'Loan in default', es: 'Préstamo en impago' },
  loan_written_off: { en: 'Loan written off', es: 'Préstamo dado por perdido' },
  loan_recovered: { en: 'Loan recovered', es: 'Préstamo recuperado' },
  loan_recovery_reversed: {
    en: 'Loan recovery taken back',
    es: 'Recuperación de préstamo anulada',
  },
  loan_restructured: { en: 'Loan restructured', es: 'Préstamo reestructurado' },
  loss_covered: { en: 'Loss covered', es: 'Pérdida cubierta' },
  loss_shared: { en: 'Share of a loss', es: 'Parte de una pérdida' },
  loan_interest_received: { en: 'Loan interest received', es: 'Interés de préstamo recibido' },
  loan_interest_reversed: { en: 'Loan interest taken back', es: 'Interés de préstamo anulado' },
  loan_lost: { en: 'Loan lost', es: 'Préstamo perdido' },
  loss_returned: { en: 'Return of a loss', es: 'Devolución de una pérdida' },
  withdrawal_fee_borne: { en: 'Share of a network fee', es: 'Parte de una comisión de red' },
  withdrawal_fee_kept: {
    en: 'Share of a network fee kept',
    es: 'Parte de una comisión de red cobrada',
  },
  withdrawal_fee_returned: {
    en: 'Share of a network fee returned',
    es: 'Parte de una comisión de red devuelta',
  },
  network_fee_paid: { en: 'Network fee paid', es: 'Comisión de red pagada' },
  network_fee_returned: { en: 'Network fee returned', es: 'Comisión de red devuelta' },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>
export type MovementName = keyof typeof movementWords
export const movementNames = Object.keys(movementWords) as [MovementName, ...MovementName[]]

/** They move together with another movement. */
export const companionMovementNames = [
  'loan_interest_received',
  'loan_interest_reversed',
  'loan_lost',
  'loss_returned',
  'withdrawal_fee_borne',
  'withdrawal_fee_kept',
  'withdrawal_fee_returned',
] as const satisfies readonly MovementName[]
export type CompanionMovement = (typeof companionMovementNames)[number]

/** A transfer of the ledger, in dollars. */
export const transferSchema = z.object({
  movement: z.enum(movementNames),
  from: z.enum(accountKinds),
  to: z.enum(accountKinds),
  amount: dollarsSchema,
  at: timestampSchema,
})
export type Transfer = z.infer<typeof transferSchema>
