import { isPaused } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { usePauses } from '../../../api/money/pauses.ts'
import { formatRate } from '../../../i18n/format.ts'
import { announcedIn, pauseReason } from '../../../i18n/named.ts'
import { t } from '../../../i18n/pool.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Section, Table } from './parts.tsx'

const Reconciliation = ({ found }: { readonly found: ShownPool['trust']['reconciliation'] }) =>
  found ? (
    <p>
      {t('trust.reconciled')}: <DateTime at={found.at} />.{' '}
      {found.isWhole
        ? t('trust.whole')
        : t('trust.breaks', { amount: formatDollars(found.breaks) })}
    </p>
  ) : (
    <p>
      {t('trust.reconciled')}: {t('trust.never')}
    </p>
  )

/** The last reconciliation, the pauses of this moment, and the versions of plans. */
export const Trust = ({ trust: { reconciliation, plans } }: Pick<ShownPool, 'trust'>) => {
  const pauses = usePauses()
  const sharing = announcedIn(pauses)
  return (
    <Section title={t('trust')} rule={t('trust.rule')}>
      <Reconciliation found={reconciliation} />
      <h3>{t('trust.pauses')}</h3>
      {pauses.length === 0 && <p>{t('trust.running')}</p>}
      {pauses.map(({ name, reason }) => (
        <p key={name}>{isPaused[name](pauseReason(reason))}</p>
      ))}
      {sharing && <p>{sharing}</p>}
      <h3>{t('trust.plans')}</h3>
      <Table
        label={t('trust.plans')}
        headings={[t('trust.plan'), t('trust.rate'), t('trust.since'), t('trust.state')]}
        rows={plans.map(({ durationDays, rateBasisPoints, startsAt, isOpen }) => [
          t('liquidity.days', { days: durationDays }),
          formatRate(rateBasisPoints),
          startsAt ? <DateTime key="since" at={startsAt} /> : t('trust.beginning'),
          t(isOpen ? 'trust.open' : 'trust.closed'),
        ])}
      />
    </Section>
  )
}
