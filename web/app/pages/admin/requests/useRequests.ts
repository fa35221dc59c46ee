import { typesWith } from '@pool/contract/transactions'
import { type TransactionRow, transactionList } from '../../../api/transactions.ts'
import { useSessionUser } from '../../../session/store.ts'
import { useListState } from '../../../tables/state.ts'
import { transactionFilters } from '../../../tables/transactionFilters.ts'
import type { Filter } from '../../../tables/urlState.ts'
import { isApprovedBy, isOpen, isReady } from '../decisions/requests.ts'
import { useWaitingRows } from '../queue/useWaitingRows.ts'

const types: readonly string[] = typesWith({ decidedBy: 'staff' })

/** The filters of requests, which are all pending. */
const filters: readonly Filter[] = transactionFilters
  .filter(({ name }) => name !== 'status')
  .map((filter) =>
    filter.kind === 'choices' && filter.name === 'type'
      ? { ...filter, choices: filter.choices.filter(({ value }) => types.includes(value)) }
      : filter,
  )

/** The deposits and withdrawals that wait, as the URL filters them. */
export const useRequests = () => {
  const me = useSessionUser()?.email
  const state = useListState('queue', { sorts: [], filters })
  const now = new Date()
  const list = useWaitingRows<TransactionRow>({
    source: transactionList,
    query: { type: types.join(), ...state.query },
    factsOf: (row) => {
      const waitsForMe = isOpen(row) && !isApprovedBy(row, me)
      return { waitsForMe, isReady: waitsForMe && isReady(row, now) }
    },
  })
  return { list, filtering: { state, filters } }
}
