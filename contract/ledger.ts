/** The names under which the ledger's accounts and movements of money cross the wire. */
import { z } from 'zod'
import { dollarsSchema } from './money.ts'
import { timestampSchema } from './timestamp.ts'

/**
 * An investor's accounts: what can be spent, what waiting withdrawals hold, and the principal at
 * work.
 */
export const investorAccounts = ['available', 'held', 'invested'] as const

/**
 * The pool's accounts: coins in its wallets (`custody`), capital put in (`operator`), what may pay
 * interest (`reserve`) and the committed interest (`committed`). Custody and operator may go below
 * zero: they are the world outside.
 */
export const poolAccounts = ['custody', 'operator', 'reserve', 'committed'] as const

export const accountKinds = [...investorAccounts, ...poolAccounts] as const
export type AccountKind = (typeof accountKinds)[number]

type Way = readonly [from: AccountKind, to: AccountKind]

/** Every movement of money, with the accounts that it goes between, leg by leg. */
export const movements = {
  deposit_requested: [],
  deposit_confirmed: [['custody', 'available']],
  withdrawal_held: [['available', 'held']],
  withdrawal_paid: [['held', 'custody']],
  withdrawal_released: [['held', 'available']],
  investment_opened: [
    ['available', 'invested'],
    ['reserve', 'committed'],
  ],
  investment_matured: [
    ['invested', 'available'],
    ['committed', 'available'],
  ],
  capital_contributed: [['operator', 'reserve']],
} as const satisfies Readonly<Record<string, readonly Way[]>>
export type MovementName = keyof typeof movements

/** A transfer of the ledger: an amount, in dollars, from one account to another. */
export const transferSchema = z.object({
  movement: z.enum(Object.keys(movements) as MovementName[]),
  from: z.enum(accountKinds),
  to: z.enum(accountKinds),
  amount: dollarsSchema,
  at: timestampSchema,
})
export type Transfer = z.infer<typeof transferSchema>
