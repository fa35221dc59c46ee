import { isPaused } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { usePauses } from '../../../api/money/pauses.ts'
import { announcedIn, pauseReason } from '../../../i18n/named.ts'
import { t } from '../../../i18n/pool.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Proves, Section } from './parts.tsx'

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

/** The last reconciliation and the pauses of this moment. */
export const Trust = ({ reconciliation }: Pick<ShownPool['trust'], 'reconciliation'>) => {
  const pauses = usePauses()
  const sharing = announcedIn(pauses)
  return (
    <Section title={t('trust')} rule={t('trust.rule')}>
      <Proves what={t('trust.proves')} />
      <Reconciliation found={reconciliation} />
      <h3>{t('trust.pauses')}</h3>
      {pauses.length === 0 && <p>{t('trust.running')}</p>}
      {pauses.map(({ name, reason }) => (
        <p key={name}>{isPaused[name](pauseReason(reason))}</p>
      ))}
      {sharing && <p>{sharing}</p>}
    </Section>
  )
}
