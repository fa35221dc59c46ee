import { networks } from '@pool/contract/base/networks'
import { listTransactions } from '@pool/contract/requests/transactions'
import { capitalized } from '../i18n/format.ts'
import { t } from '../i18n/lists.ts'
import { statusChoice, typeName } from '../i18n/named.ts'
import { type Filter, filtersOf } from './urlState.ts'

/** The filters of a list of transactions. */
export const transactionFilters: readonly Filter[] = [
  ...filtersOf(listTransactions.paged, {
    status: { label: t('status'), nameOf: statusChoice },
    type: { label: t('type'), nameOf: (type) => capitalized(typeName(type)) },
    network: {
      label: t('network'),
      nameOf: (network) => networks.find(({ name }) => name === network)?.displayName ?? network,
      isBounded: true,
    },
  }),
  { kind: 'amounts', name: 'amount', label: t('amount'), isBounded: true },
]
