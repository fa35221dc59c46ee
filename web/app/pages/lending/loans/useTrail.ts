import { useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { asNumber, asRecord, asText } from '../../../api/http/reading.ts'
import { loanList } from '../../../api/lending/loanList.ts'
import type { LoanTrail } from '../../../panels/loans/trail.ts'

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => asText(each) ?? [])

const readTrail = (state: unknown): LoanTrail => {
  const fields = asRecord(state)
  const before = Array.isArray(fields?.before) ? fields.before : []
  return {
    ids: textsOf(fields?.ids),
    search: asText(fields?.search) ?? '?tab=loans',
    query: (asRecord(fields?.query) ?? {}) as LoanTrail['query'],
    size: asNumber(fields?.size) ?? 0,
    skipped: asNumber(fields?.skipped) ?? 0,
    total: asNumber(fields?.total) ?? 0,
    next: asText(fields?.next),
    before: before.map((place) => ({
      cursor: asText(asRecord(place)?.cursor) ?? undefined,
      skipped: asNumber(asRecord(place)?.skipped) ?? 0,
    })),
  }
}

/** The trail with the page of the list after it or before it. */
const extended = async (trail: LoanTrail, step: 1 | -1): Promise<LoanTrail> => {
  const { query, size: limit, ids, next, before } = trail
  const place = before.at(-1)
  const cursor = step === 1 ? (next ?? undefined) : place?.cursor
  const page = await loanList.load({ query, limit, cursor })
  const more = page.rows.map(({ id }) => id)
  return step === 1
    ? { ...trail, ids: [...ids, ...more], next: page.next }
    : {
        ...trail,
        ids: [...more, ...ids],
        skipped: place?.skipped ?? 0,
        before: before.slice(0, -1),
      }
}

/**
 * The list that a loan was opened from, which the history entry keeps: the place of the loan in it,
 * and the ways to its neighbours, also on the pages after and before.
 */
export const useTrail = (id: string) => {
  const { state } = useLocation()
  const navigate = useNavigate()
  const trail = readTrail(state)
  const isLoading = useRef(false)
  const at = trail.ids.indexOf(id)
  const canGo = (step: 1 | -1): boolean => {
    if (at < 0) return false
    if (trail.ids[at + step] !== undefined) return true
    return step === 1 ? trail.next !== null : trail.before.length > 0
  }
  const open = (known: LoanTrail, step: 1 | -1) => {
    const next = known.ids[known.ids.indexOf(id) + step]
    // The list stays one step back.
    if (next !== undefined) void navigate(`/admin/loans/${next}`, { state: known, replace: true })
  }
  const go = async (step: 1 | -1) => {
    if (!canGo(step) || isLoading.current) return
    if (trail.ids[at + step] !== undefined) return open(trail, step)
    isLoading.current = true
    // Without an answer the loan stays, and the key works again.
    const known = await extended(trail, step).catch(() => trail)
    isLoading.current = false
    open(known, step)
  }
  return {
    /** The place, from 1 on. Zero without a list. */
    place: at < 0 ? 0 : trail.skipped + at + 1,
    total: trail.total,
    canGoOn: canGo(1),
    canGoBack: canGo(-1),
    /** The list with its filters. */
    back: `/admin${trail.search}`,
    goOn: () => void go(1),
    goBack: () => void go(-1),
  }
}
