/** The pool after a part of its loans defaulted, for super admins and auditors. */
import { readStress, type StressBody } from '@pool/contract/lending/stress'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asNumber, list, or, record, type Shape } from '../http/reading.ts'

const number = or(asNumber, 0)

const read = record({
  percent: number,
  outstanding: number,
  loss: number,
  lent: number,
  covered: number,
  lost: number,
  share: number,
  lostFrom: asNumber,
  reserve: number,
  committed: number,
  capital: number,
  plans: list(
    record({
      durationDays: number,
      rateBasisPoints: number,
      principal: number,
    } satisfies Shape<StressBody['plans'][number]>),
  ),
  days: list(
    record({
      day: number,
      coins: number,
      received: number,
      owed: number,
      left: number,
    } satisfies Shape<StressBody['days'][number]>),
  ),
})
/** A stress as the page shows it, in dollars. */
export type ShownStress = ReturnType<typeof read>

/** The stress of so many percent. Shows the last one until the next has come. */
export const useStress = (percent: number, otherwise: string) =>
  useQuery({
    queryKey: ['stress', percent],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      read((await call(readStress, { signal, query: { percent }, texts: { otherwise } })).data),
  })
