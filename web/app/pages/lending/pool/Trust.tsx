import { formatDollars } from '@pool/contract/base/money'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Proves, Section } from './parts.tsx'

/** The last comparison of the coins with the books. */
export const Trust = ({ reconciliation: found }: Pick<ShownPool['trust'], 'reconciliation'>) => (
  <Section title={t('trust')} rule={t('trust.rule')}>
    <Proves what={t('trust.proves')} />
    <p>
      {t('trust.reconciled')}:{' '}
      {found ? (
        <>
          <DateTime at={found.at} />.{' '}
          {found.isWhole
            ? t('trust.whole')
            : t('trust.breaks', { amount: formatDollars(found.breaks) })}
        </>
      ) : (
        t('trust.never')
      )}
    </p>
  </Section>
)
