/** A person as staff see them: balances, access, notes, and what happened. */
import * as contract from '@pool/contract/accounts/people'
import { callFailed } from '@pool/contract/base/messages'
import { readTimeline } from '@pool/contract/reports/timeline'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { ApiError } from '../http/errors.ts'
import { type ListSource, listSource } from '../http/lists.ts'
import { asFlag, asMoment, asNumber, asRecord, asText, list } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'
import { allInvestments } from '../money/investments.ts'
import { readEntry } from '../records/audit.ts'
import { transactionList } from '../requests/transactions.ts'
import { readFactor } from './factors.ts'
import { readSession } from './ownSessions.ts'
import { readUser } from './users.ts'

const NOUN = 'people'

const readPerson = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  const balances = asRecord(fields.balances) ?? {}
  const { role: _, ...user } = readUser(value)
  return {
    ...user,
    isSuspended: asFlag(fields.suspended),
    isFrozen: asFlag(fields.frozen),
    isClosed: asFlag(fields.closed),
    withdrawalsRestUntil: asMoment(fields.withdrawalsRestUntil),
    available: asNumber(balances.available),
    held: asNumber(balances.held),
    invested: asNumber(balances.invested),
  }
}
/** A person and their balances. */
export type ShownPerson = ReturnType<typeof readPerson>

/** True for a link without a person. */
export const isNobody = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.field === 'id')

/** `otherwise` is said of a failure without a sentence. */
export const usePerson = (id: string, otherwise: string) =>
  useQuery({
    queryKey: [NOUN, id],
    queryFn: async ({ signal }) =>
      readPerson(
        (await call(contract.person, { params: { id }, signal, texts: { otherwise } })).data,
      ),
    retry: (count, error) => !isNobody(error) && count < 1,
  })

/** Roles, living sessions and second factors, for super admins. */
export const usePersonAccess = (id: string, otherwise: string) =>
  useQuery({
    queryKey: [NOUN, id, 'access'],
    queryFn: async ({ signal }) => {
      const { data } = await call(contract.personAccess, {
        params: { id },
        signal,
        texts: { otherwise },
      })
      const fields = asRecord(data) ?? {}
      return {
        roles: list((role) => asText(asRecord(role)?.type) ?? '')(fields.roles),
        sessions: list(readSession)(fields.sessions),
        factors: list(readFactor)(fields.factors),
        recoveryCodes: asNumber(fields.recoveryCodes) ?? 0,
      }
    },
  })

const readNote = (value: unknown) => {
  const fields = asRecord(value) ?? {}
  return {
    id: asText(fields.id) ?? '',
    author: asText(fields.author) ?? '',
    at: asMoment(fields.at),
    text: asText(fields.text) ?? '',
  }
}

/** The notes of staff, the newest first. */
export const useNotes = (id: string, otherwise: string) =>
  useQuery({
    queryKey: [NOUN, id, 'notes'],
    queryFn: async ({ signal }) =>
      list(readNote)(
        (await call(contract.listNotes, { params: { id }, signal, texts: { otherwise } })).data,
      ),
  })

/** Adds a note. */
export const useAddNote = (id: string, otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit((text: string) =>
      call(contract.addNote, { params: { id }, payload: { text }, texts: { otherwise } }),
    ),
    onSuccess: () => client.invalidateQueries({ queryKey: [NOUN] }),
  })
}

/** Lists what happened to a person. */
export const timelineOf = (id: string) =>
  listSource({
    noun: NOUN,
    endpoint: readTimeline,
    params: { id },
    read: readEntry,
    texts: { otherwise: callFailed.audit },
    fields: ({ at }) => ({ createdAt: at }),
  })

/** The rows of a list that belong to one person. */
const of = <Row extends { readonly userId: string | null }>(
  userId: string,
  source: ListSource<Row>,
): ListSource<Row> => ({
  noun: source.noun,
  key: `${source.key} ${userId}`,
  load: (asked) => source.load({ ...asked, query: { ...asked.query, userId } }),
})

export const transactionsOf = (id: string) => of(id, transactionList)
export const investmentsOwnedBy = (id: string) => of(id, allInvestments)
