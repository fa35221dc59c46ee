import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { type Alarm, useAlarms, useSettleAlarm } from '../../../api/coins/payoutAlarms.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/chains.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { PaymentState } from '../../../panels/payments/PaymentState.tsx'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { Code, Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { ChainTransaction } from '../../../ui/ChainTransaction.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'

const SettleDialog = dialogOnDemand(async () => (await import('./SettleDialog.tsx')).SettleDialog)

const SettleSpendingDialog = dialogOnDemand(
  async () => (await import('./SettleSpendingDialog.tsx')).SettleSpendingDialog,
)

/** A newer server may raise an alarm that this page does not know. */
const nameOf = ({ kind }: Alarm): string => t(`alarm.${kind ?? 'UNEXPLAINED'}`)

/** The payout of the batch, and the coins that the chain pays to others. */
const Coins = ({ alarm: { payee, amount, asset, sent } }: { alarm: Alarm }) => (
  <>
    {payee !== null && (
      <Facts>
        <span>{t('alarm.of', { coins: `${amount} ${asset}` })}</span>
        <Code text={payee} />
      </Facts>
    )}
    {sent.map((each) => (
      <Facts key={`${each.address} ${each.amount} ${each.asset}`}>
        <span>{t('alarm.sent', { coins: `${each.amount} ${each.asset}` })}</span>
        {each.address === null ? <span>{t('alarm.script')}</span> : <Code text={each.address} />}
      </Facts>
    ))}
  </>
)

/** Two super admins settle coins that no batch explains. */
const takesTwo = ({ kind }: Alarm): boolean => kind === 'UNEXPLAINED'

const Line = ({ alarm, onSettle }: { alarm: Alarm; onSettle: () => void }) => {
  const { kind, network, transaction, state, withdrawalId, foundAt, endedAt } = alarm
  const { settledAt, settledBy, reason } = alarm
  const [mayWrite, isSuperAdmin] = [useMayWrite(), useSessionUser()?.role === 'SUPER_ADMIN']
  const stands = settledAt ? 'alarm.settled' : endedAt ? 'alarm.ended' : 'alarm.open'
  const maySettle = takesTwo(alarm) ? isSuperAdmin && !endedAt : mayWrite
  return (
    <CardLine
      title={
        <>
          {nameOf(alarm)}
          <Tag tone={stands === 'alarm.open' ? 'red' : 'grey'}>{t(stands)}</Tag>
          {!settledAt && maySettle && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t(takesTwo(alarm) ? 'alarm.ask.named' : 'alarm.settle.named', {
                what: nameOf(alarm),
              })}
              onClick={onSettle}
            >
              {t(takesTwo(alarm) ? 'alarm.ask' : 'settle')}
            </Button>
          )}
        </>
      }
    >
      <p>{t(`alarm.text.${kind ?? 'UNEXPLAINED'}`)}</p>
      {stands === 'alarm.open' && takesTwo(alarm) && <p>{t('alarm.two')}</p>}
      <Coins alarm={alarm} />
      <Facts>
        <span>{network}</span>
        {transaction !== null && (
          <>
            <ChainTransaction network={network} id={transaction} />
            <PaymentState payment={{ state: state ?? '' }} />
          </>
        )}
        <DateTime at={foundAt} />
        {withdrawalId && (
          <Link to={`/admin?transaction=${withdrawalId}`}>{t('alarm.withdrawal')}</Link>
        )}
      </Facts>
      {settledAt && (
        <Facts>
          <span>{settledBy ? t('alarm.by', { name: settledBy }) : t('alarm.settled')}</span>
          <DateTime at={settledAt} />
          <q>{reason}</q>
        </Facts>
      )}
    </CardLine>
  )
}

/** Payouts that went wrong and coins that no batch explains, for staff to settle. */
export const PayoutAlarms = () => {
  const query = useAlarms(t('alarms.failed'))
  const { data: alarms } = query
  const settling = useSubject<Alarm>()
  const settle = useSettleAlarm(t('alarm.settle.failed'))
  if (!alarms) return <Pending query={query} failed={t('alarms.failed')} loading={t('loading')} />
  return (
    <>
      <CardLines
        label={t('alarms')}
        empty={<EmptyState title={t('alarms.empty')} text={t('alarms.empty.text')} />}
      >
        {alarms.map((alarm) => (
          <Line key={alarm.id} alarm={alarm} onSettle={() => settling.open(alarm)} />
        ))}
      </CardLines>
      {settling.row && takesTwo(settling.row) && (
        <SettleSpendingDialog
          key={settling.row.id}
          alarm={settling.row}
          opened={settling.opened}
          onClose={settling.close}
        />
      )}
      {settling.row && !takesTwo(settling.row) && (
        <SettleDialog
          id={settling.row.id}
          title={t('alarm.settle.title')}
          text={t('alarm.settle.text')}
          failed={t('alarm.settle.failed')}
          settle={settle}
          opened={settling.opened}
          onClose={settling.close}
        />
      )}
    </>
  )
}
