/**
 * The split of a repayment: interest before principal, the oldest instalment first
 * (docs/product.md 5.26). Browser and server share it.
 */
import { type Cents, cents } from './money.ts'

/** The unpaid parts of an instalment. */
export type Owed = {
  readonly number: number
  /** ISO text, so that days compare as text. */
  readonly dueOn: string
  readonly principal: Cents
  readonly interest: Cents
}

/** The part of a repayment that pays an instalment. */
export type Part = {
  readonly number: number
  readonly principal: Cents
  readonly interest: Cents
}

export type Split = {
  readonly principal: Cents
  readonly interest: Cents
  readonly parts: readonly Part[]
}

const unpaid = ({ principal, interest }: Owed): bigint => principal + interest

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Instalments due by a day, and the next one. */
const upToNext = (all: readonly Owed[], day: string): readonly Owed[] =>
  all.slice(0, all.filter(({ dueOn }) => dueOn <= day).length + 1)

/**
 * The most that a repayment of a day may be, of all instalments of a loan, paid ones too: what was
 * due then and the next one. Of what is due after today all repayments together pay one instalment,
 * so interest of later periods is never taken in advance.
 */
export const mostPayable = (all: readonly Owed[], valueOn: string, today: string): Cents => {
  const byToday = upToNext(all, today)
  const open = all.filter((each) => unpaid(each) > 0n)
  const payable = upToNext(open, valueOn).filter((each) => byToday.includes(each))
  return cents(payable.reduce((sum, each) => sum + unpaid(each), 0n))
}

/** Splits an amount over instalments in their order. At most what they owe is split. */
export const splitOf = (owed: readonly Owed[], amount: Cents): Split => {
  let left: bigint = amount
  const take = (most: Cents): Cents => {
    const taken = least(left, most)
    left -= taken
    return cents(taken)
  }
  const parts = owed
    .map(({ number, interest, principal }) => ({
      number,
      interest: take(interest),
      principal: take(principal),
    }))
    .filter(({ interest, principal }) => interest + principal > 0n)
  const sum = (part: 'principal' | 'interest') =>
    cents(parts.reduce((total, each) => total + each[part], 0n))
  return { principal: sum('principal'), interest: sum('interest'), parts }
}
