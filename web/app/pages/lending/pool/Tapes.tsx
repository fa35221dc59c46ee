import { FEWEST_LOANS } from '@pool/contract/lending/poolBook'
import { tapeColumns } from '@pool/contract/lending/tapeColumns'
import { messageOf } from '../../../api/http/errors.ts'
import { poolKeysUrl, type TapeRow, tapeUrl, useTapes } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FigureTable } from '../../../ui/FigureTable.tsx'
import classes from './Pool.module.css'
import { countText, Proves, Section } from './parts.tsx'

/** Files that are shown at once. The others are a press away. */
const SHOWN = 7

const isoDay = (day: Date): string => day.toISOString().slice(0, 10)

const Files = ({ rows, label }: { readonly rows: readonly TapeRow[]; readonly label: string }) => (
  <FigureTable
    label={label}
    headings={[
      t('tape.day'),
      t('tape.file'),
      t('tape.loans'),
      t('tape.digest'),
      t('tape.signature'),
    ]}
    rows={rows.flatMap(({ day, loans, digest, signed }) =>
      day
        ? [
            [
              isoDay(day),
              <a
                key="file"
                href={tapeUrl(day)}
                download
                aria-label={t('tape.download', { day: isoDay(day) })}
              >
                {t('tape.csv')}
              </a>,
              countText(loans),
              <code key="digest" className={classes.digest}>
                {digest}
              </code>,
              signed ? (
                <code key="signature" className={classes.digest}>
                  {`${signed.keyId} ${signed.signature}`}
                </code>
              ) : (
                t('tape.unsigned')
              ),
            ] as const,
          ]
        : [],
    )}
  />
)

/** The files of all loans with their digests, and the dictionary of their columns. */
export const Tapes = () => {
  const { data, error, refetch, isFetching } = useTapes(t('tape.failed'))
  return (
    <Section title={t('tape')} rule={t('tape.rule', { count: FEWEST_LOANS })}>
      {error && !data && (
        <ErrorState
          message={messageOf(error, t('tape.failed'))}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      <Proves what={t('tape.proves')} />
      <p className={classes.rule}>
        {t('tape.check')} <a href={poolKeysUrl()}>{t('tape.keys')}</a>
      </p>
      {data?.length === 0 && <p>{t('tape.none')}</p>}
      {data && data.length > 0 && <Files label={t('tape')} rows={data.slice(0, SHOWN)} />}
      {data && data.length > SHOWN && (
        <details>
          <summary>{t('tape.earlier')}</summary>
          <Files label={t('tape.earlier')} rows={data.slice(SHOWN)} />
        </details>
      )}
      <details>
        <summary>{t('dictionary')}</summary>
        <dl className={classes.dictionary}>
          {tapeColumns.map((column) => (
            <div key={column}>
              <dt>
                <code>{column}</code>
              </dt>
              <dd>{t(`column.${column}`)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Section>
  )
}
