/** Background work that has stopped, for staff only. */
import { listStoppedJobs, type StoppedJob } from '@pool/contract/base/jobs'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asText, list, or, record, type Shape } from '../http/reading.ts'

const read = record({
  kind: or(asText, ''),
  network: asText,
  since: asMoment,
} satisfies Shape<StoppedJob>)

/** Stopped work as the screen shows it. */
export type ShownStoppedJob = ReturnType<typeof read>

/** The interval of the query in milliseconds. */
const ASKED_EVERY = 60_000

/** Empty while it is not known. A failure says nothing. */
export const useStoppedJobs = () =>
  useQuery({
    queryKey: ['stoppedJobs'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listStoppedJobs, { signal, texts: { otherwise: '' } })).data),
  }).data ?? []
