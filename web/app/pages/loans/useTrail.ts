import { useLocation, useNavigate } from 'react-router'
import { asRecord, asText } from '../../api/http/reading.ts'

/**
 * The list that a loan was opened from, which the history entry keeps: the place of the loan in it,
 * and the ways to its neighbours.
 */
export const useTrail = (id: string) => {
  const { state } = useLocation()
  const navigate = useNavigate()
  const fields = asRecord(state)
  const ids = Array.isArray(fields?.ids) ? fields.ids.map(String) : []
  const at = ids.indexOf(id)
  const go = (step: 1 | -1) => {
    const next = at < 0 ? undefined : ids[at + step]
    // The list stays one step back.
    if (next !== undefined) void navigate(`/admin/loans/${next}`, { state, replace: true })
  }
  return {
    /** The place, from 1 on. Zero without a list. */
    place: at + 1,
    total: ids.length,
    /** The list with its filters. */
    back: `/admin${asText(fields?.search) ?? '?tab=loans'}`,
    goOn: () => go(1),
    goBack: () => go(-1),
  }
}
