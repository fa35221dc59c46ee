import { Link } from 'react-router'
import { type SeenPayment, useSeenPayments } from '../../../api/chain/chainPayments.ts'
import { t } from '../../../i18n/chains.ts'
import { depthOf, PaymentState } from '../../../panels/payments/PaymentState.tsx'
import { Code } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'

const Line = ({ payment }: { payment: SeenPayment }) => {
  const { network, evidence, address, userId, isOwn, depositId, asset, amount, seenAt } = payment
  return (
    <CardLine
      title={
        <>
          {amount} {asset} <PaymentState payment={payment} />
        </>
      }
    >
      <Facts>
        <span>{network}</span>
        <Code text={address} />
        <Code text={evidence} />
        <DateTime at={seenAt} />
        <span>{depthOf(payment)}</span>
        {userId ? (
          <Link to={`/admin/users/${userId}`}>{t('person')}</Link>
        ) : (
          <span>{t(isOwn ? 'own' : 'nobody')}</span>
        )}
        {depositId ? (
          <Link to={`/admin?transaction=${depositId}`}>{t('deposit')}</Link>
        ) : (
          !isOwn && <span>{t('deposit.none')}</span>
        )}
      </Facts>
    </CardLine>
  )
}

/** The newest payments to addresses of the pool, as the nodes tell them. */
export const Payments = () => {
  const query = useSeenPayments(t('payments.failed'))
  const { data: payments } = query
  if (!payments)
    return <Pending query={query} failed={t('payments.failed')} loading={t('loading')} />
  return (
    <CardLines
      label={t('payments')}
      empty={<EmptyState title={t('payments.empty')} text={t('payments.empty.text')} />}
    >
      {payments.map((payment) => (
        <Line key={payment.id} payment={payment} />
      ))}
    </CardLines>
  )
}
