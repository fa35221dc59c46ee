import { formatDollars } from '@pool/contract/base/money'
import { messageOf } from '../../../api/http/errors.ts'
import { poolKeysUrl } from '../../../api/lending/poolBook.ts'
import { type ListedDay, liabilitiesUrl, useLiabilities } from '../../../api/reports/liabilities.ts'

import { t } from '../../../i18n/pool.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FigureTable } from '../../../ui/FigureTable.tsx'
import classes from './Pool.module.css'
import { Proves, Section } from './parts.tsx'

/** Days that are shown at once. The others are a press away. */
const SHOWN = 7

const Days = ({ rows, label }: { readonly rows: readonly ListedDay[]; readonly label: string }) => (
  <FigureTable
    label={label}
    headings={[
      t('tape.day'),
      t('liabilities.total'),
      t('liabilities.coins'),
      t('liabilities.typed'),
      t('liabilities.loans'),
      t('tape.file'),
      t('liabilities.root'),
      t('tape.digest'),
      t('tape.signature'),
    ]}
    rows={rows.flatMap(({ day, total, coins, typed, loans, root, digest, signed }) => {
      if (!day) return []
      const iso = day.toISOString().slice(0, 10)
      return [
        [
          iso,
          formatDollars(total),
          formatDollars(coins),
          typed === null ? '–' : formatDollars(typed),
          formatDollars(loans),
          <a
            key="file"
            href={liabilitiesUrl(iso)}
            download
            aria-label={t('liabilities.download', { day: iso })}
          >
            {t('liabilities.json')}
          </a>,
          <code key="root" className={classes.digest}>
            {root}
          </code>,
          <code key="digest" className={classes.digest}>
            {digest}
          </code>,
          <code key="signature" className={classes.digest}>
            {`${signed.keyId} ${signed.signature}`}
          </code>,
        ] as const,
      ]
    })}
  />
)

/** The debts to investors on each day, with root and signature (docs/product.md 5.43). */
export const Liabilities = () => {
  const { data, error, refetch, isFetching } = useLiabilities(t('liabilities.failed'))
  return (
    <Section title={t('liabilities')} rule={t('liabilities.rule')}>
      <Proves what={t('liabilities.proves')} />
      <p className={classes.rule}>
        <a href={poolKeysUrl()}>{t('tape.keys')}</a>
      </p>
      {error && !data && (
        <ErrorState
          message={messageOf(error, t('liabilities.failed'))}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data?.length === 0 && <p>{t('liabilities.none')}</p>}
      {data && data.length > 0 && <Days label={t('liabilities')} rows={data.slice(0, SHOWN)} />}
      {data && data.length > SHOWN && (
        <details>
          <summary>{t('liabilities.earlier')}</summary>
          <Days label={t('liabilities.earlier')} rows={data.slice(SHOWN)} />
        </details>
      )}
    </Section>
  )
}
