import { formatDollars } from '@pool/contract/base/money'
import { bookBuckets, expectedLossShares } from '@pool/contract/lending/poolBook'
import { simpleYearlyRate } from '@pool/contract/money/plans'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { formatPercent, formatRate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/pool.ts'
import { PaidMonths } from '../../../panels/paidBy/PaidMonths.tsx'
import { ChartCard } from '../../../ui/chart/ChartCard.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FigureTable } from '../../../ui/FigureTable.tsx'
import classes from './Pool.module.css'
import { countText, durationText, Facts, percentText, ratioText, Section } from './parts.tsx'

type Props = { readonly pool: ShownPool }

const Month = ({ pool: { month } }: Props) => {
  const dollars = (name: 'paid' | 'setAside' | 'capital' | 'withdrawn' | 'writtenOff') => ({
    name: t(`month.${name}`),
    value: formatDollars(month[name]),
  })
  const sources = ['interest', 'recoveries'] as const
  const income = sources.reduce((sum, source) => sum + Math.round(month[source] * 100), 0) / 100
  return (
    <Section title={t('month')} rule={t('month.rule')}>
      <div className={classes.columns}>
        <div>
          <h3>{t('month.out')}</h3>
          <Facts facts={[dollars('paid'), dollars('setAside')]} />
        </div>
        <div>
          <h3>{t('month.in')}</h3>
          <Facts
            facts={[
              ...sources.map((source) => ({
                name: t(`month.${source}`),
                value: formatDollars(month[source]),
              })),
              { name: t('month.income'), value: formatDollars(income) },
            ]}
          />
        </div>
        <div>
          <h3>{t('month.apart')}</h3>
          <Facts facts={[dollars('capital'), dollars('withdrawn'), dollars('writtenOff')]} />
        </div>
      </div>
    </Section>
  )
}

const Reserve = ({ pool: { reserve } }: Props) => {
  const dollars = (
    name: 'balance' | 'committed' | 'free' | 'deployed' | 'lent' | 'openLoss' | 'expectedLoss',
  ) => ({
    name: t(`reserve.${name}`),
    value: formatDollars(reserve[name]),
  })
  const assumed = bookBuckets.map(
    (bucket) => `${t(`bucket.${bucket}`)} ${percentText(expectedLossShares[bucket])}`,
  )
  return (
    <Section title={t('reserve')} rule={t('reserve.rule')}>
      <Facts
        facts={[
          dollars('balance'),
          dollars('committed'),
          dollars('free'),
          dollars('deployed'),
          dollars('lent'),
          dollars('openLoss'),
          dollars('expectedLoss'),
          { name: t('reserve.interestCoverage'), value: ratioText(reserve.interestCoverage) },
          { name: t('reserve.capitalCoverage'), value: ratioText(reserve.capitalCoverage) },
        ]}
      />
      <p className={classes.rule}>{t('reserve.assumed', { list: assumed.join(', ') })}</p>
    </Section>
  )
}

const Liquidity = ({ pool: { liquidity, trust } }: Props) => {
  const days = liquidity.days.map((row) => ({
    ...row,
    name: t('liquidity.days', { days: row.days }),
  }))
  return (
    <Section title={t('liquidity')} rule={t('liquidity.rule')}>
      <Facts
        facts={[
          { name: t('liquidity.coins'), value: formatDollars(liquidity.coins) },
          { name: t('liquidity.typed'), value: formatDollars(liquidity.typed) },
          { name: t('liquidity.collected'), value: percentText(liquidity.collected) },
        ]}
      />
      <ChartCard
        title={t('liquidity.chart')}
        heading={t('liquidity.within')}
        failed={null}
        empty={<EmptyState title={t('liquidity.empty')} plain />}
        picture={{
          shape: 'bars',
          isOrdered: true,
          points: days.map(({ name }) => ({ name, tick: name })),
          series: [
            {
              label: t('liquidity.have'),
              tone: 'accent',
              values: days.map(({ due, expected }) => liquidity.coins + (expected ?? due)),
            },
            {
              label: t('liquidity.owe'),
              tone: 'amber',
              values: days.map(({ promised }) => liquidity.owed + promised),
              below: true,
            },
          ],
        }}
      />
      {liquidity.networks.length > 0 && (
        <>
          <h3>
            {t('liquidity.networks')}{' '}
            {trust.reconciliation?.at && <DateTime at={trust.reconciliation.at} />}
          </h3>
          <FigureTable
            label={t('liquidity.networks')}
            headings={[t('liquidity.network'), t('liquidity.asset'), t('liquidity.units')]}
            rows={liquidity.networks.map(({ network, asset, units }) => [
              `${network} ${asset}`,
              asset,
              units,
            ])}
          />
        </>
      )}
    </Section>
  )
}

const Payers = ({ pool: { interest } }: Props) => (
  <Section title={t('payers')} rule={t('payers.rule')}>
    <Facts
      facts={[
        { name: t('payers.promised'), value: formatDollars(interest.promised) },
        { name: t('payers.paid'), value: formatDollars(interest.paid) },
        { name: t('payers.pace'), value: formatDollars(interest.pace.promised) },
        { name: t('payers.covered90'), value: percentText(interest.covered90) },
      ]}
    />
    <PaidMonths months={interest.months} />
  </Section>
)

const Rates = ({ pool: { interest, book, trust } }: Props) => (
  <Section title={t('rates')} rule={t('rates.rule')}>
    <Facts
      facts={[
        { name: t('rates.plans'), value: percentText(interest.planRate) },
        { name: t('rates.loans'), value: percentText(book.rate) },
      ]}
    />
    <FigureTable
      label={t('trust.plans')}
      headings={[
        t('trust.plan'),
        t('trust.rate'),
        t('trust.yearly'),
        t('trust.since'),
        t('trust.state'),
      ]}
      rows={trust.plans.map(({ durationDays, rateBasisPoints, startsAt, isOpen }) => [
        t('liquidity.days', { days: durationDays }),
        formatRate(rateBasisPoints),
        formatPercent(simpleYearlyRate({ durationDays, rateBasisPoints })),
        startsAt ? <DateTime key="since" at={startsAt} /> : t('trust.beginning'),
        t(isOpen ? 'trust.open' : 'trust.closed'),
      ])}
    />
  </Section>
)

const Payouts = ({ pool: { payouts } }: Props) => (
  <Section title={t('payouts')} rule={t('payouts.rule')}>
    <Facts
      facts={[
        { name: t('payouts.half'), value: durationText(payouts.half) },
        { name: t('payouts.most'), value: durationText(payouts.most) },
        { name: t('payouts.completed'), value: countText(payouts.completed) },
        { name: t('payouts.open'), value: countText(payouts.open) },
        { name: t('payouts.oldest'), value: durationText(payouts.oldest) },
        { name: t('payouts.refused'), value: countText(payouts.refused) },
        { name: t('payouts.returned'), value: countText(payouts.returned) },
        { name: t('payouts.outOfOrder'), value: countText(payouts.outOfOrder) },
        { name: t('payouts.withoutReason'), value: countText(payouts.withoutReason) },
      ]}
    />
  </Section>
)

/** Interest and who pays it, rates, the reserve, liquidity and payouts. */
export const Money = ({ pool }: Props) => (
  <>
    <Payers pool={pool} />
    <Rates pool={pool} />
    <Month pool={pool} />
    <Reserve pool={pool} />
    <Liquidity pool={pool} />
    <Payouts pool={pool} />
  </>
)
