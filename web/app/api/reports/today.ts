/** The day since yesterday began, for staff. */
import * as contract from '@pool/contract/reports/today'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import {
  asMoment,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

const number = or(asNumber, 0)

const sum = record({ count: number, amount: number } satisfies Shape<contract.Today['moneyIn']>)

const today = record({
  since: asMoment,
  moneyIn: sum,
  moneyOut: sum,
  invested: sum,
  matured: sum,
  late: sum,
  decisions: list(
    record({
      username: or(asText, ''),
      count: number,
      amount: number,
    } satisfies Shape<contract.Today['decisions'][number]>),
  ),
  breaks: number,
  alarms: number,
  pauses: list(
    record({ name: or(asText, ''), since: asMoment } satisfies Shape<
      contract.Today['pauses'][number]
    >),
  ),
} satisfies Shape<contract.Today>)
/** The day since yesterday began, in dollars. */
export type ShownToday = ReturnType<typeof today>

export const useToday = (otherwise: string) =>
  useQuery({
    queryKey: ['today'],
    queryFn: async ({ signal }) =>
      today((await call(contract.readToday, { signal, texts: { otherwise } })).data),
  })

const MORNING = ['today', 'mail']
const wanted = (data: unknown): boolean => asRecord(data)?.wanted === true

/** True if the user gets the day by mail each morning. */
export const useMorningMail = (otherwise: string) =>
  useQuery({
    queryKey: MORNING,
    queryFn: async ({ signal }) =>
      wanted((await call(contract.readMorningMail, { signal, texts: { otherwise } })).data),
  })

/** Saves the choice. Shows it at once, and takes it back when refused. */
export const useSaveMorningMail = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'morningMail' },
    mutationFn: (isWanted: boolean) =>
      call(contract.saveMorningMail, { payload: { wanted: isWanted }, texts: { otherwise } }),
    onMutate: (isWanted) => client.setQueryData(MORNING, isWanted),
    onError: () => client.invalidateQueries({ queryKey: MORNING }),
  })
}
