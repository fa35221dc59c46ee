import { typesWith } from '@pool/contract/requests/transactions'
import { type TransactionRow, transactionList } from '../../../api/requests/transactions.ts'
import { useListState } from '../../../tables/state.ts'
import { transactionFilters } from '../../../tables/transactionFilters.ts'
import type { Filter } from '../../../tables/urlState.ts'
import { readiness } from '../decisions/readiness.ts'
import { useDecider } from '../decisions/useReadiness.ts'
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
  const decider = useDecider()
  const state = useListState('queue', { sorts: [], filters })
  const list = useWaitingRows<TransactionRow>({
    source: transactionList,
    query: { type: types.join(), ...state.query },
    factsOf: (row) => {
      const { waitsForMe, isReady } = readiness(row, decider)
      return { waitsForMe, isReady, isFlagged: row.flags.length > 0 }
    },
  })
  return { list, filtering: { state, filters } }
}
