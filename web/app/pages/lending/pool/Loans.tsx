import { formatDollars } from '@pool/contract/base/money'
import { FEWEST_LOANS, VINTAGE_MONTHS } from '@pool/contract/lending/poolBook'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { FigureTable } from '../../../ui/FigureTable.tsx'
import { countText, Facts, NONE, percentText, Section, shareOf } from './parts.tsx'

type Props = { readonly pool: ShownPool }

const Arrears = ({ pool: { arrears } }: Props) => {
  const buckets = arrears.buckets.flatMap(({ bucket, ...figures }) =>
    bucket ? [{ name: t(`bucket.${bucket}`), ...figures }] : [],
  )
  return (
    <Section title={t('arrears')} rule={t('arrears.rule')}>
      <FigureTable
        label={t('arrears')}
        headings={[
          t('arrears.bucket'),
          t('arrears.loans'),
          t('arrears.outstanding'),
          t('arrears.overdue'),
        ]}
        rows={buckets.map(({ name, loans, outstanding, overdue }) => [
          name,
          countText(loans),
          formatDollars(outstanding),
          formatDollars(overdue),
        ])}
      />
    </Section>
  )
}

/** A year or a quarter, with a word where its loans ran before the pool took them over. */
const periodText = (period: string, takenOver: boolean): string =>
  takenOver ? t('defaults.takenOver', { period }) : period

const Defaults = ({ pool: { years, vintages } }: Props) => (
  <Section title={t('defaults')} rule={t('defaults.rule')}>
    <h3>{t('defaults.years')}</h3>
    <FigureTable
      label={t('defaults.years')}
      headings={[
        t('defaults.year'),
        t('defaults.loans'),
        t('defaults.disbursed'),
        t('defaults.late'),
        t('defaults.count'),
        t('defaults.byCount'),
        t('defaults.byAmount'),
      ]}
      rows={years.map(({ year, takenOver, loans, disbursed, late, defaults, exposure }) => [
        periodText(String(year), takenOver),
        countText(loans),
        formatDollars(disbursed),
        countText(late),
        countText(defaults),
        percentText(shareOf(defaults, loans)),
        percentText(shareOf(exposure, disbursed)),
      ])}
    />
    <h3>{t('vintages')}</h3>
    <p>{t('vintages.rule', { count: FEWEST_LOANS })}</p>
    <FigureTable
      label={t('vintages')}
      headings={[
        t('vintages.quarter'),
        t('defaults.loans'),
        t('defaults.disbursed'),
        ...VINTAGE_MONTHS.map((months) => t('vintages.months', { months })),
        t('vintages.lost'),
        t('vintages.recovered'),
        t('vintages.net'),
      ]}
      rows={vintages.map((row) => [
        periodText(`${row.year} Q${row.quarter}`, row.takenOver),
        countText(row.loans),
        formatDollars(row.disbursed),
        ...VINTAGE_MONTHS.map((_, place) => percentText(row.defaulted[place])),
        formatDollars(row.writtenOff),
        formatDollars(row.recovered),
        row.loans < FEWEST_LOANS
          ? NONE
          : percentText(shareOf(row.writtenOff - row.recovered, row.disbursed)),
      ])}
    />
  </Section>
)

const Losses = ({ pool: { losses } }: Props) => (
  <Section title={t('losses')} rule={t('losses.rule')}>
    <Facts
      facts={(['writtenOff', 'recovered', 'borne', 'returned'] as const).map((name) => ({
        name: t(`losses.${name}`),
        value: formatDollars(losses[name]),
      }))}
    />
  </Section>
)

/** Arrears, defaults and losses of the loan book. */
export const Loans = ({ pool }: Props) =>
  pool.book.everLent > 0 && (
    <>
      <Arrears pool={pool} />
      <Losses pool={pool} />
      <Defaults pool={pool} />
    </>
  )
