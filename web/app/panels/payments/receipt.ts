import { formatDollars } from '@pool/contract/base/money'
import type { CoinPayout } from '../../api/coins/coinPayout.ts'
import type { TransactionRow } from '../../api/requests/transactions.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/payments.ts'
import { transactionUrl } from '../../ui/explorer.ts'
import { rateText } from '../../ui/rateText.ts'

/** The receipt of a paid withdrawal as text. Moments are in UTC, so that all readers agree. */
export const receiptOf = (
  { id, amount, payee, destinationAddress, sent }: TransactionRow,
  { network, asset, amount: coins, rate, rateAt, payment }: CoinPayout,
): string => {
  const moment = (at: Date | null | undefined): string => at?.toISOString() ?? ''
  const url = payment && transactionUrl(network, payment.transaction)
  const lines: readonly (readonly [string, string])[] = [
    [t('receipt.amount'), amount === null ? '' : formatDollars(amount)],
    [t('receipt.coins'), `${coins} ${asset}`],
    [t('receipt.rate'), `${rateText(rate)} (${moment(rateAt)})`],
    [t('receipt.network'), network],
    [t('receipt.address'), payee?.address ?? destinationAddress ?? ''],
    [t('receipt.transaction'), sent?.evidence ?? payment?.transaction ?? ''],
    [t('receipt.explorer'), url ?? ''],
    [t('receipt.seen'), moment(payment?.seenAt)],
    [t('receipt.confirmed'), moment(payment?.confirmedAt)],
    [t('receipt.id'), id ?? ''],
  ]
  const title = t('receipt.title', { product: configuration().productName })
  return [title, '', ...lines.map(([name, value]) => `${name}: ${value}`), ''].join('\n')
}
