import { Button } from '@mantine/core'
import { useState } from 'react'
import { type CapitalPayment, useCapital } from '../../../api/coins/capital.ts'
import { t } from '../../../i18n/reconciliation.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useSessionUser } from '../../../session/store.ts'
import { Code } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Reconciliation.module.css'

const SeenCapitalDialog = dialogOnDemand(
  async () => (await import('./CapitalDialogs.tsx')).SeenCapitalDialog,
)
const TypedCapitalDialog = dialogOnDemand(
  async () => (await import('./CapitalDialogs.tsx')).TypedCapitalDialog,
)

type PaymentsProps = {
  readonly payments: readonly CapitalPayment[]
  /** Undefined for staff who may not ask. */
  readonly onBook: ((payment: CapitalPayment) => void) | undefined
}

const Payments = ({ payments, onBook }: PaymentsProps) => {
  const text = useDollarText()
  return (
    <CardLines
      label={t('capital.payments')}
      empty={<EmptyState title={t('capital.empty')} text={t('capital.empty.text')} />}
    >
      {payments.map((payment) => {
        const { id, network, evidence, asset, coins, dollars, seenAt } = payment
        const name = `${coins} ${asset}`
        return (
          <CardLine key={id}>
            <Facts>
              <strong>{name}</strong>
              <span>{network}</span>
              <span>{dollars === null ? t('capital.unpriced') : text(dollars)}</span>
              <DateTime at={seenAt} />
            </Facts>
            <Code text={evidence} />
            {onBook && dollars !== null && (
              <Button
                size="sm"
                variant="default"
                aria-label={t('capital.book.named', { coins: name })}
                onClick={() => onBook(payment)}
              >
                {t('capital.book')}
              </Button>
            )}
          </CardLine>
        )
      })}
    </CardLines>
  )
}

/** The operator's capital: what came in and left, and coins that may be booked as capital. */
export const Capital = () => {
  const query = useCapital(t('capital.failed'))
  const text = useDollarText()
  const mayAsk = useSessionUser()?.role === 'SUPER_ADMIN'
  const [asking, ask] = useState<CapitalPayment | 'typed' | null>(null)
  const { data } = query
  return (
    <section aria-labelledby="capital" className={classes.section}>
      <h2 id="capital">{t('capital')}</h2>
      <p>{t('capital.text')}</p>
      {data ? (
        <>
          <Facts>
            <span>{t('capital.putIn', { amount: text(data.putIn) })}</span>
            <span>{t('capital.takenOut', { amount: text(data.takenOut) })}</span>
          </Facts>
          <Payments payments={data.payments} onBook={mayAsk ? ask : undefined} />
          {mayAsk && (
            <p className={classes.actions}>
              <Button variant="default" size="sm" onClick={() => ask('typed')}>
                {t('capital.type')}
              </Button>
            </p>
          )}
          {asking === 'typed' && (
            <TypedCapitalDialog followed={data.followed} onClose={() => ask(null)} />
          )}
          {asking !== null && asking !== 'typed' && (
            <SeenCapitalDialog payment={asking} onClose={() => ask(null)} />
          )}
        </>
      ) : (
        <Pending query={query} failed={t('capital.failed')} loading={t('capital.loading')} />
      )}
    </section>
  )
}
