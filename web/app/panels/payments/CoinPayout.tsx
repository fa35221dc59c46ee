import { Button } from '@mantine/core'
import type { CoinPayout as Payout } from '../../api/coins/coinPayout.ts'
import type { TransactionRow } from '../../api/requests/transactions.ts'
import { t } from '../../i18n/payments.ts'
import { ChainTransaction } from '../../ui/ChainTransaction.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { rateText } from '../../ui/rateText.ts'
import { saveFile } from '../../ui/saveFile.ts'
import classes from './DepositPayments.module.css'
import { depthOf, PaymentState, stateOf } from './PaymentState.tsx'
import { receiptOf } from './receipt.ts'

type Props = { readonly payout: Payout; readonly transaction: TransactionRow }

/** The sentence for people who wait. */
const wordsFor = ({ payment }: Payout, status: string): string => {
  if (!payment)
    return t(status === 'APPROVED' || status === 'PENDING' ? 'payout.waits' : 'payout.away')
  if (stateOf(payment) === 'CONFIRMED') return t('payout.arrived')
  return t(payment.depth === null ? 'payout.pool' : 'payout.block')
}

/** The coins of a withdrawal: their rate, their way on the network, and a receipt at its end. */
export const CoinPayout = ({ payout, transaction }: Props) => {
  const { network, asset, amount, rate, rateAt, payment } = payout
  const isPaid = transaction.status === 'COMPLETED' && payment !== null
  return (
    <section>
      <h3 className={classes.heading}>{t('payout.title')}</h3>
      <div className={classes.payment}>
        <p className={classes.coins}>
          {t('payout.coins', { coins: `${amount} ${asset}`, rate: rateText(rate) })}{' '}
          {payment && <PaymentState payment={payment} />}
        </p>
        <p role="status">{wordsFor(payout, transaction.status ?? '')}</p>
        <p className={classes.facts}>
          <span>
            {t('payout.fixed')} <DateTime at={rateAt} />
          </span>
          {payment && (
            <>
              <span>{depthOf(payment)}</span>
              <span>
                {t('payout.seen')} <DateTime at={payment.seenAt} />
              </span>
              <ChainTransaction network={network} id={payment.transaction} />
            </>
          )}
        </p>
        {isPaid && (
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              saveFile(
                new Blob([receiptOf(transaction, payout)], { type: 'text/plain;charset=utf-8' }),
                `receipt-${transaction.id ?? ''}.txt`,
              )
            }
          >
            {t('receipt')}
          </Button>
        )}
      </div>
    </section>
  )
}
